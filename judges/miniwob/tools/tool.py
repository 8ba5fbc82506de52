"""The interface of tools for episodes: it opens a page, and has eight verbs that return text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from judges.miniwob.nodes import Beside, Node, Point

__all__ = ["Goal", "Refused", "Target", "Tool", "Unable", "ref_of"]

Target: TypeAlias = Node | Point
Goal: TypeAlias = Target | Beside
"""Where a drag may end."""


class Refused(RuntimeError):
    """The tool answered with an error; its text is what a model would read."""


class Unable(Refused):
    """The tool has no such action."""


def ref_of(target: Goal) -> str:
    """Return the ref of a target, for a tool that takes no points.

    Raises:
        Unable: the target is a point.
    """
    if not isinstance(target, Node):
        raise Unable("it has no such tool for a point")
    return target.ref


class Tool(Protocol):
    """Each verb returns the text that a model reads."""

    looks_next: bool
    """Announce that the oracle will look after the next action, so that a tool can combine both
    calls."""

    async def open(self, url: str) -> str: ...

    async def look(self) -> str: ...

    async def picture(self) -> bytes:
        """Return the viewport as PNG."""

    def read(self, text: str) -> list[Node]:
        """Return the text of ``look`` in the common format."""

    def shown(self, text: str) -> list[Node] | None:
        """Return the page from an action's answer, if the answer contains the whole page."""

    async def find(self, text: str) -> tuple[str, str]:
        """Search for text. Return the answer and the ref in it.

        Raises:
            Unable: the tool has no search.
        """

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str: ...

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str: ...

    async def press(self, key: str, times: int) -> str: ...

    async def select(self, target: Target, labels: Sequence[str]) -> str: ...

    async def hover(self, target: Target) -> str: ...

    async def drag(self, source: Target, target: Goal) -> str: ...

    async def draw(self, points: Sequence[Point]) -> str:
        """Drag from the first point along the others to the last."""

    async def scroll(self, target: Target | None, down: float) -> str: ...
