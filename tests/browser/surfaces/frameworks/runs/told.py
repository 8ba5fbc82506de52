"""The report of an agent's run, in one format for all frameworks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabwarden.tools import Tools

__all__ = ["Calls", "Replies", "Result", "Run", "Told"]

Calls = Sequence[tuple[str, dict[str, Any]]]
"""One reply's calls: tool and arguments."""
Replies = Sequence[Calls]


@dataclass(frozen=True)
class Result:
    """A call's result, as the framework stores it."""

    text: str
    pictures: list[str] = field(default_factory=list)
    """Their media types."""


@dataclass
class Told:
    """The model's input, turn by turn, and the data that remains after the run."""

    sent: list[str] = field(default_factory=list)
    """The whole conversation."""
    last: list[str] = field(default_factory=list)
    """The last message in it."""
    offered: list[set[str]] = field(default_factory=list)
    """Tool names."""
    results: list[Result] = field(default_factory=list)
    kept: str = ""
    """History, sessions, checkpoints."""


class Run(Protocol):
    """Run an agent whose model makes these calls, one reply per turn, and then stops."""

    def __call__(
        self, tools: Tools, replies: Replies, *, meanwhile: Callable[[], object] = ...
    ) -> Awaitable[Told]:
        """``meanwhile()`` is called while the model thinks."""
        ...
