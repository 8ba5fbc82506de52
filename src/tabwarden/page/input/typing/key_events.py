"""Send keys and text to the session of the frame that has the focus."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from tabwarden.errors import TabwardenError
from tabwarden.hints import joined
from tabwarden.page.input.holding import MODIFIERS, modifier_bit
from tabwarden.page.input.typing.keys import Chord, Key, modifier_keys, parse_chord, strokes
from tabwarden.protocol import Command
from tabwarden.protocol import input as input_
from tabwarden.supervisor.runtime import Interrupted, Race

_REPEAT_AFTER_MS = 500.0
"""The delay before a held key repeats, as on a keyboard."""
_REPEAT_MS = 33.0
"""The time between two repeats of a held key."""
_WHOLE = "The text was sent all at once, so the field may contain all of the text."
_NO_KEY = Key("Unidentified", "", 0)


async def enter(
    race: Race,
    session_id: str | None,
    text: str,
    *,
    clear: bool,
    slowly: bool,
    is_rich: bool = False,
) -> None:
    """Enter text in the focused element, all at once or key by key.

    In a rich-text editor, each line becomes a paragraph. Enter is not pressed for that, because it
    may send a message.
    """
    count = 0
    if not text:
        if clear:
            await send_keys(race, session_id, parse_chord("Delete"))
    elif not slowly:
        *lines_above, last = text.replace("\r\n", "\n").split("\n") if is_rich else [text]
        last_lines = [input_.InsertText(text=last)] if last else []
        with note_if_cut_short(race, lambda: _WHOLE):
            for line in lines_above:
                await _insert_line(race, session_id, line)
            await _send(race, session_id, [*last_lines, _release_event(text[-1])])
    else:
        if clear:
            await send_keys(race, session_id, parse_chord("Delete"))
        with note_if_cut_short(
            race, lambda: f"At least {count} of {len(text)} characters were typed."
        ):
            for stroke in strokes(text):
                await _send_stroke(race, session_id, stroke)
                count += len(stroke) if isinstance(stroke, str) else 1


@contextmanager
def note_if_cut_short(race: Race, words: Callable[[], str]) -> Iterator[None]:
    """If a dialog or an error ends the block, add ``words()`` to the result's note or the error's
    hint."""
    try:
        yield
    except Interrupted:
        race.notes.extend(filter(None, [words()]))
        raise
    except TabwardenError as error:
        error.hint = joined(error.hint, words())
        raise


def _release_event(character: str) -> input_.DispatchKeyEvent:
    """Return the release event of a key. Many pages read a field only after a key release."""
    stroke = next(strokes(character))
    if isinstance(stroke, Chord) and not character.isspace():
        return _event("keyUp", stroke.key._replace(text=""), 0)
    return _event("keyUp", _NO_KEY, 0)


async def _insert_line(race: Race, session_id: str | None, line: str) -> None:
    """Insert a line and start the next one."""
    if line:
        await race.call(input_.InsertText(text=line), session_id)
    down = _event("rawKeyDown", _NO_KEY, 0)
    await race.call(replace(down, commands=["insertNewline"]), session_id)
    await race.call(_event("keyUp", _NO_KEY, 0), session_id)


async def _send_stroke(race: Race, session_id: str | None, stroke: Chord | str) -> None:
    """Press a key that types the text. If no such key exists, compose the text as an input method
    would."""
    if isinstance(stroke, Chord):
        await send_keys(race, session_id, stroke)
        return
    end = len(stroke.encode("utf-16-le")) // 2
    composed = input_.ImeSetComposition(text=stroke, selection_start=end, selection_end=end)
    for pending in [race.start(composed, session_id),
                 race.start(input_.InsertText(text=stroke), session_id)]:  # fmt: skip
        await race.result(pending)


async def send_keys(race: Race, session_id: str | None, chord: Chord, times: int = 1) -> None:
    """Press a chord ``times`` times. Send all events together, and wait until all are handled."""
    await _send(race, session_id, [event for _ in range(times) for event in _key_events(chord)])


async def send_chord(
    race: Race, session_id: str | None, chord: Chord, held_modifiers: int = 0
) -> None:
    """Press the held keys, press and release the key, and release the held keys.

    ``held_modifiers`` are already down and stay down.
    """
    downs, ups = _held_events(chord, held_modifiers)
    await _send(race, session_id, [*downs, *_key_events(chord), *ups])


async def hold_chord(
    race: Race, session_id: str | None, chord: Chord, hold_ms: float, held_modifiers: int = 0
) -> None:
    """Press a chord as ``send_chord`` does, but hold its key down for ``hold_ms``.

    The key repeats, as on a keyboard. No key stays down, even if the call is stopped.
    """
    downs, ups = _held_events(chord, held_modifiers)
    down, up = _key_events(chord)
    repeat = replace(down, auto_repeat=True)
    deadline = time.monotonic() + hold_ms / 1000
    try:
        await _send(race, session_id, [*downs, down])
        pause_ms = _REPEAT_AFTER_MS
        while (left_ms := (deadline - time.monotonic()) * 1000) > 0:
            await race.pause(min(pause_ms, left_ms))
            if left_ms > pause_ms:
                await _send(race, session_id, [repeat])
            pause_ms = _REPEAT_MS
    finally:
        if race.supervisor.state.health.status == "live":
            for event in (up, *ups):
                race.supervisor.send(event, session_id)


async def send_key(
    race: Race, session_id: str | None, key: Key, held_modifiers: int, *, down: bool
) -> None:
    """Press or release a key. ``held_modifiers`` are the modifiers that are down afterwards."""
    first, last = _key_events(Chord(key, held_modifiers))
    await _send(race, session_id, [first if down else last])


def _held_events(chord: Chord, held_modifiers: int) -> tuple[list[input_.DispatchKeyEvent], ...]:
    """Return the events that press the keys that the chord holds, and those that release them."""
    downs: list[input_.DispatchKeyEvent] = []
    ups: list[input_.DispatchKeyEvent] = []
    for key, down in modifier_keys(chord.modifiers & ~held_modifiers):
        downs.append(_event("rawKeyDown", key, down | held_modifiers))
        ups.insert(0, _event("keyUp", key, (down | held_modifiers) & ~MODIFIERS[key.key.lower()]))
    for other in chord.others:
        down_event, up_event = _key_events(Chord(other, chord.modifiers))
        downs.append(down_event)
        ups.insert(0, up_event)
    return downs, ups


def _key_events(chord: Chord) -> list[input_.DispatchKeyEvent]:
    key, modifiers = chord.key, chord.modifiers
    own_bit = modifier_bit(key.key)  # a modifier's own press has its flag, its release has not
    down = _event("keyDown" if key.text else "rawKeyDown", key, modifiers | own_bit)
    return [down, _event("keyUp", key._replace(text=""), modifiers & ~own_bit)]


async def _send(race: Race, session_id: str | None, events: Sequence[Command[Any]]) -> None:
    for pending in [race.start(event, session_id) for event in events]:
        await race.result(pending)


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
        is_keypad=key.location == 3,
        commands=commands,
    )
