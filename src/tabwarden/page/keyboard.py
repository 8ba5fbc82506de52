"""The keyboard: text into an element, and single keys."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.element import element_of
from tabwarden.page.figures import is_another_number
from tabwarden.page.focusing import focus, named
from tabwarden.page.front import bring_to_front
from tabwarden.page.heal import healing, locate
from tabwarden.page.keys import Chord, Key, parse_chord, strokes
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
_MASKED = re.compile("^•+$")
_ALL = parse_chord("Ctrl+A")
_CAUGHT = "Its editor took the text and draws it elsewhere: look there for what it holds now."
_NEAREST = "It holds another number: the nearest that it takes."
_SHOWN = 1_000
"""Longer values are not compared with what was typed: they may be shown in part."""


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
    slowly: bool = False,
) -> Done:
    """Focus an element, insert text as an input method would, perhaps press Enter.

    The value is ``{"value": ...}``: what the field holds then, as far as it may be shown; with
    ``invalid`` what the browser has against it. ``slowly``, and what is longer than the field
    takes, is typed key by key: the page may move on to another field as it goes.
    """
    bring_to_front(task, race, tab)
    if ref is not None:
        found = await element_of(task, race, tab, ref)
        # Keys go over the session of the field's own frame: no other frame can get them, even
        # while the browser process has not yet heard where the focus went.
        session_id: str | None = (await locate(task, race, found)).session_id

        async def type_into(ref: Ref, world: ExecutionContext) -> _Typed:
            return await _type_into(task, race, world, ref, text, clear=clear, slowly=slowly)

        _, typed = await healing(task, race, found, type_into)
    else:
        session_id, typed = tab.session_id, _Typed({})
        if at is not None:
            await click(task, race, tab, at=at)
        if clear:
            await _send_keys(race, session_id, _ALL)
        await _enter(race, session_id, text, clear=clear, slowly=slowly)
    if not press_enter:
        return Done(typed.value, typed.note)
    await _send_keys(race, session_id, _ENTER)
    notes = [typed.note, typed.on_enter, await settle(task, race, tab)]
    return Done(typed.value, " ".join(filter(None, notes)))


async def press(task: Task, race: Race, tab: Tab, *, key: str, times: int = 1) -> Done:
    """Press a key or a chord some times, where the focus is."""
    chord = parse_chord(key)
    bring_to_front(task, race, tab)
    for _ in range(times):
        await _send_keys(race, tab.session_id, chord)
    return Done(note=await settle(task, race, tab))


class _Typed(NamedTuple):
    """What a field holds after typing, and what there is to tell of it."""

    value: dict[str, Any]
    note: str = ""
    on_enter: str = ""
    """What there is to tell when Enter is pressed then."""


async def _type_into(
    task: Task,
    race: Race,
    world: ExecutionContext,
    ref: Ref,
    text: str,
    *,
    clear: bool,
    slowly: bool,
) -> _Typed:
    try:
        focused = await focus(task, race, world, ref, select=clear, length=len(text))
        if focused["kind"] == "picked":
            picked = _picked(await call(race, world, "pick", ref.local_id, text), ref, text)
            is_another = is_another_number(text, str(picked["value"]))
            return _Typed(picked, _NEAREST if is_another else "")
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was focused") from gone
    slowly = slowly or focused["kind"] == "keyed"
    if clear and focused["isCatcher"]:
        await _send_keys(race, world.session_id, _ALL)
    await _enter(race, world.session_id, text, clear=clear, slowly=slowly)
    try:
        held = await call(race, world, "read", ref.local_id) or {}
    except WorldGone:  # the page went on by itself: what it held is gone with it
        return _Typed({})
    has_it, now = "", held.pop("elsewhere", None)
    if now is not None:
        has_it = named(task, world, ref.tab_id, now)
    if (into := focused.get("elsewhere")) is not None:
        went = named(task, world, ref.tab_id, into)
        note = f"The page moved the focus on: the text went to {went}."
    else:
        shown = str(held.get("value", ""))
        if focused["isCatcher"]:
            note = _CAUGHT
        elif has_it and slowly and _is_beginning(shown, text):
            note = "It holds the beginning: the page moved the focus on, and the rest with it."
        else:
            note = _changed(text, shown, slowly=slowly, is_all=focused["isAll"])
        if note and has_it:
            note += f" {has_it} has the focus now."
    return _Typed(held, note, f"Enter went to {has_it}." if has_it else "")


def _changed(text: str, held: str, *, slowly: bool, is_all: bool) -> str:
    """A note when a field does not hold what was typed; how it is written may differ.

    ``is_all``: nothing was there that it was added to.
    """
    if _MASKED.match(held) or len(held) >= _SHOWN:
        return ""
    if is_all and is_another_number(text, held):
        return "It holds another number: give it as the field writes it (decimal mark, sign)."
    if _bare(text) in _bare(held):
        return ""
    note = "It does not hold that: the page changed it, or moved the focus on."
    return note if slowly else f"{note} slowly=true types key by key."


def _is_beginning(held: str, text: str) -> bool:
    held, text = _bare(held), _bare(text)
    return held != text and bool(held) and text.startswith(held)


def _bare(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())


def _picked(picked: dict[str, Any] | None, ref: Ref, text: str) -> dict[str, Any]:
    """A date, a colour, a range: set as its picker would."""
    if picked is None:
        raise stale(ref, "it is no longer in the page")
    if not picked.pop("taken"):
        raise InvalidArgument(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not take {text[:100]!r}.",
            "Dates are YYYY-MM-DD, times HH:MM, months YYYY-MM, weeks YYYY-Www, colours #rrggbb; "
            "a range takes a number.",
            field="text",
        )
    return picked


async def _enter(
    race: Race, session_id: str | None, text: str, *, clear: bool, slowly: bool
) -> None:
    """Put text where the focus is, in one go or key by key."""
    if not text:
        if clear:
            await _send_keys(race, session_id, parse_chord("Delete"))
    elif not slowly:
        await race.call(input_.InsertText(text=text), session_id)
    else:
        if clear:
            await _send_keys(race, session_id, parse_chord("Delete"))
        for stroke in strokes(text):
            await _stroke(race, session_id, stroke)


async def _stroke(race: Race, session_id: str | None, stroke: Chord | str) -> None:
    """One key; or text that no key types, as an input method composes it."""
    if isinstance(stroke, Chord):
        await _send_keys(race, session_id, stroke)
        return
    end = len(stroke.encode("utf-16-le")) // 2
    composed = input_.ImeSetComposition(text=stroke, selection_start=end, selection_end=end)
    for sent in [race.start(composed, session_id),
                 race.start(input_.InsertText(text=stroke), session_id)]:  # fmt: skip
        await race.result(sent)


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
