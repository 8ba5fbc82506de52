"""Read a snapshot as a model does: by role and name, from the text alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from tabwarden.demo.surprise import Surprise

_LINE = re.compile(r'^\s*- (?P<role>[a-z]+) (?P<name>"(?:[^"\\]|\\.)*")(?: \[ref=(?P<ref>e\d+)\])?')


def find(outline: str, role: str, name: str) -> str:
    """Return the ref of the only element with this role and a name that starts with ``name``.

    Raises:
        Surprise: no element matches, or several do.
    """
    refs = [ref for _, ref in _named(outline, role, name) if ref]
    if len(refs) != 1:
        raise Surprise(
            f"{len(refs)} elements in the snapshot match {role} {name!r}, but exactly one should.",
            "Take a new snapshot, because the page may have changed.",
        )
    return refs[0]


def has_line(outline: str, role: str, name: str) -> bool:
    """Whether the snapshot has an element with this role and a name that starts with ``name``."""
    return any(True for _ in _named(outline, role, name))


def excerpt(outline: str, words: Sequence[str], *, after: int = 0) -> list[str]:
    """Return each line that contains one of ``words``, and the next ``after`` lines."""
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
    elements: list[tuple[str, str | None]] = []
    for line in outline.splitlines():
        parts = _LINE.match(line)
        if parts is None or parts["role"] != role:
            continue
        whole = json.loads(parts["name"])
        if whole.startswith(name):
            elements.append((whole, parts["ref"]))
    return elements
