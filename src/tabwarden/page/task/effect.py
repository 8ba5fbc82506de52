"""Effect: what an input did, as one line of facts. It never judges whether the input worked.

The facts come from the documents, as the walker's ``effectSeen`` tells them, and from the change
between two states of the supervisor. This module makes the line and performs no I/O.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import msgspec

from tabwarden.page.text import quoted
from tabwarden.supervisor.core.handlers import why_failed
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame
from tabwarden.telemetry.redaction import url_without_secrets

LONGEST = 300
_BLANK = ("", "about:blank", "about:srcdoc")
_NOTHING = ("nothing observed", "nothing else observed")
_DIFFERS = "changes since your last snapshot: see below"
_TEXT = 60
_REFUSAL = 120
_PATH = 80


class StateSeen(msgspec.Struct, frozen=True):
    """A state of an element that changed, such as ``now checked``."""

    role: str
    name: str
    state: str


class FailedRequest(msgspec.Struct, frozen=True):
    url: str
    status: int


class DocumentEffect(msgspec.Struct, frozen=True, rename="camel"):
    """What changed in one document during ``ms`` milliseconds: the walker's ``effectSeen``."""

    ms: int
    came: int = 0
    """How many lines of text and controls came into view."""
    went: int = 0
    text: str = ""
    """The beginning of the first line that came."""
    said: tuple[str, ...] = ()
    """The texts of live regions that changed."""
    passed: tuple[str, ...] = ()
    """The texts that came and are gone, such as a toast's."""
    states: tuple[StateSeen, ...] = ()
    looks: int = 0
    """How many elements changed their class or style."""
    failed: tuple[FailedRequest, ...] = ()
    is_more: bool = False
    """Whether there were too many changes to count."""
    late: DocumentEffect | None = None
    """What the input before this one did since its answer."""


def document_effect(told: Any) -> DocumentEffect | None:
    """Return the walker's reply as an effect; None if it observed nothing."""
    return msgspec.convert(told, DocumentEffect) if told is not None else None


def effect_line(
    before: SupervisorState,
    now: SupervisorState,
    tab_id: str,
    documents: Iterable[DocumentEffect],
    *,
    under_way: Iterable[tuple[str, str]] = (),
    without_page: Iterable[tuple[int, str]] = (),
    refused: Iterable[str] = (),
    failed: Mapping[str, str] = MappingProxyType({}),
    is_late: bool = False,
    tells_value: bool = False,
) -> str:
    """Return the facts of an input's effect in one line; "" if nothing is known.

    Args:
        before: the state when the action began.
        now: the current state.
        tab_id: the tab of the action.
        documents: the effects in the tab's documents, in the order in which they were told.
        under_way: the method and URL of each request that the answer no longer waits for.
        without_page: the status and URL of each answer after which a document stays.
        refused: what the browser refused, in its own words.
        failed: the errors of documents that could not be loaded, by loader id.
        is_late: leave out what ``new_since_last`` reports, and say nothing if nothing happened.
        tells_value: the result also has a value, such as the field's new content.
    """
    told = list(documents)
    facts = [] if is_late else list(_events(before, now, tab_id))
    went = list(_navigation(before, now, tab_id))
    facts += [*went, *_frames(before, now, tab_id, failed, is_late=is_late)]
    facts += [f"the server answered {status} to {_path(url)}: the page stays"
              for status, url in without_page]  # fmt: skip
    facts += [f"the browser refused: {quoted(text[:_REFUSAL])}" for text in refused]
    facts += _page(told, is_late=is_late)
    if not went:  # no event tells how the requests of the document before have ended
        facts += [f"{method} {_path(url)} is under way" for method, url in under_way]
    if not is_late:
        facts = facts or list(_title(before, now, tab_id))
    if facts:
        return _joined(facts)
    if is_late or not told:
        return ""
    return f"{_NOTHING[tells_value]} in {max(one.ms for one in told)} ms"


def above_changes(line: str) -> str:
    """Return an effect's line as it stands above a diff that shows changes: they may be older than
    the input, or of a kind that the documents don't tell."""
    return _DIFFERS if line.startswith(_NOTHING) else line


def facts_of(line: str) -> str:
    """Return an effect's line, or "" if nothing was observed."""
    return "" if line.startswith(_NOTHING) else line


def _joined(facts: list[str]) -> str:
    line, facts = facts[0][:LONGEST], facts[1:]
    for at, fact in enumerate(facts):
        if len(line) + len(fact) > LONGEST - 20:
            return f"{line} · and {len(facts) - at} more"
        line += f" · {fact}"
    return line


def _events(before: SupervisorState, now: SupervisorState, tab_id: str) -> Iterator[str]:
    known = {one.id for one in (*before.pending_dialogs, *before.recent_dialogs)}
    dialogs = (*now.recent_dialogs, *now.pending_dialogs)
    for dialog in dialogs:
        if dialog.id not in known and dialog.tab_id == tab_id:
            yield f"dialog {dialog.id} opened"
    asked = {one.id for one in before.prompts}
    yield from (f"{one.id} asks" for one in now.prompts if one.id not in asked)
    for tab in now.tabs.values():
        if tab.tab_id not in before.tabs and tab.opener_tab_id in (tab_id, None, ""):
            yield f"tab {tab.tab_id} opened"
    if tab_id in before.tabs and tab_id not in now.tabs:
        yield f"tab {tab_id} closed"
    begun = {one.id for one in before.downloads}
    for download in now.downloads:
        if download.id not in begun:
            yield f"download {download.id} began"
    last = before.console_errors[-1].number if before.console_errors else 0
    errors = [one for one in now.console_errors if one.number > last and one.tab_id == tab_id]
    if errors:
        yield f"{len(errors)} console error{'s' if len(errors) > 1 else ''}"
    yield from _failed(before, now, tab_id)


