"""``tabwarden demo``."""

from __future__ import annotations

import sys
from functools import partial
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
    """Run a scripted agent through a small shop: dialogs, frames, a hang, a crash.

    If no browser works yet, install one first, as `tabwarden browsers install --if-missing` does.
    """
    from tabwarden.demo.story import run_demo
    from tabwarden.surfaces.cli.commands.browser_list import install_browser

    prepare = partial(install_browser, from_file=None, if_missing=True)
    run = partial(run_demo, headed=headed, keep=keep, output=output, prepare=prepare)
    if live:
        from tabwarden.surfaces.cli.commands.demo_live import watched

        run = partial(run, watched=watched)
    sys.exit(run())
