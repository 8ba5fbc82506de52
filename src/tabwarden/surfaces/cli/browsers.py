"""``tabwarden browsers``: which there are, and installing one."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.surfaces.cli.misuse import Commands
from tabwarden.surfaces.cli.telling import told

__all__ = ["browsers"]


@click.group(cls=Commands, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--refresh", is_flag=True, help="Start each browser again instead of remembering.")
@click.pass_context
@told
def browsers(context: click.Context, as_json: bool, refresh: bool) -> None:
    """List the browsers of this system, and which one would be used, and why."""
    if context.invoked_subcommand is None:
        from tabwarden.surfaces.cli.listing import list_browsers

        list_browsers(as_json=as_json, refresh=refresh)


@browsers.command("install")
@click.option(
    "--from-file",
    "--from",
    "from_file",
    type=click.Path(path_type=Path),
    help="A zip, tar or executable to use.",
)
@click.option("--if-missing", is_flag=True, help="Only if no browser works yet.")
@told
def install_command(from_file: Path | None, if_missing: bool) -> None:
    """Install a browser: Chrome for Testing, else npm's Chromium, else the system's package."""
    from tabwarden.surfaces.cli.listing import install_browser

    install_browser(from_file=from_file, if_missing=if_missing)
