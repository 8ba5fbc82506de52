"""Writes figures into a page of the documentation, with their commit, date and machine."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from bench.machine import commit, machine

__all__ = ["around", "origin", "put"]


def origin(
    of: str | None = None, day: str | None = None, on: Mapping[str, str] | None = None
) -> str:
    """Return the line about the origin of a page's figures. ``tools/check_figures.py`` reads its
    commit.

    Args:
        of: the commit that was measured; by default this checkout's.
        day: when; by default today.
        on: the machine; by default this one.
    """
    day = day or f"{datetime.now(UTC):%Y-%m-%d}"
    return f"Figures of commit {of or commit()}, {day}: {', '.join((on or machine()).values())}."


def put(
    page: Path, mark: str, figures: str, *, end: str | None = None, said: str | None = None
) -> None:
    """Write figures into a page, after a mark.

    Args:
        page: the page.
        mark: the line before the figures.
        figures: Markdown.
        end: the line after the figures; by default, the figures are at the end of the page.
        said: the figures' origin, from ``origin``; by default this machine and today.

    Raises:
        OSError: the page can't be read or written.
        ValueError: the page lacks the mark or the end.
    """
    before, after = around(page, mark, end)
    page.write_text(f"{before}{mark}\n\n{said or origin()}\n\n{figures}{after}", "utf-8")


def around(page: Path, mark: str, end: str | None = None) -> tuple[str, str]:
    """Return the page's text before and after the figures. Raises the same errors as ``put``."""
    before, found, rest = page.read_text("utf-8").partition(mark)
    if not found:
        raise ValueError(f"{page} has no line {mark}")
    if end is None:
        return before, ""
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{page} has no line {end}")
    return before, f"\n{end}{after}"
