"""``tabwarden demo``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tabwarden.surfaces.cli.commands.base import shows_errors


@click.command()
@click.option("--headed", is_flag=True, help="Show a window.")
@click.option("--live", is_flag=True, help="Print a link to a live view of the agent.")
@click.option("--keep", is_flag=True, help="Leave the browser open until you press Enter.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-output"),
    show_default=True,
    help="Folder for the screenshot.",
)
@shows_errors
def demo(headed: bool, live: bool, keep: bool, output: Path) -> None:
    """Run a scripted agent through a small shop: dialogs, frames, a hang, a crash."""
    from tabwarden.demo.story import run_demo

    if live:
        from tabwarden.surfaces.cli.commands.demo_live import watched

        sys.exit(run_demo(headed=headed, keep=keep, output=output, watched=watched))
    sys.exit(run_demo(headed=headed, keep=keep, output=output))
