"""Type text into an element, and press single keys."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from tabwarden.errors import FrameNotFound, InvalidArgument, NotInteractable
from tabwarden.hints import Hint, Next, joined
from tabwarden.journal import typed
from tabwarden.page.call import (
    bring_to_front,
    check_arrival,
    settle,
    target_of,
    until_codes_last,
)
from tabwarden.page.elements import element_of, healing, locate
from tabwarden.page.input.holding import check_hold, modifier_bit
from tabwarden.page.input.pointing import click_at, viewport
from tabwarden.page.input.typing.figures import is_another_number
from tabwarden.page.input.typing.focusing import focus, name_element
from tabwarden.page.input.typing.key_events import (
    enter,
    hold_chord,
    note_if_cut_short,
    send_chord,
    send_key,
    send_keys,
)
from tabwarden.page.input.typing.keys import Chord, parse_chord, parse_chords
from tabwarden.page.input.typing.notes import has_old_text, note_of
from tabwarden.page.input.typing.slide import Slider
from tabwarden.page.task import Call, Done, OptionalRef, Ref, X, Y, card, stale
from tabwarden.page.walker import WorldGone, call_walker, listeners_of, start, value_of
from tabwarden.results import Typed
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.vault import names_in

_ENTER = parse_chord("Enter")
_TAB = parse_chord("Tab")
_ALL = parse_chord("Ctrl+A")
_DELETE = parse_chord("Delete")
_DRAWN_MS = 300
"""How long a page may take to show the typed text. After that, a note says that the field's content
differs."""
_RECEIVER_MS = 100
"""How long typing waits until the page reports whether the focused field is secret."""
_ADDED = "This is a multi-line field, so Enter added a line break and submitted nothing."
_OPEN = (
    "The field's list is open, and the page may accept only an option. Click an option, or "
    "use the select tool."
)
_AT_ONCE = "The secret was inserted at once, not key by key."
_PAGE_LEFT = "The page navigated before Tabwarden could read the field again."
_MOST_KEYS = 100
"""Text with more characters is typed key by key only if the caller requests that or the field has a
length limit."""
_NEAREST = "The field now has the closest number that it accepts or that its keys can reach."


async def type_text(
    call: Call,
    *,
    text: str,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
    clear: bool | None = None,
    press_enter: bool = False,
    slowly: bool = False,
) -> Done:
    """Focus an element, insert text as an input method would, and press Enter if requested.

    The value is ``{"value": ...}``: the field's new content, unless it is secret. ``was`` is the
    old text that was replaced, and ``invalid`` is the browser's validation message. By default, the
    text replaces the old text of the field ``ref``. In an editor that receives input in one element
    and renders its text in another, the old text is kept. ``slowly`` types key by key, so the page
    may move the focus to another field midway. Text that is longer than the field allows is also
    typed key by key.
    """
    if ref is None and names_in(text):
        raise InvalidArgument(
            "A secret can be filled only into a field that the call specifies.",
            "Give the field's ref, from a snapshot.",
            field="ref",
        )
    bring_to_front(call)
    if ref is not None:
        field = await element_of(call, ref)
        # Send keys to the session of the field's frame. Then no other frame can receive the keys,
        # even if the browser process does not know about the new focus yet.
        session_id: str | None = (await locate(call, field)).session_id

        async def type_in_field(ref: Ref, world: ExecutionContext) -> _TypingResult:
            return await _type_into(call, world, ref, text, clear=clear, slowly=slowly)

        _, result = await healing(call, field, type_in_field)
    else:
        session_id, result = call.tab.session_id, _TypingResult({})
        if at is not None:
            await click_at(call, at)
        receiver = _Receiver(call, text)
        if clear:
            await send_keys(call.race, session_id, _ALL)
        await enter(call.race, session_id, text, clear=bool(clear), slowly=slowly)
        await receiver.note_in_journal()
    if not press_enter:
        if slowly:
            await check_arrival(call)
        return Done(result.value, result.note)
    await send_keys(call.race, session_id, _ENTER)
    value, line_note = result.value, ""
    if result.lines is not None and ref is not None:
        value, line_note = await _read_after_enter(call, field, result)
    notes = [result.note, result.on_enter, await settle(call), line_note]
    await check_arrival(call)
    return Done(value, " ".join(filter(None, notes)))


async def _read_after_enter(
    call: Call, ref: Ref, result: _TypingResult
) -> tuple[dict[str, Any], str]:
    """Read a multi-line field again, because Enter may have added a line instead of submitting."""
    try:
        world = await call.task.worlds.of(call.race, ref.frame_id)
        content = await call_walker(call.race, world, "read", ref.local_id)
    except WorldGone:  # Enter submitted the form, and the page navigated
        return result.value, ""
    if content is None or _count_breaks(content) <= (result.lines or 0):
        return result.value, ""
    return {**result.value, "value": content["value"]}, _ADDED


def _count_breaks(content: dict[str, Any]) -> int:
    return str(content.get("value", "")).count("\n")


async def leave(call: Call, ref: Ref, *, is_last: bool) -> dict[str, Any] | None:
    """Move the focus out of a field after typing, because many pages accept the text only then.

    Return the field's value if the page still has the field.
    """
    try:
        world = await call.task.worlds.of(call.race, ref.frame_id)
        content = await call_walker(call.race, world, "leave", ref.local_id, is_last)
        if content is not None and content.get("popup"):
            await send_keys(call.race, world.session_id, _TAB)
            content = await call_walker(call.race, world, "read", ref.local_id)
    except WorldGone:  # the page navigated when the field lost the focus
        return None
    return content and {"value": content["value"]}


KeyMode = Literal["press", "down", "up"]


@card(
    "press",
    command="key",
    about="Press a key or key combination in the focused element.",
    permission="act",
    group="core",
    uses_input=True,
)
async def press(
    call: Call,
    key: Annotated[
        str, Field(description="Enter, Tab, Escape, ArrowDown, a, Ctrl+A, Shift+Tab, ...")
    ],
    *,
    times: Annotated[int, Field(description="How many times.", ge=1, le=50)] = 1,
    hold_ms: Annotated[
        float, Field(description="Milliseconds to hold the key down.", ge=0, le=60_000)
    ] = 0,
    mode: Annotated[
        KeyMode, Field(description="down holds one key down until a call with up.")
    ] = "press",
) -> Done:
    """Press a key, a chord or a sequence; the focused element receives it.

    Args:
        key: ``Enter``, ``a``, ``Ctrl+A``, ``Shift+Tab``, ``ArrowDown``, ... The names of X11
            work too (``Return``, ``Page_Down``, ``KP_Enter``). Spaces separate the chords of a
            sequence (``Ctrl+A Delete``), at most 100.
        times: how many times to press the key or the whole sequence; at most 50.
        hold_ms: how long to hold one key or chord down; its last key repeats; at most 60,000.
        mode: ``down`` presses a key and holds it down until ``up`` releases it.

    Raises:
        InvalidArgument: a key does not exist. No key was pressed.
    """
    for field, is_set in (("times", times != 1), ("hold_ms", hold_ms > 0)):
        if mode != "press" and is_set:
            raise InvalidArgument(f"{field} does not apply to {mode}.", "Omit it.", field=field)
    chords = parse_chords(key)
    chord = chords[0]
    if mode != "press" and (len(chords) > 1 or chord.modifiers or chord.others):
        raise InvalidArgument(
            f"mode={mode} accepts one key, not {key!r}.", "Make one call for each key.", field="key"
        )
    if hold_ms and len(chords) > 1:
        raise InvalidArgument(
            "hold_ms applies to one key or chord, not to a sequence.",
            "To hold several keys together, join them with + (a+b).",
            field="hold_ms",
        )
    check_hold(call.race, hold_ms)
    bring_to_front(call)
    receiver = _receiver_of(call, key, chords)
    if mode != "press":
        held, bit = call.memory.held, modifier_bit(chord.key.key)
        held.modifiers = held.modifiers | bit if mode == "down" else held.modifiers & ~bit
        one = chord.held_with(held.modifiers).key
        await send_key(call.race, call.tab.session_id, one, held.modifiers, down=mode == "down")
        notes = [""]
    else:
        notes = await _press_all(call, chords * times, hold_ms)
    if receiver is not None:
        await receiver.note_in_journal()
    note = joined(*notes, await settle(call))
    await check_arrival(call)
    return Done(note=note)


def _receiver_of(call: Call, key: str, chords: list[Chord]) -> _Receiver | None:
    """Return the object that asks whether the field that receives the chords is secret.

    Some keys of a sequence may move the focus (``Tab a``). Then nobody is asked, so the journal
    hides such a sequence.
    """
    typing = [chord.types for chord in chords]
    if all(typing):
        return _Receiver(call, key)
    if not any(typing):
        typed(key, is_secret=False)
    return None


async def _press_all(call: Call, chords: list[Chord], hold_ms: float) -> list[str]:
    """Press chords one after another, and return the notes."""
    count, notes = 0, [""]

    def words() -> str:
        if count + 1 >= len(chords):
            return ""
        return f"The call stopped at key {count + 1} of {len(chords)}, and did not press the rest."

    with note_if_cut_short(call.race, words):
        for chord in chords:
            if chord.key.key == "Escape" and await _has_left_screen(call):
                notes.append("The browser took this key to end pointer lock or full screen.")
            else:
                await _press_once(call, chord, hold_ms)
            count += 1
    return notes


async def _press_once(call: Call, chord: Chord, hold_ms: float) -> None:
    race, session_id, held = call.race, call.tab.session_id, call.memory.held.modifiers
    chord = chord.held_with(held)
    if hold_ms:
        await hold_chord(race, session_id, chord, hold_ms, held)
    else:
        await send_chord(race, session_id, chord, held)


async def _has_left_screen(call: Call) -> bool:
    """End pointer lock and full screen. Browsers do so for Escape without telling the page of the
    key, but only for keys of a real keyboard. Return whether there was something to end."""
    try:
        top = await call.task.worlds.of(call.race, call.state.top_frame_id(call.tab.tab_id) or "")
        return bool(await call_walker(call.race, top, "leaveScreen"))
    except (WorldGone, FrameNotFound):
        return False


async def _takes_keys(call: Call, world: ExecutionContext, ref: Ref, text: str) -> bool:
    """Whether the page itself handles each key press in a field. Such a page (one that uses
    AutoNumeric, for example) may drop inserted text when the field loses the focus."""
    if len(text) > _MOST_KEYS or not text.isprintable():
        return False
    return "keypress" in (await listeners_of(call.race, world, ref.local_id) or ())


class _TypingResult(NamedTuple):
    value: dict[str, Any]
    note: str = ""
    on_enter: str = ""
    """A note for the result in case Enter is pressed next."""
    lines: int | None = None
    """The number of line breaks; None for a field that can have only one line."""


async def _type_into(
    call: Call,
    world: ExecutionContext,
    ref: Ref,
    text: str,
    *,
    clear: bool | None,
    slowly: bool,
) -> _TypingResult:
    replaces = clear is not False
    if names_in(text):
        return await _fill_into(call, world, ref, text, clear=replaces, slowly=slowly)
    try:
        focused = await focus(call, world, ref, select=replaces, length=len(text))
        typed(text, is_secret=bool(focused.get("isSecret")))
        if focused["kind"] == "picked":
            outcome = _check_picked(
                await call_walker(call.race, world, "pick", ref.local_id, text), ref, text
            )
            return _TypingResult(outcome)
        if focused["kind"] == "slid":
            position = await Slider(call, world, ref).slide(text)
            differs = is_another_number(text, str(position["value"]))
            return _TypingResult(position, _NEAREST if differs else "")
    except WorldGone as error:
        raise stale(ref, "its document was replaced while it got the focus") from error
    try:
        slowly = slowly or focused["kind"] == "keyed"
        if not slowly and not focused["isMultiline"]:
            slowly = await _takes_keys(call, world, ref, text)
        content = await _enter_text(call, world, ref, focused, text, clear=clear, slowly=slowly)
    except WorldGone:
        return _TypingResult({}, _PAGE_LEFT)
    if clear is None and (was := focused.get("was")):
        content["was"] = was
    holder_name, holder, is_open = "", content.pop("elsewhere", None), content.pop("isOpen", False)
    if holder is not None:
        holder_name = name_element(call.task, world, ref.tab_id, holder)
    if (receiver := focused.get("elsewhere")) is not None:
        receiver_name = name_element(call.task, world, ref.tab_id, receiver)
        note = f"The page moved the focus, so {receiver_name} received the text."
    else:
        note = note_of(
            focused,
            _text_of(content),
            text,
            slowly=slowly,
            lost_focus=bool(holder_name),
            clear=clear,
        )
        note = _OPEN if is_open and not note else note
        if note and holder_name:
            note += f" {holder_name} has the focus now."
    lines = _count_breaks(content) if focused["isMultiline"] else None
    return _TypingResult(
        content, note, f"{holder_name} received Enter." if holder_name else "", lines
    )


async def _fill_into(
    call: Call, world: ExecutionContext, ref: Ref, text: str, *, clear: bool, slowly: bool
) -> _TypingResult:
    """Fill in text that contains names of secrets."""
    typed(text, is_secret=False)  # the text contains only the names of secrets
    try:
        focused = await focus(call, world, ref, select=clear, length=0)
    except WorldGone as error:
        raise stale(ref, "its document was replaced while it got the focus") from error
    if focused["kind"] not in ("typed", "keyed"):
        raise InvalidArgument("A secret can be filled only into a text field.", field="ref")
    await _insert_secret(call, world, ref, text, clear=clear)
    try:
        content = await call_walker(call.race, world, "read", ref.local_id) or {}
    except WorldGone:  # the page navigated, so the field is gone
        content = {}
    holder = content.pop("elsewhere", None)
    content.pop("isOpen", None)
    holder_name = name_element(call.task, world, ref.tab_id, holder) if holder else ""
    lines = _count_breaks(content) if focused["isMultiline"] else None
    return _TypingResult(
        content,
        _AT_ONCE if slowly else "",
        f"{holder_name} received Enter." if holder_name else "",
        lines,
    )


async def _enter_text(
    call: Call,
    world: ExecutionContext,
    ref: Ref,
    focused: dict[str, Any],
    text: str,
    *,
    clear: bool | None,
    slowly: bool,
) -> dict[str, Any]:
    """Enter text in the field that ``focus`` has focused, and return the field's new content.

    Args:
        clear: whether the text replaces the content; None replaces it unless the editor draws its
            own text.

    Raises:
        WorldGone: the page navigated, so the field is gone.
    """
    is_catcher, is_rich = focused["isCatcher"], focused["isRich"]
    replaces = clear is not False
    if clear is None and (is_catcher or focused["isEmpty"]):
        replaces = False
    if replaces and is_catcher:
        await send_keys(call.race, world.session_id, _ALL)
    if replaces and is_rich and (slowly or not text):
        await _delete(call, world, ref, focused)
        replaces = False
    await enter(call.race, world.session_id, text, clear=replaces, slowly=slowly, is_rich=is_rich)
    content: dict[str, Any] = await call_walker(call.race, world, "read", ref.local_id) or {}
    while not is_catcher and note_of(focused, _text_of(content), text, slowly=slowly):
        later = await call_walker(call.race, world, "readLater", ref.local_id, _DRAWN_MS) or {}
        if later.get("value") == content.get("value"):
            break  # waiting longer did not help: the page does not show the text
        content = later
    return content


def _text_of(content: dict[str, Any]) -> str:
    return str(content.get("value", ""))


async def _delete(call: Call, world: ExecutionContext, ref: Ref, focused: dict[str, Any]) -> None:
    """Delete the selected text. If an editor ignores the selection because it manages its own,
    first select all text with keys, as a person would."""
    await send_keys(call.race, world.session_id, _DELETE)
    content: dict[str, Any] = await call_walker(call.race, world, "read", ref.local_id) or {}
    if has_old_text(focused, _text_of(content)):
        content = await call_walker(call.race, world, "readLater", ref.local_id, _DRAWN_MS) or {}
    if has_old_text(focused, _text_of(content)):
        await send_keys(call.race, world.session_id, _ALL)
        await send_keys(call.race, world.session_id, _DELETE)


async def _insert_secret(
    call: Call, world: ExecutionContext, ref: Ref, text: str, *, clear: bool
) -> None:
    """Insert text with secrets in the focused field.

    The walker inserts the text in the document whose site we have checked. If we sent keys instead,
    another document that replaces the checked document meanwhile could get the secret.

    Args:
        call: the running call.
        world: the world of the field's document.
        ref: the field.
        text: the text, which contains the names of secrets.
        clear: whether the text replaces the selection.

    Raises:
        Denied: the document does not belong to one of the secret's sites.
        NotInteractable: the field does not accept inserted text.
        StaleRef: the document was replaced; nothing was filled in.
    """
    vault = call.task.vault
    try:
        await until_codes_last(call.race, vault, text)
        origin = str(await call_walker(call.race, world, "origin"))
        secret_text = vault.fill(text, origin, "text")
        is_inserted = await call_walker(
            call.race, world, "insertSecret", ref.local_id, secret_text, clear
        )
    except WorldGone as error:
        raise stale(ref, "its document was replaced before the secret was filled in") from error
    call.task.control.secret_worlds[world.unique_id] = world.session_id
    if not is_inserted:
        raise NotInteractable(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not accept a secret: the page moved "
            "the focus, or the field accepts only keys.",
            Hint("Ask a person to type it", Next("handoff", reason="Type it"), "."),
            ref=ref.ref,
            reason="no_text",
        )


class _Receiver:
    """Asks the page whether the focused field, into which text is typed, is secret.

    The request is sent before the text, and the reply is read afterwards, so that typing does not
    wait.
    """

    def __init__(self, call: Call, text: str) -> None:
        self._race, self._text = call.race, text
        top = call.state.top_frame_id(call.tab.tab_id)
        world = call.task.worlds.known(top) if top is not None else None
        self._question = start(call.race, world, "secretNow") if world is not None else None

    async def note_in_journal(self) -> None:
        """Tell the journal whether the field is secret. Without a reply, the journal hides the
        text."""
        if self._question is None or not await self._race.answered(
            self._question, at_most_ms=_RECEIVER_MS
        ):
            return
        try:
            is_secret = await value_of(self._race, self._question)
        except WorldGone:
            return
        if is_secret is not None:
            typed(self._text, is_secret=is_secret)


def _check_picked(outcome: dict[str, Any] | None, ref: Ref, text: str) -> dict[str, Any]:
    """Check the result of setting a date, a color or a range field."""
    if outcome is None:
        raise stale(ref, "it is no longer in the page")
    if not outcome.pop("taken"):
        raise InvalidArgument(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not accept {text[:100]!r}.",
            "Dates are YYYY-MM-DD, times HH:MM, months YYYY-MM, weeks YYYY-Www, colors #rrggbb.",
            field="text",
        )
    return outcome


@card(
    "type",
    about="Replace a field's text by ref, or type at a point or into the focused element.",
    permission="act",
    group="core",
    gives=Typed,
    uses_input=True,
    confirms=True,
)
async def type_into(
    call: Call,
    text: Annotated[str, Field(description="Text to type.")],
    ref: OptionalRef = None,
    *,
    x: X = None,
    y: Y = None,
    clear: Annotated[
        bool | None, Field(description="Replace the text (default with ref), or add to it.")
    ] = None,
    press_enter: Annotated[bool, Field(description="Press Enter afterwards.")] = False,
    slowly: Annotated[
        bool, Field(description="Type key by key, for pages that handle keys.")
    ] = False,
) -> Done:
    """Type text into a field; ``value`` is ``{"value": the field's new content}``. If the text
    replaced old text, ``value`` also has ``was``, the old text.

    Args:
        text: the text to type; any Unicode.
        ref: the field, from a snapshot; by default the focused field.
        x, y: a point to click first, instead of ``ref``.
        clear: replace the field's content, or add to its end. The default is True with ``ref``,
            except in an editor that draws its own text, such as Monaco: there, the text is
            inserted at the caret, as it is without ``ref``.
        press_enter: press Enter afterwards.
        slowly: type key by key, for a page that listens to keys; the default inserts the whole
            text at once.

    Raises:
        NotInteractable: the element does not accept text.
        StaleRef, UnknownRef, DialogPending: as for ``click``.
    """
    at = None if ref is None and x is None and y is None else target_of(ref, x, y)
    call.task.vault.check(text, "text")
    return await viewport.inside(
        call,
        at,
        lambda: type_text(
            call,
            text=text,
            ref=ref,
            at=at,
            clear=clear,
            press_enter=press_enter,
            slowly=slowly,
        ),
        first=True,
    )
