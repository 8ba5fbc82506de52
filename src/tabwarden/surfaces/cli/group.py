"""The command: its subcommands, a module each, imported when one runs; and the actions."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from tabwarden.surfaces.cli.acting_commands import ActionCommand
from tabwarden.surfaces.cli.misuse import Commands, ended
from tabwarden.surfaces.cli.options import command_named, table

__all__ = ["main"]

_COMMANDS = {
    "browsers": "tabwarden.surfaces.cli.browsers:browsers",
    "completion": "tabwarden.surfaces.cli.completing:completion",
    "config": "tabwarden.surfaces.cli.configuring:config",
    "daemon": "tabwarden.surfaces.cli.daemons:daemon",
    "demo": "tabwarden.surfaces.cli.demo:demo",
    "doctor": "tabwarden.surfaces.cli.doctor:doctor",
    "mcp": "tabwarden.surfaces.cli.serving:mcp",
    "serve": "tabwarden.surfaces.cli.serving:serve",
    "sessions": "tabwarden.surfaces.cli.daemons:sessions",
    "status": "tabwarden.surfaces.cli.daemons:status",
}
"""Those that are no actions, and where each is."""


class _Commands(Commands):
    """The commands, each made when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See ``click.Group``."""
        _ = ctx
        return sorted([*_COMMANDS, *table()["commands"]])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See ``click.Group``: an action by its tool's name and its aliases too."""
        _ = ctx
        if cmd_name in _COMMANDS:
            module, _, name = _COMMANDS[cmd_name].partition(":")
            command: click.Command = getattr(import_module(module), name)
            return command
        commands = table()
        action = command_named(cmd_name, commands)
        return ActionCommand(action, commands) if action is not None else None

    def aliases(self) -> Sequence[str]:
        """See ``Commands``."""
        return list(table()["aliases"])

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """See ``click.Group``: what is wrong before a command is told as any error is."""
        words = list(args)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            ended(error, words)

    def invoke(self, ctx: click.Context) -> Any:
        """See ``click.Group``: what is wrong in a command is told as any error is."""
        words = list(ctx.args)
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            ended(error, words)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabwarden")
def main() -> None:
    """Tabwarden: the browser that an AI agent can't get stuck in.

    Start with: tabwarden open https://example.com, then tabwarden snapshot. The browser stays open
    between commands, one a session, until tabwarden close.

    What the configuration switches off (browser.evaluate_enabled, browser.cdp_enabled) is listed
    too, and refused.
    """
