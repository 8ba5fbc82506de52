"""The actions as commands of click: it shows their help and completes them; ``act`` runs them."""

from __future__ import annotations

import sys
from typing import Any

import click
from click.shell_completion import CompletionItem

from tabwarden.surfaces.cli.acting import act
from tabwarden.surfaces.cli.arguments import options_of, usage
from tabwarden.surfaces.cli.shapes import Option, Table

__all__ = ["ActionCommand"]


class ActionCommand(click.Command):
    """One action.

    Args:
        name: the command's. commands: all of them.
    """

    def __init__(self, name: str, commands: Table) -> None:
        command = commands["commands"][name]
        super().__init__(
            name,
            help=command["help"],
            params=[_option(option) for option in options_of(command)],
        )
        self._commands = commands
        self._usage = usage(name, command).partition(f" {name} ")[2]
        self._places = {place for names in command["places"].values() for place in names}

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """See ``click.Command``: what may stand without an option's name is shown first."""
        _ = ctx
        return [self._usage]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See ``click.Command``: all but the help is left to ``act``."""
        if ctx.resilient_parsing or not {"--help", "-h"}.isdisjoint(args):
            ctx.ignore_unknown_options = ctx.allow_extra_args = True
            return super().parse_args(ctx, args)
        ctx.args = args
        return args

    def invoke(self, ctx: click.Context) -> Any:
        """See ``click.Command``."""
        assert self.name is not None
        sys.exit(act(self.name, ctx.args, self._commands))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """See ``click.Command``: the choices of what may stand without an option's name too."""
        found = super().shell_complete(ctx, incomplete)
        for parameter in self.params:
            if parameter.name in self._places and isinstance(parameter.type, click.Choice):
                found += parameter.type.shell_complete(ctx, parameter, incomplete)
        return found


def _option(option: Option) -> click.Option:
    on = [flag for flag in option["flags"] if not flag.startswith("--no-")]
    off = [flag for flag in option["flags"] if flag.startswith("--no-")]
    named = [f"{on[0]}/{off[0]}"] if off else on
    help_text = option["help"]
    if "default" in option:
        help_text = f"{help_text}  [default: {option['default']}]"
    if "bare" in option:
        help_text = f"{help_text}  [without a value: true]"
    return click.Option(
        [option["name"], *named],
        help=help_text,
        is_flag=option["kind"] in ("flag", "switch"),
        multiple=option["kind"] in ("texts", "values"),
        type=_type(option),
        metavar="JSON" if option["kind"] in ("json", "values") else None,
    )


def _type(option: Option) -> click.ParamType[Any] | None:
    match option["kind"]:
        case "choice":
            return click.Choice(option["choices"])
        case "integer":
            return click.INT
        case "number":
            return click.FLOAT
        case "text" if "path" in option or option["name"] == "file":
            return click.Path()
        case "flag" | "switch":
            return None
        case _:
            return click.STRING
