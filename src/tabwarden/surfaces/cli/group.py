"""The command: its subcommands, a module each, imported when one runs; and the actions."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.acting import show_error
from tabwarden.surfaces.cli.acting_commands import ActionCommand
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


class _Commands(click.Group):
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See ``click.Group``: of an unknown one the nearest is named."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from difflib import get_close_matches

            known = [*self.list_commands(ctx), *table()["aliases"]]
            near = get_close_matches(args[0], known, n=1)
            hint = f"Did you mean {near[0]!r}? " if near else ""
            error = InvalidArgument(
                f"There is no command {args[0]!r}.",
                f"{hint}All of them: tabwarden --help.",
                field="command",
            )
            sys.exit(show_error(error.to_dict(), as_json="--json" in args))
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabwarden")
def main() -> None:
    """Tabwarden: the browser that an AI agent can't get stuck in.

    Start with: tabwarden open https://example.com, then tabwarden snapshot. The browser stays open
    between commands, one a session, until tabwarden close.

    What the configuration switches off (browser.evaluate_enabled, browser.cdp_enabled) is listed
    too, and refused.
    """
