"""``tabwarden doctor``: check this machine, and print the findings."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from pathlib import Path

import click
import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches
from tabwarden.surfaces.cli.commands.base import TimeoutMs, config_option, json_option, shows_errors
from tabwarden.surfaces.cli.output import show
from tabwarden.surfaces.cli.progress import working
from tabwarden.surfaces.doctor import CHECKS, Finding, Patient, examine, worst

_MARKS = {
    "ok": ("✓", "green"),
    "warning": ("!", "yellow"),
    "problem": ("✗", "bold red"),
    "skipped": ("-", "dim"),
}


@click.command()
@json_option
@click.option("--only", multiple=True, help="Run only this check. May be repeated.")
@click.option(
    "--timeout-ms",
    type=TimeoutMs(),
    default=20_000,
    show_default=True,
    help="Time limit for each check. Checks run in parallel.",
)
@config_option
@shows_errors
def doctor(as_json: bool, only: tuple[str, ...], timeout_ms: float, config: Path | None) -> None:
    """Find problems that keep Tabwarden from working, and print the commands that fix them.

    The doctor changes nothing and does not create sessions at providers. It exits with status 0 if
    it finds nothing, or only warnings.
    """
    for name in only:
        if name not in CHECKS:
            nearest = get_close_matches(name, CHECKS, n=1, cutoff=0.0)[0]
            raise InvalidArgument(
                f"There is no check {name!r}.",
                f"Did you mean {nearest}? Checks: {', '.join(CHECKS)}.",
                field="only",
                nearest=nearest,
            )
    with working("Checking this machine"):
        found = asyncio.run(examine(Patient.of(config), timeout_ms=timeout_ms, only=only))
    status = worst(found)
    lines = []
    for one in found:
        lines.append(f"{one.status:<8} {one.check:<14} {one.message}")
        if one.command:
            lines.append(f"{'':<8} {'':<14} fix: {one.command}")
    data = {"status": status, "checks": msgspec.to_builtins(found)}
    show(data, lines, as_json=as_json, table=partial(_print_coloured, found))
    sys.exit(1 if status == "problem" else 0)


def _print_coloured(found: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in found:
        mark, style = _MARKS[one.status]
        text = Text(one.message, style="dim" if one.status == "skipped" else "")
        if one.command:
            text.append(f"\n{one.command}", style="bold cyan")
        table.add_row(Text(mark, style=style), Text(one.check, style=style), text)
    console = Console()
    console.print(table)
    problems = sum(one.status == "problem" for one in found)
    warnings = sum(one.status == "warning" for one in found)
    words = (
        f"{problems} problem(s), {warnings} warning(s)" if problems or warnings else "No problems."
    )
    console.print(f"\n{words}", style=_MARKS[worst(found)][1], highlight=False)
