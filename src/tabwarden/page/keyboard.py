"""The keyboard: text into an element, and single keys."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument, NotInteractable, TabwardenError
from tabwarden.page.element import element_of
from tabwarden.page.front import bring_to_front
from tabwarden.page.heal import Gone, healing, locate
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
    if ref is not None:
        found = await element_of(task, race, tab, ref)
        # Keys go over the session of the field's own frame: no other frame can get them, even
        # while the browser process has not yet heard where the focus went.
        session_id: str | None = (await locate(task, race, found)).session_id
        _, value = await healing(
            task,
            race,
            found,
            lambda ref, world: _type_into(race, world, ref, text=text, clear=clear),
        )
    else:
        session_id, value = tab.session_id, {}
        if at is not None:
            await click(task, race, tab, at=at)
        if clear:
            await _send_keys(race, session_id, parse_chord("Ctrl+A"))
        await _insert(race, session_id, text, clear=clear)
    if not press_enter:
        return Done(value)
    await _send_keys(race, session_id, _ENTER)
    return Done(value, await settle(task, race, tab))


async def press(task: Task, race: Race, tab: Tab, *, key: str, times: int = 1) -> Done:
    """Press a key or a chord some times, where the focus is."""
    chord = parse_chord(key)
    bring_to_front(task, race, tab)
    for _ in range(times):
        await _send_keys(race, tab.session_id, chord)
    return Done(note=await settle(task, race, tab))


async def _type_into(
    race: Race, world: ExecutionContext, ref: Ref, *, text: str, clear: bool
) -> dict[str, Any]:
    try:
        focused = await call(race, world, "focus", ref.local_id, {"select": clear})
        if focused["kind"] == "picked":
            return _picked(await call(race, world, "pick", ref.local_id, text), ref, text)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was focused") from gone
    if focused.get("reason") == "gone":
        raise Gone
    if focused["kind"] != "typed":
        raise _not_typable(ref, focused["reason"])
    await _insert(race, world.session_id, text, clear=clear)
    try:
        return await call(race, world, "read", ref.local_id) or {}
    except WorldGone:  # the page went on by itself: what it held is gone with it
        return {}


def _picked(picked: dict[str, Any] | None, ref: Ref, text: str) -> dict[str, Any]:
    """A date, a colour, a range: set as its picker would."""
    if picked is None:
        raise stale(ref, "it is no longer in the page")
    if not picked["taken"]:
        raise InvalidArgument(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not take {text[:100]!r}.",
            "Dates are YYYY-MM-DD, times HH:MM, months YYYY-MM, weeks YYYY-Www, colours #rrggbb.",
            field="text",
        )
    return {"value": picked["value"]}


def _not_typable(ref: Ref, reason: str) -> TabwardenError:
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) can't be typed into: {reason}.",
        "Use a ref of a text field.",
        ref=ref.ref,
        reason=reason,
    )


async def _insert(race: Race, session_id: str | None, text: str, *, clear: bool) -> None:
    if text:
        await race.call(input_.InsertText(text=text), session_id)
    elif clear:
        await _send_keys(race, session_id, parse_chord("Delete"))


async def _send_keys(race: Race, session_id: str | None, chord: Chord) -> None:
    key, modifiers = chord
    down = _event("keyDown" if key.text else "rawKeyDown", key, modifiers)
    up = _event("keyUp", key._replace(text=""), modifiers)
    for sent in [race.start(event, session_id) for event in (down, up)]:
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
