"""``tabwarden demo``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tabwarden.surfaces.cli.telling import told

__all__ = ["demo"]


@click.command()
@click.option("--headed", is_flag=True, help="With a window.")
@click.option("--keep", is_flag=True, help="Leave the browser open at the end, until Enter.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-output"),
    show_default=True,
    help="Where the screenshot goes.",
)
@told
def demo(headed: bool, keep: bool, output: Path) -> None:
    """Run a scripted agent through a small shop: dialogs, frames, a hang, a crash."""
    from tabwarden.demo.story import run_demo

    sys.exit(run_demo(headed=headed, keep=keep, output=output))
