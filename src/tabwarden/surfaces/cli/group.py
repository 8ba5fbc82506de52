"""The command: its subcommands, a module each. One imports what it needs when it runs."""

from __future__ import annotations

import click

from tabwarden.surfaces.cli.browsers import browsers
from tabwarden.surfaces.cli.configuring import config
from tabwarden.surfaces.cli.demo import demo
from tabwarden.surfaces.cli.doctor import doctor
from tabwarden.surfaces.cli.serving import mcp, serve

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabwarden")
def main() -> None:
    """Tabwarden: the browser that an AI agent can't get stuck in."""


for command in (mcp, serve, browsers, config, demo, doctor):
    main.add_command(command)
