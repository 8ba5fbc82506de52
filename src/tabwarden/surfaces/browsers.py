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
from tabwarden.endpoints import Found, ensure, find_browsers, install
from tabwarden.errors import InvalidArgument, LaunchFailed

__all__ = ["install_browser", "list_browsers"]

_PROBE_ALL_MS = 120_000.0
_WHY = {
    "argument": "you named it",
    "environment": "TABWARDEN_CHROME names it",
    "installed": "installed by tabwarden browsers install",
    "system": "found in a usual place",
    "path": "found on the PATH",
}


def list_browsers(*, as_json: bool, refresh: bool) -> None:
    """Print every browser that was found; the first that works is the one that is used.

    Raises:
        LaunchFailed: none works.
    """
    found = asyncio.run(find_browsers(Budget(_PROBE_ALL_MS), refresh=refresh))
    chosen = next((one for one in found if one.works), None)
    if as_json:
        click.echo(json.dumps([_as_json(one, chosen) for one in found], indent=2))
    elif Console().is_terminal:
        _print_table(found, chosen)
    else:
        for one in found:
            click.echo(_line(one, chosen))
    if chosen is None:
        raise LaunchFailed(
            "No browser that works was found on this system.",
            "Install one: tabwarden browsers install",
        )


def install_browser(*, from_file: Path | None, if_missing: bool) -> None:
    """Install a browser with progress on stderr, and say which one is used then.

    Raises:
        InvalidArgument: there is no such file.
        LaunchFailed: nothing that can be reached from here gave one that works.
    """
    if from_file is not None and not from_file.exists():
        raise InvalidArgument(
            f"There is no file {str(from_file)!r}.",
            "Name a zip, a tar or an executable with --from.",
            field="from",
        )
    with _Bars() as bars:
        if if_missing and from_file is None:
            found = asyncio.run(ensure(progress=bars.show))
        else:
            report = asyncio.run(install(progress=bars.show, from_file=from_file))
            found = report.found
            for one in report.tries:
                click.echo(f"{one.way}: {one.outcome}{': ' if one.reason else ''}{one.reason}")
    click.echo(f"{found.product}: {found.path}")


class _Bars:
    """Progress of an installation: bars on a terminal, a line a step elsewhere."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._steps: dict[str, TaskID] = {}

    def __enter__(self) -> _Bars:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, step: str, done: int, total: int | None) -> None:
        """See ``endpoints.Progress``."""
        if step not in self._steps:
            self._steps[step] = self._progress.add_task(step, total=total)
            if not self._progress.console.is_terminal:
                click.echo(step, err=True)
        self._progress.update(self._steps[step], completed=done, total=total)


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
    return f"used: {why}, first that works" if one is chosen else why


def _print_table(found: list[Found], chosen: Found | None) -> None:
    table = Table("", "Browser", "Path", "Why", box=None)
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
