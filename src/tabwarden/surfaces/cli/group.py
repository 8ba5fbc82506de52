"""The main command and its subcommands. A subcommand's module is imported only when it is
needed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from tabwarden.surfaces.cli.commands.actions import ActionCommand
from tabwarden.surfaces.cli.commands.base import Commands, ended
from tabwarden.surfaces.command_table import command_named, table

_HELP = Path(__file__).with_name("help.txt")
_WIDTH = 88
_COMMANDS = {
    "browsers": "tabwarden.surfaces.cli.commands.browser.browsers:browsers",
    "completion": "tabwarden.surfaces.cli.commands.server.installing:completion",
    "config": "tabwarden.surfaces.cli.commands.server.config:config",
    "control": "tabwarden.surfaces.cli.commands.browser.sessions:control",
    "daemon": "tabwarden.surfaces.cli.commands.browser.sessions:daemon",
    "demo": "tabwarden.surfaces.cli.commands.browser.demo:demo",
    "doctor": "tabwarden.surfaces.cli.commands.server.doctor:doctor",
    "fleet": "tabwarden.surfaces.cli.commands.fleet:fleet",
    "handoffs": "tabwarden.surfaces.cli.commands.browser.sessions:handoffs",
    "import-cookies": "tabwarden.surfaces.cli.commands.browser.logins:import_cookies",
    "install": "tabwarden.surfaces.cli.commands.browser.browsers:install_command",
    "live": "tabwarden.surfaces.cli.commands.browser.live:live",
    "export": "tabwarden.surfaces.cli.commands.browser.traces:export",
    "mcp": "tabwarden.surfaces.cli.commands.server.serving:mcp",
    "plugins": "tabwarden.surfaces.cli.commands.server.installing:plugins",
    "profiles": "tabwarden.surfaces.cli.commands.browser.logins:profiles",
    "replay": "tabwarden.surfaces.cli.commands.browser.traces:replay",
    "serve": "tabwarden.surfaces.cli.commands.server.serving:serve",
    "sessions": "tabwarden.surfaces.cli.commands.browser.sessions:sessions",
    "skill": "tabwarden.surfaces.cli.commands.server.installing:skill",
    "status": "tabwarden.surfaces.cli.commands.browser.sessions:status",
    "token": "tabwarden.surfaces.cli.commands.server.token:token",
    "trace": "tabwarden.surfaces.cli.commands.browser.traces:trace",
}
"""Maps each subcommand that is not an action to its module and function."""


class _Commands(Commands):
    def list_commands(self, ctx: click.Context) -> list[str]:
        _ = ctx
        return sorted({*_COMMANDS, *table()["commands"]})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See ``click.Group``. Also finds an action by its tool's name or an alias."""
        _ = ctx
        if cmd_name in _COMMANDS:
            module, _, name = _COMMANDS[cmd_name].partition(":")
            command: click.Command = getattr(import_module(module), name)
            return command
        commands = table()
        action = command_named(cmd_name, commands)
        return ActionCommand(action, commands) if action is not None else None

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See ``click.Group``. Shows how to use the commands, not only their list."""
        _ = ctx
        words = _HELP.read_text("utf-8")
        named = set(re.findall(r"[\w-]+", words))
        others = ", ".join(name for name in self.list_commands(ctx) if name not in named)
        formatter.write(words)
        words = textwrap.fill(f"Other commands: {others}.", _WIDTH, break_on_hyphens=False)
        formatter.write(f"{words}\n")

    def aliases(self) -> Sequence[str]:
        return list(table()["aliases"])

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """See ``click.Group``. Reports usage errors like all other errors."""
        words = list(args)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            ended(error, words)

    def invoke(self, ctx: click.Context) -> Any:
        """See ``click.Group``. Reports usage errors like all other errors."""
        words = list(ctx.args)
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            ended(error, words)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabwarden")
def main() -> None:
    pass  # help.txt contains the help text
