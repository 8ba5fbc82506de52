"""Shared parts of the Click commands: error output, tables, common types and options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import update_wrapper
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.similar import get_close_matches
from tabwarden.surfaces.cli.output import harmless, show_cancelled, show_error
from tabwarden.surfaces.command_table.peers import our_line_for

F = TypeVar("F", bound=Callable[..., Any])

config_option = click.option(
    "--config", type=click.Path(path_type=Path), help="The configuration file."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print results and errors as JSON."
)
session_option = click.option(
    "--session", envvar="TABWARDEN_SESSION", default="default", show_default=True, help="Name."
)


def shows_errors(function: F) -> F:
    """Decorate a command so that it prints its errors as text or JSON and exits with a matching
    status.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TabwardenError as error:
            as_json = bool(kwargs.get("as_json"))
            sys.exit(show_error(error.to_dict(), as_json=as_json))
        except KeyboardInterrupt:
            sys.exit(show_cancelled())

    return update_wrapper(run, function)  # type: ignore[return-value]


class TimeoutMs(click.ParamType):  # type: ignore[type-arg]  # it takes none before click 8.4
    """A time limit for a call, in milliseconds."""

    name = "milliseconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number. Raise a usage error if it is invalid."""
        from tabwarden.budget import Budget

        try:
            return Budget(float(value)).timeout_ms
        except ValueError:
            self.fail(f"{value!r} is not a number of milliseconds.", param, ctx)
        except InvalidArgument as error:
            self.fail(error.message, param, ctx)


class Lists(click.Command):
    """A command that prints a list. It ignores the argument ``list``: ``browsers list`` is
    ``browsers``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args[1:] if args[:1] == ["list"] else args)


class Commands(click.Group):
    """A group of commands. The error for an unknown command names the closest command."""

    def aliases(self) -> Sequence[str]:
        """Return the commands' other names."""
        return ()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            near = get_close_matches(args[0], [*self.list_commands(ctx), *self.aliases()], n=1)
            ours = our_line_for(args) if ctx.parent is None else None
            hint = f"Did you mean {near[0]!r}? " if near else ""
            hint = f"Use this command: {ctx.command_path} {ours}. " if ours else hint
            _end(
                InvalidArgument(
                    f"{ctx.command_path} has no command {args[0]!r}.",
                    f"{hint}{ctx.command_path} --help lists all commands.",
                    field="command",
                ),
                args,
            )
        return super().resolve_command(ctx, args)


class ListedCommands(Lists, Commands):
    """A group of commands that prints a list if no command follows."""


def print_table(
    headings: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], *, unwrapped: str
) -> None:
    """Print a table on a terminal. Each row has a style and its cells.

    The column with the heading ``unwrapped`` must stay on one line.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None)
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading == unwrapped)
    for style, cells in rows:
        table.add_row(*(Text(harmless(cell)) for cell in cells), style=style)
    Console().print(table)


def ended(error: click.UsageError, words: Sequence[str]) -> NoReturn:
    """Exit with a usage error from Click. Print the error as JSON if ``words`` contains
    ``--json``.
    """
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()  # this error contains the help text
        sys.exit(error.exit_code)
    path = error.ctx.command_path if error.ctx is not None else "tabwarden"
    help_words = f"{path} --help lists all options."
    field = "arguments"
    if isinstance(error, click.NoSuchOption):
        field = error.option_name
        hint = f"{_nearest_option(error)}{help_words}"
        usage_error = InvalidArgument(f"{path} has no option {field}.", hint, field=field)
    else:
        if isinstance(error, click.BadParameter) and error.param is not None:
            field = error.param.name or field
        usage_error = InvalidArgument(error.format_message(), help_words, field=field)
    _end(usage_error, words)


def _end(error: InvalidArgument, words: Sequence[str]) -> NoReturn:
    sys.exit(show_error(error.to_dict(), as_json="--json" in words))


def _nearest_option(error: click.NoSuchOption) -> str:
    known = [
        flag
        for parameter in (error.ctx.command.get_params(error.ctx) if error.ctx else ())
        for flag in (*parameter.opts, *parameter.secondary_opts)
        if flag.startswith("-")
    ]
    from tabwarden.surfaces.command_table.peers import instead_of

    near = get_close_matches(error.option_name, known, n=1)
    hint = instead_of(error.option_name, known) or (f"Did you mean {near[0]}?" if near else "")
    return f"{hint} " if hint else ""
