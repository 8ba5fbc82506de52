"""The keyboard: text into an element, and single keys."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import NotInteractable
from tabwarden.page.aim import locate
from tabwarden.page.front import bring_to_front
from tabwarden.page.keys import Chord, Key, parse_chord
from tabwarden.page.mouse import click
from tabwarden.page.refs import Ref, stale
from tabwarden.page.result import Done
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.protocol import input as input_
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["press", "type_text"]

_ENTER = parse_chord("Enter")


async def type_text(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    text: str,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
    clear: bool = False,
    press_enter: bool = False,
) -> Done:
    """Focus an element, insert text as an input method would, perhaps press Enter.

    The value is ``{"value": ...}``: what the field holds then, as far as it may be shown.
    """
    bring_to_front(task, race, tab)
    value: dict[str, Any] = {}
    if ref is not None:
        found = task.refs.find(ref)
        world = await _focus(task, race, found, clear=clear)
        await _insert(race, tab, text, clear=clear)
        value = await _read(race, world, found)
    else:
        if at is not None:
            await click(task, race, tab, at=at)
        if clear:
            await _send_keys(race, tab, parse_chord("Ctrl+A"))
        await _insert(race, tab, text, clear=clear)
    if not press_enter:
        return Done(value)
    await _send_keys(race, tab, _ENTER)
    return Done(value, await settle(task, race, tab))


async def press(task: Task, race: Race, tab: Tab, *, key: str, times: int = 1) -> Done:
    """Press a key or a chord some times, where the focus is."""
    chord = parse_chord(key)
    bring_to_front(task, race, tab)
    for _ in range(times):
        await _send_keys(race, tab, chord)
    return Done(note=await settle(task, race, tab))


async def _focus(task: Task, race: Race, ref: Ref, *, clear: bool) -> ExecutionContext:
    world = await locate(task, race, ref)
    try:
        done = await call(race, world, "focus", ref.local_id, {"select": clear})
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was focused") from gone
    if done["ok"] and done["editable"]:
        return world
    if done.get("reason") == "gone":
        raise stale(ref, "it is no longer in the page")
    why = done.get("reason") or "it takes no text"
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) can't be typed into: {why}.",
        "Use a ref of a text field.",
        ref=ref.ref,
        reason=why,
    )


async def _insert(race: Race, tab: Tab, text: str, *, clear: bool) -> None:
    if text:
        await race.call(input_.InsertText(text=text), tab.session_id)
    elif clear:
        await _send_keys(race, tab, parse_chord("Delete"))


async def _read(race: Race, world: ExecutionContext, ref: Ref) -> dict[str, Any]:
    """What the field holds; nothing when the page re-rendered it meanwhile."""
    try:
        read = await call(race, world, "read", ref.local_id)
    except WorldGone:
        return {}
    return {"value": read["value"]} if read and "value" in read else {}


async def _send_keys(race: Race, tab: Tab, chord: Chord) -> None:
    key, modifiers = chord
    down = _event("keyDown" if key.text else "rawKeyDown", key, modifiers)
    up = _event("keyUp", key._replace(text=""), modifiers)
    for sent in [race.start(event, tab.session_id) for event in (down, up)]:
        await race.result(sent)


def _event(kind: str, key: Key, modifiers: int) -> input_.DispatchKeyEvent:
    commands = ["selectAll"] if (key.code, modifiers) == ("KeyA", 2) and kind != "keyUp" else []
    return input_.DispatchKeyEvent(
        type=kind,  # type: ignore[arg-type]
        modifiers=modifiers,
        key=key.key,
        code=key.code,
        windows_virtual_key_code=key.key_code,
        text=key.text,
        unmodified_text=key.text,
        location=key.location,
        commands=commands,
    )
