"""An oracle's eight verbs: the only operations that an episode's oracle can request from a tool."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from judges.miniwob.nodes import Node, NotShown, Outline, Point
from judges.miniwob.picture import Picture
from judges.miniwob.tools.tool import Goal, Refused, Target, Tool

__all__ = ["PAUSE_S", "Act", "Page", "Target"]


PAUSE_S = 0.25
"""Seconds between two looks while waiting for a change, less than a model's pauses."""


@dataclass
class Act:
    """One call, for the report."""

    verb: str
    target: Target | None
    started: float
    ended: float = 0.0
    characters: int = 0
    refused: str = ""


@dataclass
class Page:
    """The page of one episode. The verbs: ``look`` (``find`` looks at one text), ``click``,
    ``type``, ``press``, ``select``,
    ``hover``, ``drag``, ``scroll``. With ``look=True``, an acting verb also returns the outline
    afterwards.
    """

    tool: Tool
    goal: str
    acts: list[Act] = field(default_factory=list)
    used_points: bool = False
    said: str = ""
    """The tool's answer to the last acting verb."""

    async def look(self) -> Outline:
        """Read the page."""
        return Outline(self.tool.read(await self._call("look", None, self.tool.look)), self.goal)

    async def picture(self) -> Picture:
        """Look at the pixels instead of the text."""
        self.used_points = True
        act = Act("look", None, time.time())
        self.acts.append(act)
        pixels = Picture(await self.tool.picture())
        act.ended = time.time()
        return pixels

    async def look_until(
        self,
        shown: Callable[[Outline], object],
        tries: int = 12,
        *,
        seen: Outline | None = None,
    ) -> Outline:
        """Read the page again until it shows an expected change. ``seen`` is the last read.

        Raises:
            NotShown: the page did not change as expected.
        """
        if seen is not None and shown(seen):
            return seen
        for _ in range(tries):
            outline = await self.look()
            if shown(outline):
                return outline
            await asyncio.sleep(PAUSE_S)
        raise NotShown(f"after {tries} looks, the page still does not show the expected change")

    async def find(self, node: Node) -> Node:
        """Return the node with a ref, for which some tools require a search for its text.

        Raises:
            Refused: the tool has no search.
        """
        if node.ref:
            return node
        found: list[str] = []

        async def call() -> str:
            told, ref = await self.tool.find(node.label)
            found.append(ref)
            return told

        await self._call("look", None, call)
        return replace(node, ref=found[0])

    async def click(
        self, target: Target, *, count: int = 1, modifiers: tuple[str, ...] = (),
        look: bool = False,
    ) -> Outline:  # fmt: skip
        return await self._act(
            "click", target, lambda: self.tool.click(target, count, modifiers), look
        )

    async def type(
        self, target: Target, text: str, *, clear: bool = True, slowly: bool = False,
        look: bool = False,
    ) -> Outline:  # fmt: skip
        """Type into a field. ``clear`` replaces the field's text; ``slowly`` types key by key."""
        return await self._act(
            "type", target, lambda: self.tool.type(target, text, clear, slowly), look
        )

    async def press(self, key: str, *, times: int = 1, look: bool = False) -> Outline:
        """Press a key, such as ``Enter`` or ``Control+A``, where the focus is."""
        return await self._act("press", None, lambda: self.tool.press(key, times), look)

    async def select(self, target: Target, *labels: str, look: bool = False) -> Outline:
        """Choose options of a select or a list box by their labels."""
        return await self._act("select", target, lambda: self.tool.select(target, labels), look)

    async def hover(self, target: Target, *, look: bool = False) -> Outline:
        return await self._act("hover", target, lambda: self.tool.hover(target), look)

    async def drag(
        self, source: Target, target: Goal, *, along: Sequence[Point] = (), look: bool = False
    ) -> Outline:
        """Drag from a place to another, in a straight line or ``along`` other points."""
        self.used_points |= isinstance(target, Point)
        if along:
            assert isinstance(source, Point)
            assert isinstance(target, Point)
            way = (source, *along, target)
            return await self._act("drag", source, lambda: self.tool.draw(way), look)
        return await self._act("drag", source, lambda: self.tool.drag(source, target), look)

    async def scroll(self, target: Target | None, down: float, *, look: bool = False) -> Outline:
        """Turn the wheel over the target; a negative ``down`` scrolls up."""
        return await self._act("scroll", target, lambda: self.tool.scroll(target, down), look)

    async def _act(
        self, verb: str, target: Target | None, call: Callable[[], object], look: bool
    ) -> Outline:
        self.used_points |= isinstance(target, Point)
        if isinstance(target, Node) and not target.ref:
            raise NotShown(f"{target.role} {target.label!r} has no ref to {verb}")
        self.tool.looks_next = look
        self.said = await self._call(verb, target, call)
        if not look:
            return Outline(())
        if (shown := self.tool.shown(self.said)) is not None:
            return Outline(shown, self.goal)
        return await self.look()

    async def _call(self, verb, target, call) -> str:  # type: ignore[no-untyped-def]
        act = Act(verb, target, time.time())
        self.acts.append(act)
        try:
            text: str = await call()
        except Refused as refused:
            act.refused = text = str(refused)
            raise
        finally:
            act.ended = time.time()
            act.characters = len(text) if "text" in locals() else 0
        return text
