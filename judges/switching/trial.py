"""A trial of one ability: its pages, what each tool's agent does there, and who judges it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from judges.switching.stage import Stage

__all__ = ["Facts", "Outcome", "Trial", "Way"]

Way = Callable[[Stage], Awaitable[None]]
Facts = dict[str, bool]
"""One expectation in words, and whether it came true."""


@dataclass(frozen=True)
class Outcome:
    done: bool
    missing: str = ""
    """What did not happen, or why the tool could not try."""
    calls: int = 0
    read: int = 0
    definitions: int = 0
    offered: bool = True
    seconds: float = 0.0


@dataclass
class Trial:
    name: str
    wants: str
    """What the agent wants, in a sentence."""
    serve: Callable[[Stage], None]
    judge: Callable[[Stage], Facts]
    """Looks at what the page, the server and the files say, never at what a tool claims."""
    ways: dict[str, Way] = field(default_factory=dict)
    lacking: dict[str, str] = field(default_factory=dict)
    """Of a tool without a way: why."""

    def way(self, tool: str) -> Callable[[Way], Way]:
        """Add what a tool's agent does."""

        def add(way: Way) -> Way:
            self.ways[tool] = way
            return way

        return add
