"""The keyboard: type text into an element, and press single keys."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import bring_to_front, settle
from tabwarden.page.elements import element_of, healing, locate
from tabwarden.page.input.figures import is_another_number
from tabwarden.page.input.focusing import focus, named
from tabwarden.page.input.keys import MODIFIERS, Chord, Key, modifier_keys, parse_chord, strokes
from tabwarden.page.input.mouse import click
from tabwarden.page.task import ActionSpec, Call, Done, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import input as input_
from tabwarden.supervisor import ExecutionContext, Race

PRESS = ActionSpec(name="press", uses_input=True)

TYPE = ActionSpec(name="type", uses_input=True)

_ENTER = parse_chord("Enter")
_MASKED = re.compile("^•+$")
_ALL = parse_chord("Ctrl+A")
_CAUGHT = "The page's editor took the text and shows it in another element: check there."
_NEAREST = "The field now has the closest number that it accepts."
_SHOWN = 1_000
"""A longer value is not compared with the typed text, because the field may show only a part."""


async def type_text(
    call: Call,
    *,
    text: str,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
    clear: bool = False,
    press_enter: bool = False,
    slowly: bool = False,
) -> Done:
    """Focus an element, insert text as an input method would, and press Enter if requested.

    The value is ``{"value": ...}``: the field's new content, unless it is secret. ``invalid`` is
    the browser's validation message. ``slowly`` types key by key, so the page may move the focus to
    another field midway. Text that is longer than the field allows is also typed key by key.
    """
    bring_to_front(call)
    if ref is not None:
        found = await element_of(call, ref)
        # Send keys to the session of the field's frame, so that no other frame can get them even if
        # the browser process does not know about the new focus yet.
        session_id: str | None = (await locate(call, found)).session_id

        async def type_into(ref: Ref, world: ExecutionContext) -> _Typed:
            return await _type_into(call, world, ref, text, clear=clear, slowly=slowly)

        _, typed = await healing(call, found, type_into)
    else:
        session_id, typed = call.tab.session_id, _Typed({})
        if at is not None:
            await click(call, at=at)
        if clear:
            await _send_keys(call.race, session_id, _ALL)
        await _enter(call.race, session_id, text, clear=clear, slowly=slowly)
    if not press_enter:
        return Done(typed.value, typed.note)
    await _send_keys(call.race, session_id, _ENTER)
    notes = [typed.note, typed.on_enter, await settle(call)]
    return Done(typed.value, " ".join(filter(None, notes)))


async def press(call: Call, *, key: str, times: int = 1) -> Done:
    """Press a key or a chord ``times`` times in the focused element."""
    chord = parse_chord(key)
    bring_to_front(call)
    for _ in range(times):
        await _send_chord(call.race, call.tab.session_id, chord)
    return Done(note=await settle(call))


class _Typed(NamedTuple):
    value: dict[str, Any]
    note: str = ""
    on_enter: str = ""
    """A note to add if Enter is pressed next."""


async def _type_into(
    call: Call,
    world: ExecutionContext,
    ref: Ref,
    text: str,
    *,
    clear: bool,
    slowly: bool,
) -> _Typed:
    try:
        focused = await focus(call, world, ref, select=clear, length=len(text))
        if focused["kind"] == "picked":
            picked = _picked(
                await call_walker(call.race, world, "pick", ref.local_id, text), ref, text
            )
            is_another = is_another_number(text, str(picked["value"]))
            return _Typed(picked, _NEAREST if is_another else "")
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it got the focus") from gone
    slowly = slowly or focused["kind"] == "keyed"
    if clear and focused["isCatcher"]:
        await _send_keys(call.race, world.session_id, _ALL)
    await _enter(call.race, world.session_id, text, clear=clear, slowly=slowly)
    try:
        held = await call_walker(call.race, world, "read", ref.local_id) or {}
    except WorldGone:  # the page navigated, so the field is gone
        return _Typed({})
    has_it, now = "", held.pop("elsewhere", None)
    if now is not None:
        has_it = named(call.task, world, ref.tab_id, now)
    if (into := focused.get("elsewhere")) is not None:
        went = named(call.task, world, ref.tab_id, into)
        note = f"The page moved the focus: the text went to {went}."
    else:
        shown = str(held.get("value", ""))
        if focused["isCatcher"]:
            note = _CAUGHT
        elif has_it and slowly and _is_beginning(shown, text):
            note = (
                "The field has only the beginning of the text: the page moved the focus, and the "
                "rest went to another element."
            )
        else:
            note = _changed(text, shown, slowly=slowly, is_all=focused["isAll"])
        if note and has_it:
            note += f" {has_it} has the focus now."
    return _Typed(held, note, f"Enter went to {has_it}." if has_it else "")


def _changed(text: str, held: str, *, slowly: bool, is_all: bool) -> str:
    """Return a note if a field does not contain the typed text. Compare only letters and digits.

    ``is_all`` means that the typed text replaced the whole content.
    """
    if _MASKED.match(held) or len(held) >= _SHOWN:
        return ""
    if is_all and is_another_number(text, held):
        return (
            "The field has a different number: use the field's number format (decimal mark, sign)."
        )
    if _bare(text) in _bare(held):
        return ""
    note = (
        "The field's content differs from the typed text: the page changed it or moved the focus."
    )
    return note if slowly else f"{note} slowly=true types key by key."


def _is_beginning(held: str, text: str) -> bool:
    held, text = _bare(held), _bare(text)
    return held != text and bool(held) and text.startswith(held)


def _bare(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())


def _picked(picked: dict[str, Any] | None, ref: Ref, text: str) -> dict[str, Any]:
    """Check the result of setting a date, a color or a range."""
    if picked is None:
        raise stale(ref, "it is no longer in the page")
    if not picked.pop("taken"):
        raise InvalidArgument(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not accept {text[:100]!r}.",
            "Dates are YYYY-MM-DD, times HH:MM, months YYYY-MM, weeks YYYY-Www, colors #rrggbb; "
            "a range takes a number.",
            field="text",
        )
    return picked


async def _enter(
    race: Race, session_id: str | None, text: str, *, clear: bool, slowly: bool
) -> None:
    """Enter text in the focused element, either all at once or key by key."""
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
    """Press one key. If no key types the text, compose the text as an input method would."""
    if isinstance(stroke, Chord):
        await _send_keys(race, session_id, stroke)
        return
    end = len(stroke.encode("utf-16-le")) // 2
    composed = input_.ImeSetComposition(text=stroke, selection_start=end, selection_end=end)
    for sent in [race.start(composed, session_id),
                 race.start(input_.InsertText(text=stroke), session_id)]:  # fmt: skip
        await race.result(sent)


async def _send_chord(race: Race, session_id: str | None, chord: Chord) -> None:
    """Press the modifiers, press and release the key, and release the modifiers."""
    downs: list[input_.DispatchKeyEvent] = []
    ups: list[input_.DispatchKeyEvent] = []
    for key, held in modifier_keys(chord.modifiers):
        downs.append(_event("rawKeyDown", key, held))
        ups.insert(0, _event("keyUp", key, held & ~MODIFIERS[key.key.lower()]))
    await _send(race, session_id, [*downs, *_key_events(chord), *ups])


async def _send_keys(race: Race, session_id: str | None, chord: Chord) -> None:
    await _send(race, session_id, _key_events(chord))


def _key_events(chord: Chord) -> list[input_.DispatchKeyEvent]:
    key, modifiers = chord
    down = _event("keyDown" if key.text else "rawKeyDown", key, modifiers)
    return [down, _event("keyUp", key._replace(text=""), modifiers)]


async def _send(race: Race, session_id: str | None, events: list[input_.DispatchKeyEvent]) -> None:
    for sent in [race.start(event, session_id) for event in events]:
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
