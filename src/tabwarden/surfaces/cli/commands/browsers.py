"""``tabwarden browsers``: list the browsers, or install one."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.surfaces.cli.commands.base import ListedCommands, shows_errors


@click.group(cls=ListedCommands, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--refresh", is_flag=True, help="Start each browser again instead of using saved results."
)
@click.pass_context
@shows_errors
def browsers(context: click.Context, as_json: bool, refresh: bool) -> None:
    """List the browsers on this system. Show which one Tabwarden uses, and why."""
    if context.invoked_subcommand is None:
        from tabwarden.surfaces.cli.commands.browser_list import list_browsers

        list_browsers(as_json=as_json, refresh=refresh)


@browsers.command("install")
@click.option(
    "--from-file",
    "--from",
    "from_file",
    type=click.Path(path_type=Path),
    help="Install from this zip, tar or executable.",
)
@click.option("--if-missing", is_flag=True, help="Install only if no browser works yet.")
@shows_errors
def install_command(from_file: Path | None, if_missing: bool) -> None:
    """Install a browser: Chrome for Testing, or else npm's Chromium, or else a system package."""
    from tabwarden.surfaces.cli.commands.browser_list import install_browser

    install_browser(from_file=from_file, if_missing=if_missing)
