"""Slide: move a slider with keys. Some pages take a value only from keys or the mouse."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.page.elements import Gone
from tabwarden.page.input.typing.key_events import send_keys
from tabwarden.page.input.typing.keys import parse_chord
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext

_SLID_MS = 150
"""How long a slider may take to show what a key did."""
_MOST_KEYS = 1_000
_MOST_WORDS = 100
"""How many positions to look at for one that has a name instead of a number."""
_TRIES = 4
_KEYS = {
    True: [parse_chord("ArrowRight"), parse_chord("ArrowUp"), parse_chord("ArrowLeft")],
    False: [parse_chord("ArrowLeft"), parse_chord("ArrowDown"), parse_chord("ArrowRight")],
}
"""Keys that may raise or lower the value: horizontal, vertical, and from right to left."""


class Slider:
    """A slider that has the focus."""

    def __init__(self, call: Call, world: ExecutionContext, ref: Ref) -> None:
        self._call, self._world, self._ref = call, world, ref

    async def slide(self, text: str) -> dict[str, Any]:
        """Move it to a number, or to the position that shows a text. Return ``{"value"}``.

        Raises:
            Gone: the slider is no longer in the page.
            InvalidArgument: no position shows the text.
            NotInteractable: the slider does not answer keys.
        """
        now = await self._read()
        try:
            goal = float(text.replace(",", "."))
        except ValueError:
            return await self._to_words(text, now)
        now = await (self._beside(goal, now) if now["native"] else self._to_number(goal, now))
        return {"value": now["shown"]}

    async def _beside(self, goal: float, now: dict[str, Any]) -> dict[str, Any]:
        """Bring a native slider beside the goal, and press one key."""
        near = await self._ask("slideNear", f"{goal:.15g}")
        if near.get("isThere"):
            return now
        await self._press(await self._read(), rises=near["rises"])
        now = await self._read()
        if now["now"] != near["goal"]:  # the key moves it by another amount
            await self._ask("pick", f"{goal:.15g}")
            now = await self._read()
        return now

    async def _to_number(self, goal: float, now: dict[str, Any]) -> dict[str, Any]:
        if now["now"] is None:
            raise self._deaf()
        goal = max(goal, now["min"] if now["min"] is not None else goal)
        goal = min(goal, now["max"] if now["max"] is not None else goal)
        for _ in range(_TRIES):
            away = goal - now["now"]
            if not away:
                break
            before = now
            key, now = await self._press(before, rises=away > 0)
            step = abs(now["now"] - before["now"])
            more = min(round(abs(goal - now["now"]) / step), _MOST_KEYS)
            if (goal - now["now"]) * away <= 0 or not more:
                if abs(goal - before["now"]) < abs(goal - now["now"]):
                    _, now = await self._press(now, rises=away < 0)
                break
            await send_keys(self._call.race, self._world.session_id, key, more)
            now = await self._ask("slider", now, _SLID_MS)
        return now

    async def _to_words(self, text: str, now: dict[str, Any]) -> dict[str, Any]:
        """Look at each position, from the first one on."""
        session_id, wanted = self._world.session_id, text.strip().casefold()
        await send_keys(self._call.race, session_id, parse_chord("Home"))
        now = await self._ask("slider", now, _SLID_MS)
        seen = [now["shown"]]
        while now["shown"].casefold() != wanted and len(seen) < _MOST_WORDS:
            try:
                _, now = await self._press(now, rises=True)
            except NotInteractable:  # the last position
                break
            seen.append(now["shown"])
        if now["shown"].casefold() == wanted:
            return {"value": now["shown"]}
        raise InvalidArgument(
            f"{self._ref.ref} ({self._ref.role} {self._ref.name[:200]!r}) has no position "
            f"{text[:100]!r}.",
            f"It has: {', '.join(repr(one[:60]) for one in seen[:30])}.",
            field="text",
        )

    async def _press(self, now: dict[str, Any], *, rises: bool) -> Any:
        """Press a key that moves it. Return the key, and the slider after it."""
        keys = _KEYS[rises]
        for key in keys[1::-1] + keys[2:] if now["vertical"] else keys:
            await send_keys(self._call.race, self._world.session_id, key)
            moved = await self._ask("slider", now, _SLID_MS)
            if (moved["now"], moved["shown"]) != (now["now"], now["shown"]):
                return key, moved
        raise self._deaf()

    def _deaf(self) -> NotInteractable:
        return NotInteractable(
            f"{self._ref.ref} ({self._ref.role} {self._ref.name[:200]!r}) does not move by keys.",
            "Drag it with the mouse.",
            ref=self._ref.ref,
        )

    async def _read(self) -> dict[str, Any]:
        return await self._ask("slider", None, 0)

    async def _ask(self, function: str, *arguments: Any) -> dict[str, Any]:
        ref = self._ref.local_id
        found: dict[str, Any] | None = await call_walker(
            self._call.race, self._world, function, ref, *arguments
        )
        if found is None:
            raise Gone
        return found
