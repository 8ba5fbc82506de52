"""Set many form fields in one call."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from pydantic import Field

from tabwarden.errors import (
    InvalidArgument,
    NotInteractable,
    Obscured,
    StaleRef,
    TabwardenError,
    UnknownRef,
)
from tabwarden.hints import Hint, Next, joined
from tabwarden.journal import typed, typed_form
from tabwarden.page.call import settle
from tabwarden.page.elements import healing
from tabwarden.page.input.forms.check import control_of, set_checked
from tabwarden.page.input.forms.labelled import field_of
from tabwarden.page.input.forms.select import select_options
from tabwarden.page.input.typing import has_text, leave, type_text
from tabwarden.page.task import Call, Done, Ref, card, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.results import Filled
from tabwarden.supervisor.runtime import Interrupted
from tabwarden.vault import names_in

_FIELD_ERRORS = (InvalidArgument, NotInteractable, Obscured, StaleRef, UnknownRef)
"""Errors about a single field. After such an error, the next field can still be filled."""
_NO_OPTION = (
    "No option has this label. The field keeps the text, but the page may accept only an option."
)
_CHANGED = (
    "The page changed the text, perhaps when the field lost the focus. Try typing it with "
    "slowly=true."
)
BOOLEANS = {"true": True, "on": True, "false": False, "off": False}


class Entry(msgspec.Struct, frozen=True):
    ref: str
    """A ref, a selector or the field's label."""
    value: bool | int | float | str | list[str]


def entries_of(fields: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Convert the caller's list of fields: ``[{"ref": "e5", "value": "Ann"}, ...]``."""
    if not (entries := [_entry(at, one) for at, one in enumerate(fields)]):
        raise InvalidArgument(
            "fields must be a list with at least one field.",
            "Give [{'ref': 'e5', 'value': 'Ann'}, ...].",
            field="fields",
        )
    return entries


def _entry(at: int, field: Mapping[str, Any]) -> Entry:
    if isinstance(field, Mapping):  # other products call the ref "target" or "uid"
        field = {"ref": field.get("target") or field.get("uid"), **field}
    try:
        entry = msgspec.convert(field, Entry)
        if isinstance(entry.value, float) and not math.isfinite(entry.value):
            raise msgspec.ValidationError("not a finite number")
        return entry
    except msgspec.ValidationError as error:
        raise InvalidArgument(
            f"fields[{at}] is invalid: {field!r}: {error}.",
            "Each field needs a ref and a value: text, a number, true or false, or a list of "
            "labels.",
            field=f"fields[{at}]",
        ) from None


async def _fill_all(
    call: Call,
    entries: list[Entry],
    *,
    keep_going: bool = False,
) -> Done:
    """Fill fields in order. Append each filled field and its new value to ``filled``.

    With ``keep_going``, skip fields that can't be filled, and list them in ``failed``.

    Raises:
        TabwardenError: a field could not be filled. The error's ``data`` has the filled fields as
            ``filled`` and the failed field's ref as ``failed``.
    """
    filled: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    texts: list[tuple[Ref, str, dict[str, Any]]] = []
    for at, entry in enumerate(entries, 1):
        note_count = len(call.race.notes)
        try:
            is_last = at == len(entries)
            ref = await field_of(call, entry.ref)
            result = {"ref": entry.ref, **await _fill(call, ref, entry, is_last=is_last)}
            filled.append(result)
            if isinstance(result.get("value"), str) and not names_in(entry.value):
                texts.append((ref, typed_form(entry.value), result))
            if len(call.race.notes) > note_count:
                await _find_again(call, entries[at:])
        except Interrupted as interruption:
            interruption.value = {"filled": filled}
            remaining = ", ".join(one.ref for one in entries[at:]) or "none"
            call.race.notes.append(
                f"The call was interrupted at {entry.ref}. Fields not filled yet: {remaining}."
            )
            raise
        except TabwardenError as error:
            if keep_going and isinstance(error, _FIELD_ERRORS):
                failed.append({"ref": entry.ref, **error.to_dict()})
                continue
            done = ", ".join(one["ref"] for one in filled) or "none"
            error.hint = joined(error.hint, f"Fields filled before the error: {done}.")
            error.data |= {"filled": filled, "failed": entry.ref}
            raise
    for ref, text, result in texts:
        await _look_again(call, ref, text, result)
    value = {"filled": filled, "failed": failed} if keep_going else {"filled": filled}
    note = f"{len(failed)} of {len(entries)} fields were not filled." if failed else ""
    return Done(value, joined(note, await settle(call)))


async def _look_again(call: Call, ref: Ref, text: str, result: dict[str, Any]) -> None:
    """Read a field again after it lost the focus, and return its text if the page changed the
    text."""
    with contextlib.suppress(WorldGone, *_FIELD_ERRORS):
        ref = call.task.refs.find(ref.ref)
        world = await call.task.worlds.of(call.race, ref.frame_id)
        content = await call_walker(call.race, world, "read", ref.local_id)
        text_now = str((content or result).get("value", ""))
        if text_now == result["value"]:
            return
        result["value"] = text_now
        if not has_text(text, text_now):
            result["note"] = _CHANGED


async def _fill(call: Call, ref: Ref, entry: Entry, *, is_last: bool) -> dict[str, Any]:
    try:
        ref, control = await healing(call, ref, lambda *of: control_of(call.race, *of))
    except WorldGone as error:
        raise stale(
            ref, "its document was replaced while Tabwarden was filling the field"
        ) from error
    if control["kind"] != "text" and names_in(entry.value):
        raise InvalidArgument("A secret can be filled only into a text field.", field="value")
    if control["kind"] in ("checked", "radio", "chosen"):
        for value in entry.value if isinstance(entry.value, list) else [entry.value]:
            typed(typed_form(value), is_secret=False)
    match control["kind"]:
        case "checked" | "radio":
            return await _check(call, ref, entry.value, control)
        case "chosen":
            return await _choose(call, ref, entry.value)
        case "text":
            text = _text(ref, entry.value)
            result = await type_text(call, text=text, ref=ref.ref, clear=True)
            if control.get("isNumber") and text.strip() and (result.value or {}).get("value") == "":
                raise _unfit_error(ref, entry.value, "only a number. The field is empty now")
            content = await leave(call, ref, is_last=is_last) if result.value else None
            if content and content.get("value") == "" and (result.value or {}).get("value"):
                raise _emptied_error(ref)
            return _with_note(result.value or {}, result.note)
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is not a form field.",
        Hint("Give it files", Next("upload", ref=ref.ref, filenames=["..."]), ".")
        if control["kind"] == "file"
        else "Fill only text fields, checkboxes, radio buttons and selects. Click the others.",
        ref=ref.ref,
    )


