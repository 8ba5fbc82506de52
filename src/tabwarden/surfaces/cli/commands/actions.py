"""The actions as Click commands. Click provides help and completion; the module ``act`` runs the
actions.
"""

from __future__ import annotations

import sys
from typing import Any

import click
from click.shell_completion import CompletionItem

from tabwarden.surfaces.cli.act import act
from tabwarden.surfaces.command_table.arguments import MANY, options_of, usage
from tabwarden.surfaces.command_table.types import CommandOption, Table


class ActionCommand(click.Command):
    """The action command ``name``."""

    def __init__(self, name: str, commands: Table) -> None:
        command = commands["commands"][name]
        super().__init__(
            name, help=command["help"], params=[_option(option) for option in options_of(command)]
        )
        self._commands = commands
        self._usage = usage(name, command).partition(f" {name} ")[2]
        self._places = {place for names in command["places"].values() for place in names}

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """See ``click.Command``. Positional parameters come first."""
        _ = ctx
        return [self._usage]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See ``click.Command``. Handles only help and completion; ``act`` parses the rest."""
        if ctx.resilient_parsing or not {"--help", "-h"}.isdisjoint(args):
            ctx.ignore_unknown_options = ctx.allow_extra_args = True
            return super().parse_args(ctx, args)
        ctx.args = args
        return args

    def invoke(self, ctx: click.Context) -> Any:
        assert self.name is not None
        sys.exit(act(self.name, ctx.args, self._commands))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """See ``click.Command``. Also completes the choices of positional parameters."""
        found = super().shell_complete(ctx, incomplete)
        for parameter in self.params:
            if parameter.name in self._places and isinstance(parameter.type, click.Choice):
                found += parameter.type.shell_complete(ctx, parameter, incomplete)
        return found


def _option(option: CommandOption) -> click.Option:
    names, settings = declared(option)
    return click.Option(names, **settings)


def declared(option: CommandOption) -> tuple[list[str], dict[str, Any]]:
    """Return the arguments with which Click declares an option: its names, and the other arguments
    of ``click.Option``.
    """
    flags = option["flags"]
    named = ["/".join(flags)] if option["kind"] == "switch" else flags
    help_text = option["help"]
    if "default" in option:
        help_text = f"{help_text}  [default: {option['default']}]"
    if "bare" in option:
        help_text = f"{help_text}  [without a value: true]"
    return [option["name"], *named], {
        "help": help_text,
        "default": None,
        "is_flag": option["kind"] in ("flag", "switch"),
        "multiple": option["kind"] in MANY,
        "type": _type(option),
        "metavar": "JSON" if option["kind"] in ("json", "values") else None,
    }


def _type(option: CommandOption) -> click.ParamType[Any] | None:
    match option["kind"]:
        case "choice":
            return click.Choice(option["choices"])
        case "integer":
            return click.INT
        case "number":
            return click.FLOAT
        case "text" | "texts" if {"path", "reads", "writes"}.intersection(option):
            return click.Path()
        case "text" if option["name"] == "file":
            return click.Path()
        case "flag" | "switch":
            return None
        case _:
            return click.STRING
