"""Misuse: what click finds wrong with a command line, told as every other error is."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

import click

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.acting import show_error

__all__ = ["Commands", "ended"]


class Commands(click.Group):
    """Commands under a name; of an unknown one the nearest is named."""

    def aliases(self) -> Sequence[str]:
        """Other names that commands have."""
        return ()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See ``click.Group``."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            near = get_close_matches(args[0], [*self.list_commands(ctx), *self.aliases()], n=1)
            hint = f"Did you mean {near[0]!r}? " if near else ""
            where = "" if ctx.parent is None else f" of {ctx.command_path}"
            _end(
                InvalidArgument(
                    f"There is no command {args[0]!r}{where}.",
                    f"{hint}All of them: {ctx.command_path} --help.",
                    field="command",
                ),
                args,
            )
        return super().resolve_command(ctx, args)


def ended(error: click.UsageError, words: Sequence[str]) -> NoReturn:
    """End the program with what click found wrong.

    Args:
        error: what it was. words: the command line, which may ask for JSON.
    """
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()  # it is the help
        sys.exit(error.exit_code)
    path = error.ctx.command_path if error.ctx is not None else "tabwarden"
    help_words = f"All of it: {path} --help."
    field = "arguments"
    if isinstance(error, click.NoSuchOption):
        field = error.option_name
        hint = f"{_nearest_option(error)}{help_words}"
        told = InvalidArgument(f"{path} has no option {field}.", hint, field=field)
    else:
        if isinstance(error, click.BadParameter) and error.param is not None:
            field = error.param.name or field
        told = InvalidArgument(error.format_message(), help_words, field=field)
    _end(told, words)


def _end(error: InvalidArgument, words: Sequence[str]) -> NoReturn:
    """End the program with an error."""
    sys.exit(show_error(error.to_dict(), as_json="--json" in words))


def _nearest_option(error: click.NoSuchOption) -> str:
    known = [
        flag
        for parameter in (error.ctx.command.get_params(error.ctx) if error.ctx else ())
        for flag in (*parameter.opts, *parameter.secondary_opts)
        if flag.startswith("-")
    ]
    near = get_close_matches(error.option_name, known, n=1)
    return f"Did you mean {near[0]}? " if near else ""
