"""Argument checks that several actions share. Each error names the field."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from numbers import Real
from pathlib import Path
from typing import Any

from tabwarden.errors import InvalidArgument


def target_of(ref: str | None, x: float | None, y: float | None) -> tuple[float, float] | None:
    """Return ``(x, y)``, or None for a ref. The caller must give a point or a ref, but not both."""
    if ref is not None and x is None and y is None:
        return None
    if ref is None and x is not None and y is not None:
        return (_in_view("x", x), _in_view("y", y))
    if ref is None and (x is not None or y is not None):
        missing = "y" if y is None else "x"
        raise InvalidArgument(
            f"A point needs both x and y: {missing} is missing.",
            "Give both x and y, or a ref.",
            field=missing,
        )
    raise InvalidArgument(
        "Give either ref, or both x and y.",
        "A ref comes from a snapshot; x and y are CSS pixels of the viewport.",
        field="ref",
    )


def coordinate(field: str, value: Any) -> float:
    """Check one coordinate of a point, inside or outside the viewport."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise InvalidArgument(
            f"{field} must be a number, not {repr(value)[:100]}.",
            "Give CSS pixels, counted from the top left corner of the viewport.",
            field=field,
        )
    return number


def _in_view(field: str, value: Any) -> float:
    number = coordinate(field, value)
    if number < 0:
        raise InvalidArgument(
            f"{field}={number:g} is outside the viewport.",
            "Coordinates start at the viewport's top left corner. Scroll first, or use a ref.",
            field=field,
        )
    return number


def within(field: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidArgument(
            f"{field} must be a whole number from {least} to {most}, not {value!r}.", field=field
        )


def between(field: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise InvalidArgument(
            f"{field} must be a number from {least:g} to {most:g}, not {value!r}.", field=field
        )


def one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidArgument(
            f"{field} must be one of {', '.join(allowed)}, not {value!r}.", field=field
        )


def texts(field: str, value: Any) -> list[str]:
    given = None if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    if given is None or not all(isinstance(one, str) for one in given):
        raise InvalidArgument(
            f"{field} must be a list of strings, not {repr(value)[:100]}.", field=field
        )
    return given


def local_path(field: str, value: Any) -> Path:
    try:
        path = os.fspath(value)
        if isinstance(path, str) and path and "\0" not in path:
            return Path(path).expanduser()
    except (TypeError, RuntimeError):  # not a path, or an unknown user's home
        pass
    raise InvalidArgument(
        f"{field} must be a path, not {repr(value)[:100]}.", "Give a string or a Path.", field=field
    )
