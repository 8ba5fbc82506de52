"""A trial of one ability: its pages, the actions of each tool's agent, and its judge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from judges.switching.stage import Stage

__all__ = ["Facts", "Outcome", "Trial", "Way"]

Way = Callable[[Stage], Awaitable[None]]
Facts = dict[str, bool]
"""An expectation as text, and whether it was met."""


@dataclass(frozen=True)
class Outcome:
    done: bool
    missing: str = ""
    """The first unmet expectation, or why the tool could not try."""
    calls: int = 0
    read: int = 0
    definitions: int = 0
    offered: bool = True
    seconds: float = 0.0


@dataclass
class Trial:
    name: str
    wants: str
    """The agent's goal in one sentence."""
    serve: Callable[[Stage], None]
    judge: Callable[[Stage], Facts]
    """Judges by the page, the server and the files, never by a tool's claims."""
    ways: dict[str, Way] = field(default_factory=dict)
    lacking: dict[str, str] = field(default_factory=dict)
    """The reasons why tools lack this ability."""

    def way(self, tool: str) -> Callable[[Way], Way]:
        """Add the actions of a tool's agent."""

        def add(way: Way) -> Way:
            self.ways[tool] = way
            return way

        return add