def _title(before: SupervisorState, now: SupervisorState, tab_id: str) -> Iterator[str]:
    tab, was = now.tabs.get(tab_id), before.tabs.get(tab_id)
    if tab is not None and was is not None and tab.title != was.title:
        yield f"the title is now {quoted(tab.title[:_TEXT])}"


def _failed(before: SupervisorState, now: SupervisorState, tab_id: str) -> Iterator[str]:
    """Yield failed requests of a recorded tab."""
    log = now.network.get(tab_id)
    if log is None or not now.recording:
        return
    earlier = before.network.get(tab_id)
    known = earlier.requests if earlier is not None else {}
    for key, request in log.requests.items():
        was = known.get(key)
        if was is not None and was.ended:
            continue
        if request.error:
            yield f"{request.method} {_path(request.url)} failed: {request.error[:_TEXT]}"
        elif request.status is not None and request.status >= 400:
            yield f"{request.method} {_path(request.url)} failed {request.status}"


def _navigation(before: SupervisorState, now: SupervisorState, tab_id: str) -> Iterator[str]:
    top, was = now.top_frame(tab_id), before.top_frame(tab_id)
    if top is not None and was is not None:
        if top.navigating and not was.navigating:
            yield "the page is loading another document"
        if (top.loader_id, top.url) != (was.loader_id, was.url):
            yield f"went to {_place(top.url, was.url)}"


def frames_under_way(before: SupervisorState, now: SupervisorState, tab_id: str) -> Iterator[Frame]:
    """Yield the frames of a tab's document whose navigation began since ``before``."""
    for frame_id, frame in now.frames.items():
        was = before.frames.get(frame_id)
        begins = frame.navigating and not (was is not None and was.navigating)
        if begins and frame.parent_frame_id and now.tab_id_of_session(frame.session_id) == tab_id:
            yield frame


def _frames(
    before: SupervisorState,
    now: SupervisorState,
    tab_id: str,
    failed: Mapping[str, str],
    *,
    is_late: bool,
) -> Iterator[str]:
    """Yield where the frames of a document went that stands as before. Late, a frame that is new
    is probably an advertisement's."""
    top, was_top = now.top_frame(tab_id), before.top_frame(tab_id)
    if top is None or was_top is None or top.loader_id != was_top.loader_id:
        return
    for frame_id, frame in now.frames.items():
        was, place = before.frames.get(frame_id), _place(frame.url, top.url)
        if not frame.parent_frame_id or now.tab_id_of_session(frame.session_id) != tab_id:
            continue
        if was is None and (is_late or frame.url in _BLANK):
            continue
        if frame.unreachable and (was is None or was.loader_id != frame.loader_id):
            error = failed.get(frame.loader_id, "an error")
            behind = why_failed(now, frame.url, error, before.connections_failed)
            if behind is not None:
                error = "the network policy refuses it" if behind.why else behind.error
            yield f"a frame could not load {place}: {error}"
        elif was is None or was.url != frame.url:
            yield f"a frame {'went to' if was else 'came with'} {place}"
        elif frame.loader_id and was.loader_id and frame.loader_id != was.loader_id:
            yield f"a frame loaded {place} again"
    for frame in frames_under_way(before, now, tab_id):
        yield f"a frame is loading {_place(frame.bound_for, top.url)}"


def _page(told: list[DocumentEffect], *, is_late: bool) -> Iterator[str]:
    said = dict.fromkeys(text for one in told for text in one.said)
    yield from (f"announced {quoted(text[:_TEXT])}" for text in said)
    passed = dict.fromkeys(text for one in told for text in one.passed if text not in said)
    yield from (f"came and went: {quoted(text[:_TEXT])}" for text in passed)
    states = dict.fromkeys(state for one in told for state in one.states)
    for state in states:
        name = f" {quoted(state.name[:_TEXT])}" if state.name else ""
        yield f"{state.role or 'element'}{name} {state.state}"
    came, went = sum(one.came for one in told), sum(one.went for one in told)
    more = " or more" if any(one.is_more for one in told) else ""
    if came or went or more:
        text = next((one.text for one in told if one.text), "")
        first = f": {quoted(text[:_TEXT])}" if text and text not in said else ""
        counts = [f"{_lines(came)}{more} came{first}"] if came or more else []
        counts += [f"{went if counts else _lines(went)} went"] if went else []
        yield ", ".join(counts)
    elif (looks := sum(one.looks for one in told)) and not is_late:  # late, an animation ends
        yield f"{looks} element{'s' if looks > 1 else ''} changed class or style"
    failed = dict.fromkeys(request for one in told for request in one.failed)
    for one in failed:
        yield f"request to {_path(url_without_secrets(one.url))} failed {one.status}"


def _lines(count: int) -> str:
    return f"{count} line{'' if count == 1 else 's'}"


def _place(url: str, before: str) -> str:
    """Return a URL, as a path if it is on the same site."""
    there, here = urlsplit(url), urlsplit(before)
    if (there.scheme, there.netloc) == (here.scheme, here.netloc) and there.netloc:
        return _path(url)
    return quoted(_cut(url))


def _path(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path or "/"
    path += f"?{parts.query}" if parts.query else ""
    path += f"#{parts.fragment}" if parts.fragment else ""
    return quoted(_cut(path))


def _cut(text: str) -> str:
    return text if len(text) <= _PATH else f"{text[: _PATH - 1]}…"
