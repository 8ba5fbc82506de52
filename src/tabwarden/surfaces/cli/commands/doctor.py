"""``tabwarden doctor``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tabwarden.surfaces.cli.commands.base import TimeoutMs, shows_errors


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--only", multiple=True, help="Run only this check. May be repeated.")
@click.option(
    "--timeout-ms",
    type=TimeoutMs(),
    default=20_000,
    show_default=True,
    help="Time limit for each check. Checks run in parallel.",
)
@click.option("--config", type=click.Path(path_type=Path), help="The configuration file.")
@shows_errors
def doctor(as_json: bool, only: tuple[str, ...], timeout_ms: float, config: Path | None) -> None:
    """Find problems that keep Tabwarden from working here, and the commands that fix them.

    The doctor changes nothing, and creates no session at a provider. The exit status is 0 if the
    doctor found no problem. A warning is not a problem.
    """
    from tabwarden.surfaces.cli.commands.doctor_report import tell_diagnosis

    healthy = tell_diagnosis(config, only=only, timeout_ms=timeout_ms, as_json=as_json)
    sys.exit(0 if healthy else 1)
