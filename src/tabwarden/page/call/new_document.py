"""Describe a new document: its HTTP status, its kind, and whether it has rendered anything yet.

For most documents, one command reads all of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from tabwarden.page.call.load_failed import why_not_loaded
from tabwarden.page.call.rest import CHANGING_NOTE, MAY_BE_UNDRAWN, SHARE, own_world_question, rest
from tabwarden.page.call.settle import is_on_its_way
from tabwarden.page.call.timing import BUSY_MS, SETTLE_MS, STATUS_MS
from tabwarden.page.task import Call, Done
from tabwarden.page.text import address
from tabwarden.page.walker import WorldGone, call_walker, document_kind
from tabwarden.supervisor.core.state.tabs import Frame
from tabwarden.supervisor.runtime import CommandRefused

_QUESTION = (
    "[performance.getEntriesByType('navigation')[0]?.responseStatus,"
    " /^(image\\/(?!svg)|audio|video|multipart|application\\/pdf)/.test(document.contentType),"
    f" {MAY_BE_UNDRAWN}]"
)
_ERRORS = range(400, 600)
_IN_PART_NOTE = (
    "Only part of the page was received: the server closed the connection, or loading was stopped."
)


def as_done(outcome: Any) -> Done:
    return outcome if isinstance(outcome, Done) else Done(outcome)


async def describe_new_document(call: Call, outcome: Any) -> Done:
    """Describe the tab's new document: add the HTTP status to the outcome, and notes to the call.
    If the card says so, wait for a web application that shows nothing yet."""
    task, race, tab, spec = call
    tab_id = tab.tab_id
    done = as_done(outcome)
    share_ms = race.budget.remaining_ms() * SHARE
    if spec.draws and not done.note:
        at_most_ms = min(SETTLE_MS, share_ms)
        await race.until(lambda state: not is_on_its_way(state, tab_id), at_most_ms=at_most_ms)
    top = task.state.top_frame(tab_id)
    if top is None or top.navigating:
        return done
    pending = race.start(own_world_question(_QUESTION), top.session_id)
    if not await race.answered(pending, at_most_ms=BUSY_MS if spec.draws else STATUS_MS):
        race.notes += [CHANGING_NOTE] if spec.draws else []
        return done
    try:
        answer = (await race.result(pending)).result.value
    except CommandRefused:
        return done
    race.notes += _refresh_notes(task.state.top_frame(tab_id))
    match answer:
        case [status, bool(is_apart), bool(may_be_undrawn)]:
            if type(status) is int and 0 < status < 1000 and top.url.startswith("http"):
                done = done._replace(http_status=status)
                race.notes += [_status_note(status)] if status in _ERRORS else []
        case _:
            return done
    if is_apart or top.unreachable:
        why = why_not_loaded(call, top) if top.unreachable else ""
        race.notes += filter(None, [why or await _kind_note(call, top.frame_id)])
        return done
    if "stopped" in top.lifecycle and "load" not in top.lifecycle and not done.note:
        race.notes.append(_IN_PART_NOTE)
    if may_be_undrawn and spec.draws and not is_on_its_way(task.state, tab_id):
        race.notes += filter(None, [await rest(task, race, tab_id, if_undrawn=True)])
    return done


async def _kind_note(call: Call, frame_id: str) -> str:
    try:
        world = await call.task.worlds.of(call.race, frame_id)
        kind = await call_walker(call.race, world, "kindNow")
        words = (await document_kind(call.race, frame_id, kind)).words
    except WorldGone:
        return ""
    return f"This document is {words}." if words else ""


def _refresh_notes(top: Frame | None) -> Iterator[str]:
    """Yield a note if a document will soon reload or navigate by itself."""
    if top is not None and top.leaves_for is not None:
        url, delay_s = top.leaves_for
        place = "reloads" if url == top.url else f"navigates to {address(url)}"
        yield f"The page {place} by itself {delay_s:g} s after it has loaded."


def _status_note(status: int) -> str:
    try:
        return f"The server replied {status} ({HTTPStatus(status).phrase})."
    except ValueError:
        return f"The server replied {status}."
