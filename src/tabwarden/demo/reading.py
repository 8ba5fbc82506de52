"""Reading a snapshot as a model would: by role and name, from the text alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from tabwarden.demo.surprise import Surprise

__all__ = ["excerpt", "find", "has_line"]

_LINE = re.compile(r'^\s*- (?P<role>[a-z]+) (?P<name>"(?:[^"\\]|\\.)*")(?: \[ref=(?P<ref>e\d+)\])?')


def find(outline: str, role: str, name: str) -> str:
    """The ref of the one element with this role whose name begins so.

    Raises:
        Surprise: there is none, or more than one.
    """
    refs = [ref for found, ref in _named(outline, role, name) if ref]
    if len(refs) != 1:
        raise Surprise(
            f"The snapshot has {len(refs)} elements {role} {name!r}, not one.",
            "Read the snapshot again: the page may have been drawn anew.",
        )
    return refs[0]


def has_line(outline: str, role: str, name: str) -> bool:
    """Whether the snapshot has an element with this role whose name begins so."""
    return any(True for _ in _named(outline, role, name))


def excerpt(outline: str, words: Sequence[str], *, after: int = 0) -> list[str]:
    """The lines that hold one of the words, with some after each; ``...`` for what is left out."""
    lines = outline.splitlines()
    wanted = {
        shown
        for at, line in enumerate(lines)
        if any(word in line for word in words)
        for shown in range(at, min(len(lines), at + after + 1))
    }
    kept: list[str] = []
    last = -1
    for at in sorted(wanted):
        if at != last + 1:
            kept.append("...")
        kept.append(lines[at])
        last = at
    return kept if last == len(lines) - 1 else [*kept, "..."]


def _named(outline: str, role: str, name: str) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for line in outline.splitlines():
        parts = _LINE.match(line)
        if parts is None or parts["role"] != role:
            continue
        whole = json.loads(parts["name"])
        if whole.startswith(name):
            found.append((whole, parts["ref"]))
    return found