async def _choose(call: Call, ref: Ref, value: Any) -> dict[str, Any]:
    """Choose options as ``select`` does. If no option matches, a combobox may keep the typed
    text."""
    labels = value if isinstance(value, list) else [_text(ref, value)]
    try:
        result = await select_options(call, by="label", names=labels, ref=ref.ref)
    except InvalidArgument as error:
        if len(labels) > 1 or not error.data.get("typed"):
            raise
        world = await call.task.worlds.of(call.race, ref.frame_id)
        content = await call_walker(call.race, world, "read", ref.local_id) or {}
        if content.get("value") != labels[0]:
            raise
        return _with_note({"value": labels[0]}, _NO_OPTION)
    return _with_note({"value": result.value["selected"]}, result.note)


async def _find_again(call: Call, entries: list[Entry]) -> None:
    """Find the remaining fields again after the page re-rendered the form. After a second
    re-render, the fields might be ambiguous."""
    for entry in entries:
        with contextlib.suppress(*_FIELD_ERRORS, WorldGone):
            ref = call.task.refs.find(entry.ref)
            await healing(call, ref, lambda *of: control_of(call.race, *of))
    call.race.notes[:] = dict.fromkeys(call.race.notes)


def _with_note(value: dict[str, Any], note: str) -> dict[str, Any]:
    return {**value, "note": note} if note else value


async def _check(call: Call, ref: Ref, value: Any, control: dict[str, Any]) -> dict[str, Any]:
    """Click a checkbox or radio button if its state is wrong, and verify the new state."""
    state = BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else value
    if not isinstance(state, bool):
        raise _unfit_error(ref, value, "true or false")
    if control["kind"] == "radio" and not state:
        raise _unfit_error(
            ref, value, "only true. To clear a radio button, choose another radio button"
        )
    await set_checked(call, ref, control, state=state)
    return {"value": state}


def _text(ref: Ref, value: bool | float | str | list[str]) -> str:
    if isinstance(value, bool | list):
        raise _unfit_error(ref, value, "text")
    return typed_form(value)


def _emptied_error(ref: Ref) -> NotInteractable:
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) accepted the text, but the page emptied the "
        "field when it lost the focus.",
        "The field may accept only an option from its list: type the text, take a snapshot, and "
        "click an option.",
        ref=ref.ref,
    )


def _unfit_error(ref: Ref, value: Any, takes: str) -> InvalidArgument:
    return InvalidArgument(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not accept {value!r}.",
        f"It accepts {takes}.",
        field="fields",
    )


_FIELD = {
    "type": "object",
    "properties": {
        "ref": {"type": "string"},
        "value": {
            "anyOf": [
                {"type": "string"},
                {"type": "number"},
                {"type": "boolean"},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
    },
    "required": ["ref", "value"],
    "additionalProperties": False,
}


@card(
    "fill_form",
    command="fill",
    about="Fill several form fields in one call, until one can't be filled.",
    permission="act",
    group="core",
    idempotent=True,
    gives=Filled,
    uses_input=True,
    confirms=True,
    aims=lambda arguments: arguments["fields"][0].get("ref") if arguments["fields"] else None,
)
async def fill_form(
    call: Call,
    fields: Annotated[
        Sequence[Mapping[str, Any]],
        Field(
            description="A value is text or a number; true or false for a checkbox, switch or "
            "radio button; one or more labels for a select.",
            json_schema_extra={"items": _FIELD},
        ),
    ],
    *,
    keep_going: Annotated[
        bool, Field(description="Skip and report fields that can't be filled.")
    ] = False,
) -> Done:
    """Fill several fields; ``value`` is ``{"filled": [{"ref", "value"}]}`` with each field's
    new content. With ``keep_going`` it also has ``failed``: ``[{"ref", "code", "message",
    ...}]``.

    Args:
        fields: ``[{"ref": "e5", "value": "Ann"}, {"ref": "e6", "value": True}, ...]``. ``ref``
            may also be the field's label. Use text or a number for text fields and pickers,
            true or false for a checkbox or switch, true for a radio button, and an option's
            label or value, or a list of them, for a select.
        keep_going: skip fields that can't be filled, instead of stopping at the first.

    Raises:
        InvalidArgument, NotInteractable, StaleRef, UnknownRef, Obscured: a field can't be
            filled. ``data["filled"]`` lists the filled fields; ``data["failed"]`` names the
            field that failed.
        DialogPending: a dialog blocks the page.
    """
    entries = entries_of(fields)
    for at, entry in enumerate(entries):
        call.task.vault.check(entry.value, f"fields[{at}].value")
    return await _fill_all(call, entries, keep_going=keep_going)
