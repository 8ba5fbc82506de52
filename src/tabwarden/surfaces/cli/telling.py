"""Telling: errors as all commands tell them, with an exit status, and what an option takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar

import click

from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.surfaces.cli.acting import show_error
from tabwarden.surfaces.cli.exits import EXIT_CODES

__all__ = ["TimeoutMs", "told"]

F = TypeVar("F", bound=Callable[..., Any])


def told(function: F) -> F:
    """Turn errors into words on stderr, or JSON on stdout, and an exit status."""

    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TabwardenError as error:
            as_json = bool(kwargs.get("as_json"))
            sys.exit(show_error(error.to_dict(), as_json=as_json))
        except KeyboardInterrupt:
            click.echo("cancelled", err=True)
            sys.exit(EXIT_CODES["cancelled"])

    return update_wrapper(run, function)  # type: ignore[return-value]


class TimeoutMs(click.ParamType[float]):
    """Milliseconds that a call may take."""

    name = "milliseconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; a usage error when it is none."""
        from tabwarden.budget import Budget

        try:
            return Budget(float(value)).timeout_ms
        except ValueError:
            self.fail(f"{value!r} is no number of milliseconds.", param, ctx)
        except InvalidArgument as error:
            self.fail(error.message, param, ctx)
