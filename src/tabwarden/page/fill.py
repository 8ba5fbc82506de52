"""Fill: many fields of a form in one call, each in the way that its kind takes a value."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tabwarden.errors import (
    InvalidArgument,
    NotInteractable,
    Obscured,
    StaleRef,
    TabwardenError,
    UnknownRef,
)
from tabwarden.page.element import element_of
from tabwarden.page.heal import Gone, healing
from tabwarden.page.keyboard import type_text
from tabwarden.page.mouse import click
from tabwarden.page.refs import Ref, stale
from tabwarden.page.result import ActionResult, Done
from tabwarden.page.select import select
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["Entry", "entries_of", "fill_form", "with_filled"]

_CHECK_MS = 300
_OF_THE_FIELD = (InvalidArgument, NotInteractable, Obscured, StaleRef, UnknownRef)
"""What may be wrong with one field while the next can be filled."""
_BOOLEANS = {"true": True, "on": True, "false": False, "off": False}


class Entry(msgspec.Struct, frozen=True):
    """One field and what goes into it."""

    ref: str
    value: bool | int | float | str | list[str]


def entries_of(fields: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """The fields of a form as they were given: ``[{"ref": "e5", "value": "Ann"}, ...]``.

    Raises:
        InvalidArgument: not of that form; ``field`` says where.
    """
    listed = isinstance(fields, Iterable) and not isinstance(fields, str | Mapping)
    if not listed or not (entries := [_entry(at, one) for at, one in enumerate(fields)]):
        raise InvalidArgument(
            "fields must be a list with a field in it.",
            "Give [{'ref': 'e5', 'value': 'Ann'}, ...].",
            field="fields",
        )
    return entries


def _entry(at: int, given: Mapping[str, Any]) -> Entry:
    try:
        entry = msgspec.convert(given, Entry)
        if isinstance(entry.value, float) and not math.isfinite(entry.value):
            raise msgspec.ValidationError("a number that is none")
        return entry
    except msgspec.ValidationError as error:
        raise InvalidArgument(
            f"fields[{at}] is {given!r}: {error}.",
            "Each has a ref and a value: a text, a number, true or false, or a list of labels.",
            field=f"fields[{at}]",
        ) from None


async def fill_form(
    task: Task,
    race: Race,
    tab: Tab,
    entries: list[Entry],
    filled: list[dict[str, Any]],
    *,
    keep_going: bool = False,
) -> Done:
    """Fill fields in order; each is added to ``filled`` as it is done, with what it holds then.

    ``keep_going``: those that can't be filled are passed over, and told in ``failed``.

    Raises:
        TabwardenError: what kept the first field that could not be filled from it; ``data`` has
            ``filled`` and, as ``failed``, that field's ref.
    """
    failed: list[dict[str, Any]] = []
    for at, entry in enumerate(entries, 1):
        noted = len(race.notes)
        try:
            filled.append({"ref": entry.ref, **await _fill(task, race, tab, entry)})
            if len(race.notes) > noted:
                await _keep_up(task, race, entries[at:])
        except TabwardenError as error:
            if keep_going and isinstance(error, _OF_THE_FIELD):
                failed.append({"ref": entry.ref, **error.to_dict()})
                continue
            done = ", ".join(one["ref"] for one in filled) or "none"
            error.hint = f"{error.hint} Filled before it: {done}.".strip()
            error.data |= {"filled": filled, "failed": entry.ref}
            raise
    value = {"filled": filled, "failed": failed} if keep_going else {"filled": filled}
    note = f"{len(failed)} of {len(entries)} fields were not filled." if failed else ""
    return Done(value, " ".join(filter(None, [note, await settle(task, race, tab)])))


def with_filled(result: ActionResult, filled: list[dict[str, Any]]) -> ActionResult:
    """The result, with what was filled before something came between."""
    if not result.interrupted:
        return result
    return msgspec.structs.replace(result, value={"filled": filled})


async def _fill(task: Task, race: Race, tab: Tab, entry: Entry) -> dict[str, Any]:
    ref = await element_of(task, race, tab, entry.ref, field="fields")
    try:
        ref, control = await healing(task, race, ref, lambda *of: _control(race, *of))
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was filled") from gone
    match control["kind"]:
        case "checked" | "radio":
            return await _check(task, race, tab, ref, entry.value, control)
        case "chosen":
            wanted = entry.value if isinstance(entry.value, list) else [_text(ref, entry.value)]
            chosen = await select(task, race, tab, by="label", wanted=wanted, ref=ref.ref)
            return _held({"value": chosen.value["selected"]}, chosen.note)
        case "text":
            text = _text(ref, entry.value)
            typed = await type_text(task, race, tab, text=text, ref=ref.ref, clear=True)
            return _held(typed.value or {}, typed.note)
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is no field.",
        "Files go in with browser_upload."
        if control["kind"] == "file"
        else "Name fields: texts, checkboxes, radio buttons, selects; click anything else.",
        ref=ref.ref,
    )


async def _keep_up(task: Task, race: Race, entries: list[Entry]) -> None:
    """Find the fields to come now, where the page draws itself anew: what was drawn anew twice
    since it was looked at is no longer sure to be the same.
    """
    for entry in entries:
        with contextlib.suppress(*_OF_THE_FIELD, WorldGone):
            ref = task.refs.find(entry.ref)
            await healing(task, race, ref, lambda *of: _control(race, *of))
    race.notes[:] = dict.fromkeys(race.notes)


def _held(value: dict[str, Any], note: str) -> dict[str, Any]:
    return {**value, "note": note} if note else value


async def _control(race: Race, ref: Ref, world: ExecutionContext) -> dict[str, Any]:
    control: dict[str, Any] = await call(race, world, "control", ref.local_id)
    if control["kind"] == "gone":
        raise Gone
    return control


async def _check(
    task: Task, race: Race, tab: Tab, ref: Ref, value: Any, control: dict[str, Any]
) -> dict[str, Any]:
    """Click what can be checked unless it is as wanted, and see that it became so."""
    wanted = _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else value
    if not isinstance(wanted, bool):
        raise _unfit(ref, value, "true or false")
    if control["kind"] == "radio" and not wanted:
        raise _unfit(ref, value, "true: a radio button is left by choosing another")
    if control["checked"] is not wanted:
        await click(task, race, tab, ref=ref.ref)
        became = await _became(task, race, ref, wanted=wanted)
        if not became:
            raise NotInteractable(
                f"{ref.ref} ({ref.role} {ref.name[:200]!r}) did not become "
                f"{'checked' if wanted else 'unchecked'}.",
                "The page may forbid it: take a snapshot.",
                ref=ref.ref,
            )
    return {"value": wanted}


async def _became(task: Task, race: Race, ref: Ref, *, wanted: bool) -> bool:
    """Whether it is checked as wanted now, where the page drew it anew too."""

    async def is_so(ref: Ref, world: ExecutionContext) -> bool:
        found: bool | None = await call(race, world, "checkedAs", ref.local_id, wanted, _CHECK_MS)
        if found is None:
            raise Gone
        return found

    try:
        _, became = await healing(task, race, ref, is_so)
    except WorldGone as gone:
        raise stale(ref, "the page went on while it was clicked") from gone
    except StaleRef as gone:
        gone.hint = f"It was clicked. {gone.hint}"
        raise
    return bool(became)


def _text(ref: Ref, value: bool | float | str | list[str]) -> str:
    if isinstance(value, bool | list):
        raise _unfit(ref, value, "a text")
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _unfit(ref: Ref, value: Any, takes: str) -> InvalidArgument:
    return InvalidArgument(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not take {value!r}.",
        f"It takes {takes}.",
        field="fields",
    )
