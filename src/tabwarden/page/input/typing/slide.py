"""Move a slider with keys. Some pages accept a value only from keys or the mouse."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.page.elements import ElementGone
from tabwarden.page.input.typing.key_events import send_keys
from tabwarden.page.input.typing.keys import parse_chord
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext

_SLID_MS = 150
"""How long a slider may take to show the effect of a key press."""
_MOST_KEYS = 1_000
_MOST_POSITIONS = 100
"""The maximum number of positions to try when searching for a position by its text."""
_TRIES = 4
_KEYS = {
    True: [parse_chord("ArrowRight"), parse_chord("ArrowUp"), parse_chord("ArrowLeft")],
    False: [parse_chord("ArrowLeft"), parse_chord("ArrowDown"), parse_chord("ArrowRight")],
}
"""Keys that raise or lower the value, for horizontal, vertical and right-to-left sliders."""


class Slider:
    """A slider that has the focus."""

    def __init__(self, call: Call, world: ExecutionContext, ref: Ref) -> None:
        self._call, self._world, self._ref = call, world, ref

    async def slide(self, text: str) -> dict[str, Any]:
        """Move the slider to a number, or to the position that shows the text. Return
        ``{"value"}``.

        Raises:
            ElementGone: the slider is no longer in the page.
            InvalidArgument: no position shows the text.
            NotInteractable: the slider does not respond to keys.
        """
        state = await self._read()
        try:
            goal = float(text.replace(",", "."))
        except ValueError:
            return await self._move_to_text(text, state)
        state = await (
            self._move_native(goal, state) if state["native"] else self._move_to_number(goal, state)
        )
        return {"value": state["shown"]}

    async def _move_native(self, goal: float, state: dict[str, Any]) -> dict[str, Any]:
        """Set a native slider to one step beside the goal, and press one key for the last step, so
        that the page gets key events."""
        near = await self._ask("slideNear", f"{goal:.15g}")
        if near.get("isThere"):
            return state
        await self._press(await self._read(), rises=near["rises"])
        state = await self._read()
        if state["now"] != near["goal"]:  # the key press moved the slider by another amount
            await self._ask("pick", f"{goal:.15g}")
            state = await self._read()
        return state

    async def _move_to_number(self, goal: float, state: dict[str, Any]) -> dict[str, Any]:
        if state["now"] is None:
            raise self._no_keys_error()
        goal = max(goal, state["min"] if state["min"] is not None else goal)
        goal = min(goal, state["max"] if state["max"] is not None else goal)
        for _ in range(_TRIES):
            distance = goal - state["now"]
            if not distance:
                break
            last = state
            key, state = await self._press(last, rises=distance > 0)
            step = abs(state["now"] - last["now"])
            more = min(round(abs(goal - state["now"]) / step), _MOST_KEYS)
            if (goal - state["now"]) * distance <= 0 or not more:
                if abs(goal - last["now"]) < abs(goal - state["now"]):
                    _, state = await self._press(state, rises=distance < 0)
                break
            await send_keys(self._call.race, self._world.session_id, key, more)
            state = await self._ask("slider", state, _SLID_MS)
        return state

    async def _move_to_text(self, text: str, state: dict[str, Any]) -> dict[str, Any]:
        """Try each position, starting with the first."""
        session_id, target_text = self._world.session_id, text.strip().casefold()
        await send_keys(self._call.race, session_id, parse_chord("Home"))
        state = await self._ask("slider", state, _SLID_MS)
        texts = [state["shown"]]
        while state["shown"].casefold() != target_text and len(texts) < _MOST_POSITIONS:
            try:
                _, state = await self._press(state, rises=True)
            except NotInteractable:  # this was the last position
                break
            texts.append(state["shown"])
        if state["shown"].casefold() == target_text:
            return {"value": state["shown"]}
        raise InvalidArgument(
            f"{self._ref.ref} ({self._ref.role} {self._ref.name[:200]!r}) has no position with "
            f"the text {text[:100]!r}.",
            f"Its positions: {', '.join(repr(one[:60]) for one in texts[:30])}.",
            field="text",
        )

    async def _press(self, state: dict[str, Any], *, rises: bool) -> Any:
        """Press a key that moves the slider. Return the key and the slider's new state."""
        keys = _KEYS[rises]
        for key in keys[1::-1] + keys[2:] if state["vertical"] else keys:
            await send_keys(self._call.race, self._world.session_id, key)
            later = await self._ask("slider", state, _SLID_MS)
            if (later["now"], later["shown"]) != (state["now"], state["shown"]):
                return key, later
        raise self._no_keys_error()

    def _no_keys_error(self) -> NotInteractable:
        return NotInteractable(
            f"{self._ref.ref} ({self._ref.role} {self._ref.name[:200]!r}) ignores the arrow keys.",
            "Drag it with the mouse.",
            ref=self._ref.ref,
        )

    async def _read(self) -> dict[str, Any]:
        return await self._ask("slider", None, 0)

    async def _ask(self, function: str, *arguments: Any) -> dict[str, Any]:
        ref = self._ref.local_id
        state: dict[str, Any] | None = await call_walker(
            self._call.race, self._world, function, ref, *arguments
        )
        if state is None:
            raise ElementGone
        return state
