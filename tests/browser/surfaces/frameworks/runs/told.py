"""What a run of an agent told: the same of each framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabwarden.tools import Tools

__all__ = ["Calls", "Replies", "Result", "Run", "Told"]

Calls = Sequence[tuple[str, dict[str, Any]]]
"""Of one reply: tool and arguments."""
Replies = Sequence[Calls]


@dataclass(frozen=True)
class Result:
    """What came of a call, as the framework keeps it."""

    text: str
    pictures: list[str] = field(default_factory=list)
    """Their media types."""


@dataclass
class Told:
    """What the model saw, turn by turn, and what is left when the run is over."""

    sent: list[str] = field(default_factory=list)
    """All of the conversation."""
    last: list[str] = field(default_factory=list)
    """The last thing in it."""
    offered: list[set[str]] = field(default_factory=list)
    """Tools' names."""
    results: list[Result] = field(default_factory=list)
    kept: str = ""
    """History, sessions, checkpoints."""


class Run(Protocol):
    """Run an agent whose model makes these calls, one reply a turn, and then is done."""

    def __call__(
        self, tools: Tools, replies: Replies, *, meanwhile: Callable[[], object] = ...
    ) -> Awaitable[Told]:
        """``meanwhile()`` is called while the model thinks."""
        ...
