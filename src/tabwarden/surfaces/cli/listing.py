"""``tabwarden browsers``: what is there, what would be used, and how to get one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn
from rich.table import Table

from tabwarden.budget import Budget
from tabwarden.config import load_config
from tabwarden.endpoints import Found, Try, ensure, find_browsers, install, none_works, would_choose
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.waiting import working

__all__ = ["install_browser", "list_browsers"]

_PROBE_ALL_MS = 120_000.0
_WHY = {
    "argument": "the configuration names it",
    "environment": "TABWARDEN_CHROME names it",
    "installed": "installed by tabwarden browsers install",
    "system": "found in a usual place",
    "path": "found on the PATH",
}


def list_browsers(*, as_json: bool, refresh: bool) -> None:
    """Print every browser that was found, which one is used, and why.

    Raises:
        LaunchFailed: none works, or the one that is named does not.
        InvalidArgument: the configuration is wrong.
    """
    with working("Starting each browser that was found"):
        found = asyncio.run(_find_all(refresh=refresh))
    chosen = would_choose(found)
    if as_json:
        click.echo(json.dumps([_as_json(one, chosen) for one in found], indent=2))
    elif Console().is_terminal:
        _print_table(found, chosen)
    else:
        for one in found:
            click.echo(_line(one, chosen))
    if chosen is None:
        raise none_works(found)


def install_browser(*, from_file: Path | None, if_missing: bool) -> None:
    """Install a browser with progress on stderr, and say which one is used then.

    Raises:
        InvalidArgument: there is no such file, or the configuration is wrong.
        LaunchFailed: nothing that can be reached from here gave one that works.
    """
    if from_file is not None and not from_file.exists():
        raise InvalidArgument(
            f"There is no file {str(from_file)!r}.",
            "Name a zip, a tar or an executable with --from.",
            field="from",
        )
    asyncio.run(_install(from_file, if_missing=if_missing))


async def _install(from_file: Path | None, *, if_missing: bool) -> None:
    named = load_config().browser.executable
    with _Steps() as steps:
        if if_missing:
            found = await ensure(
                executable=named, progress=steps.show, tried=steps.tell, from_file=from_file
            )
        else:
            report = await install(progress=steps.show, tried=steps.tell, from_file=from_file)
            found = report.found
    click.echo(f"{found.product}: {found.path}")
    if not if_missing:
        used = would_choose(await _find_all(refresh=False))
        if used is None or used.path != found.path:
            _tell_another(used)


class _Steps:
    """Progress of an installation: a bar on a terminal, a line a step elsewhere."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: TaskID | None = None
        self._step = ""

    def __enter__(self) -> _Steps:
        if self._bar.console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar.console.is_terminal:
            self._bar.stop()

    def show(self, step: str, done: int, total: int | None) -> None:
        """See ``endpoints.Progress``; "apt-get install: <its line>" is one step."""
        name = step.partition(": ")[0]
        if not self._bar.console.is_terminal:
            if name != self._step:
                click.echo(name, err=True)
        else:
            if self._task is not None and name != self._step:
                self._bar.remove_task(self._task)
                self._task = None
            words = step[: self._bar.console.width // 2]
            if self._task is None:
                self._task = self._bar.add_task(words, total=total)
            self._bar.update(self._task, description=words, completed=done, total=total)
        self._step = name

    def tell(self, one: Try) -> None:
        """How a way went."""
        words = f"{one.way}: {one.outcome}{': ' if one.reason else ''}{one.reason}"
        if self._bar.console.is_terminal:
            self._bar.console.print(words, markup=False, highlight=False)
        else:
            click.echo(words, err=True)


async def _find_all(*, refresh: bool) -> list[Found]:
    """Those of this system, after the one that the configuration names."""
    budget = Budget(_PROBE_ALL_MS)
    named = load_config().browser.executable
    first = (
        await find_browsers(budget, executable=named, refresh=refresh) if named is not None else []
    )
    rest = await find_browsers(budget, refresh=refresh)
    return [*first, *(one for one in rest if one.path not in [one.path for one in first])]


def _tell_another(used: Found | None) -> None:
    if used is None:
        words = "It is not used: another one is named, which does not work (tabwarden browsers)."
    else:
        words = f"It is not used: {used.path} is, as {_WHY[used.candidate.source]}."
    click.echo(words, err=True)


def _as_json(one: Found, chosen: Found | None) -> dict[str, object]:
    return {
        "kind": one.candidate.kind,
        "path": str(one.path),
        "product": one.product,
        "works": one.works,
        "reason": one.reason or _WHY[one.candidate.source],
        "chosen": one is chosen,
    }


def _line(one: Found, chosen: Found | None) -> str:
    mark = "*" if one is chosen else " "
    return f"{mark} {one.path}  {one.product or 'does not work'}  {_why(one, chosen)}"


def _why(one: Found, chosen: Found | None) -> str:
    if not one.works:
        return one.reason
    why = _WHY[one.candidate.source]
    if one is not chosen:
        return why
    named = one.candidate.source in {"argument", "environment"}
    return f"used: {why}" if named else f"used: {why}, first that works"


def _print_table(found: list[Found], chosen: Found | None) -> None:
    table = Table(box=None)
    table.add_column("")
    table.add_column("Browser", no_wrap=True)
    table.add_column("Path", overflow="fold")
    table.add_column("Why", overflow="fold")
    for one in found:
        style = "bold green" if one is chosen else None if one.works else "dim"
        table.add_row(
            "*" if one is chosen else "",
            one.product or "does not work",
            str(one.path),
            _why(one, chosen),
            style=style,
        )
    Console().print(table)
