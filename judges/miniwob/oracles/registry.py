"""Which oracle solves which task."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from judges.miniwob.verbs import Page

__all__ = ["ORACLES", "oracle", "quoted", "said"]

Oracle: TypeAlias = Callable[[Page], Awaitable[None]]

ORACLES: dict[str, Oracle] = {}


def oracle(*tasks: str) -> Callable[[Oracle], Oracle]:
    """Register a function for tasks of ``miniwob``'s list."""

    def add(function: Oracle) -> Oracle:
        for task in tasks:
            if task in ORACLES:
                raise ValueError(f"{task} has two oracles")
            ORACLES[task] = function
        return function

    return add


def quoted(goal: str) -> list[str]:
    """Return the texts in double quotes."""
    return re.findall(r'"(.*?)"', goal)


def said(pattern: str, goal: str) -> tuple[str, ...]:
    """The groups of a pattern in the goal."""
    found = re.search(pattern, goal)
    if found is None:
        raise LookupError(f"the goal is not as expected: {goal}")
    return tuple(group or "" for group in found.groups())
