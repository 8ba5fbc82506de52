"""Checks of arguments that several actions share; each error names the field."""

from __future__ import annotations

from tabwarden.errors import InvalidArgument

__all__ = ["between", "one_of", "target_of", "within"]


def target_of(ref: str | None, x: float | None, y: float | None) -> tuple[float, float] | None:
    """``(x, y)``, or None for a ref; exactly one of the two must be given."""
    if ref is not None and x is None and y is None:
        return None
    if ref is None and x is not None and y is not None:
        return (float(x), float(y))
    if ref is None and (x is not None or y is not None):
        missing = "y" if y is None else "x"
        raise InvalidArgument(
            f"A point needs {missing} too.", "Give both x and y, or a ref.", field=missing
        )
    raise InvalidArgument(
        "Give either ref, or both x and y.",
        "A ref comes from a snapshot; x and y are CSS pixels of the viewport.",
        field="ref",
    )


def within(field: str, value: int, least: int, most: int) -> None:
    """Check a whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidArgument(
            f"{field} must be a whole number from {least} to {most}, not {value!r}.", field=field
        )


def between(field: str, value: float, least: float, most: float) -> None:
    """Check a number, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise InvalidArgument(
            f"{field} must be a number from {least:g} to {most:g}, not {value!r}.", field=field
        )


def one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    """Check a choice."""
    if value not in allowed:
        raise InvalidArgument(
            f"{field} must be one of {', '.join(allowed)}, not {value!r}.", field=field
        )
