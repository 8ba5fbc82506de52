"""``tabwarden browsers`` and ``install``: list browsers, and install browsers and axe-core."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn

from tabwarden.budget import Budget
from tabwarden.config import load_config
from tabwarden.endpoints.finding import (
    Probed,
    find_browsers,
    ignored,
    none_works,
    words_for_ignored,
    would_choose,
)
from tabwarden.endpoints.install import AXE_VERSION, Try, find_or_install, install, install_axe
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.commands.base import (
    Commands,
    ListedCommands,
    json_option,
    print_table,
    shows_errors,
)
from tabwarden.surfaces.cli.output import show
from tabwarden.surfaces.cli.progress import working

_WHY = {
    "argument": "set in the configuration",
    "environment": "set in TABWARDEN_CHROME",
    "installed": "installed by tabwarden browsers install",
    "system": "found in a standard location",
    "path": "found on PATH",
}
PROBE_ALL_MS = 120_000.0
"""The budget for testing all browsers on this computer."""


def install_browser(*, from_file: Path | None, if_missing: bool) -> None:
    """Install a browser and show the progress on stderr. Print a note if Tabwarden will use another
    browser.

    Raises:
        InvalidArgument: the file does not exist, or the configuration is invalid.
        LaunchFailed: no method could install a working browser.
    """
    if from_file is not None and not from_file.exists():
        raise InvalidArgument(
            f"There is no file {str(from_file)!r}.",
            "Set --from to a zip file, a tar file or an executable.",
            field="from",
        )
    asyncio.run(_install(from_file, if_missing=if_missing))


async def _install(from_file: Path | None, *, if_missing: bool) -> None:
    named = load_config().browser.executable
    with _Steps() as steps:
        if if_missing:
            found = await find_or_install(
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
    """Shows an installation's progress: a bar on a terminal, otherwise one line per step."""

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
        """See ``endpoints.Progress``. The text before ": " is the step's name."""
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
        """Print the result of one installation method."""
        words = f"{one.way}: {one.outcome}{': ' if one.reason else ''}{one.reason}"
        if self._bar.console.is_terminal:
            self._bar.console.print(words, markup=False, highlight=False)
        else:
            click.echo(words, err=True)


async def _find_all(*, refresh: bool) -> list[Probed]:
    """Find the browsers on this system. The configured browser, if any, comes first."""
    budget = Budget(PROBE_ALL_MS)
    named = load_config().browser.executable
    first = (
        await find_browsers(budget, executable=named, refresh=refresh) if named is not None else []
    )
    rest = await find_browsers(budget, refresh=refresh)
    return [*first, *(one for one in rest if one.path not in [one.path for one in first])]


def _tell_another(used: Probed | None) -> None:
    if used is None:
        words = (
            "Tabwarden will not use this browser, because another browser is configured, which "
            "does not work. For the reason, run: tabwarden browsers"
        )
    else:
        words = f"Tabwarden will use {used.path} instead ({_WHY[used.candidate.source]})."
    click.echo(words, err=True)


def _as_json(one: Probed, chosen: Probed | None) -> dict[str, object]:
    return {
        "kind": one.candidate.kind,
        "path": str(one.path),
        "product": one.product,
        "works": one.works,
        "reason": one.reason or _WHY[one.candidate.source],
        "chosen": one is chosen,
    }


def _why(one: Probed, chosen: Probed | None) -> str:
    if not one.works:
        return one.reason
    why = _WHY[one.candidate.source]
    if one is not chosen:
        return why
    named = one.candidate.source in {"argument", "environment"}
    return f"used: {why}" if named else f"used: {why}, the first browser that works"


@click.group(cls=ListedCommands, invoke_without_command=True)
@json_option
@click.option(
    "--refresh", is_flag=True, help="Test each browser again instead of using cached results."
)
@click.pass_context
@shows_errors
def browsers(context: click.Context, as_json: bool, refresh: bool) -> None:
    """List the browsers on this system, and show which browser Tabwarden uses and why."""
    if context.invoked_subcommand is not None:
        return
    with working("Starting each browser to test it"):
        found = asyncio.run(_find_all(refresh=refresh))
    chosen = would_choose(found)
    left_out = [one for one in ignored() if one.path not in [other.path for other in found]]
    rows = [
        (
            "bold green" if one is chosen else "" if one.works else "dim",
            (
                "*" if one is chosen else " ",
                one.product or "does not work",
                str(one.path),
                _why(one, chosen),
            ),
        )
        for one in found
    ]
    show(
        [_as_json(one, chosen) for one in found],
        [f"{mark} {path}  {product}  {why}" for _, (mark, product, path, why) in rows],
        as_json=as_json,
        table=partial(print_table, ("", "Browser", "Path", "Why"), rows, unwrapped="Browser"),
    )
    if chosen is None:
        raise none_works(found, left_out)
    if left_out:
        click.echo(words_for_ignored(left_out), err=True)


@browsers.command("install")
@click.option(
    "--from-file",
    "--from",
    "from_file",
    type=click.Path(path_type=Path),
    help="Install from this zip file, tar file or executable.",
)
@click.option("--if-missing", is_flag=True, help="Install only if no browser works yet.")
@shows_errors
def install_browser_command(from_file: Path | None, if_missing: bool) -> None:
    """Install a browser: Chrome for Testing, npm's Chromium, or a system package, in that order."""
    install_browser(from_file=from_file, if_missing=if_missing)


@click.group("install", cls=Commands)
def install_command() -> None:
    """Install optional components. To install a browser, run tabwarden browsers install."""


@install_command.command("axe")
@shows_errors
def axe_command() -> None:
    """Install axe-core (MPL-2.0), which `tabwarden audit` needs, from the npm registry."""
    path = asyncio.run(install_axe())
    click.echo(f"axe-core {AXE_VERSION}: {path}")
