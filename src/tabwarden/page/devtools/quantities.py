"""Format quantities as text."""

from __future__ import annotations

from collections.abc import Callable


def ms_words(ms: float | None) -> str:
    if ms is None:
        return "unknown"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s"


def size_words(size: float) -> str:
    """Return a number of bytes as text, such as ``1.5 kB``."""
    if size < 1000:
        return f"{size:.0f} B"
    return f"{size / 1e3:.1f} kB" if size < 1e6 else f"{size / 1e6:.1f} MB"


def count_words(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def change_words(
    number: float, words: Callable[[float], str] = lambda number: f"{number:g}"
) -> str:
    """Return a change as text, with its sign."""
    return f"{'-' if number < 0 else '+'}{words(abs(number))}"
