"""Entered: put text into a focused field, and read the field once the page has drawn it."""

from __future__ import annotations

from typing import Any

from tabwarden.page.input.typing.key_events import enter, send_keys
from tabwarden.page.input.typing.keys import parse_chord
from tabwarden.page.input.typing.notes import is_left, note_of
from tabwarden.page.input.typing.timing import DRAWN_MS
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext

_ALL = parse_chord("Ctrl+A")
_DELETE = parse_chord("Delete")


async def entered(
    call: Call,
    world: ExecutionContext,
    ref: Ref,
    focused: dict[str, Any],
    text: str,
    *,
    clear: bool | None,
    slowly: bool,
) -> dict[str, Any]:
    """Enter text in the field that ``focus`` has focused, and return what the walker reads then.

    Args:
        clear: whether the text replaces the content. None: unless the editor draws its own text.

    Raises:
        WorldGone: the page navigated, so the field is gone.
    """
    is_catcher = focused["isCatcher"]
    replaces = clear is not False
    if clear is None and (is_catcher or focused["isEmpty"]):
        replaces = False
    if replaces and is_catcher:
        await send_keys(call.race, world.session_id, _ALL)
    if replaces and focused["isRich"] and (slowly or not text):
        await _delete(call, world, ref, focused)
        replaces = False
    is_rich = focused["isRich"]
    await enter(call.race, world.session_id, text, clear=replaces, slowly=slowly, is_rich=is_rich)
    held: dict[str, Any] = await call_walker(call.race, world, "read", ref.local_id) or {}
    while not is_catcher and note_of(focused, value_in(held), text, slowly=slowly):
        later = await call_walker(call.race, world, "readLater", ref.local_id, DRAWN_MS) or {}
        if later.get("value") == held.get("value"):
            break  # the page does not draw it later either
        held = later
    return held


def value_in(held: dict[str, Any]) -> str:
    return str(held.get("value", ""))


async def _delete(call: Call, world: ExecutionContext, ref: Ref, focused: dict[str, Any]) -> None:
    """Delete the selected text. An editor with a selection of its own may not know this one yet:
    then select all with keys, as a person does."""
    await send_keys(call.race, world.session_id, _DELETE)
    held: dict[str, Any] = await call_walker(call.race, world, "read", ref.local_id) or {}
    if is_left(focused, value_in(held)):
        held = await call_walker(call.race, world, "readLater", ref.local_id, DRAWN_MS) or {}
    if is_left(focused, value_in(held)):
        await send_keys(call.race, world.session_id, _ALL)
        await send_keys(call.race, world.session_id, _DELETE)
