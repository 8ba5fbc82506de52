"""``tabwarden install``: what is not part of Tabwarden, because its licence or its size differ."""

from __future__ import annotations

import asyncio

import click

from tabwarden.surfaces.cli.commands.base import Commands, shows_errors


@click.group(cls=Commands)
def install() -> None:
    """Install what Tabwarden uses but does not contain. For a browser: tabwarden browsers."""


@install.command("axe")
@shows_errors
def axe_command() -> None:
    """Install axe-core, the rules of `tabwarden audit` (MPL-2.0), from the npm registry."""
    from tabwarden.endpoints.install import AXE_VERSION, install_axe

    path = asyncio.run(install_axe())
    click.echo(f"axe-core {AXE_VERSION}: {path}")
