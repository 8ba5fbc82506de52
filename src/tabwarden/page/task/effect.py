"""Describe what an input did, in one line of facts. The line does not say whether the input worked.

The facts come from the walker's ``effectSeen`` in the tab's documents, and from the difference
between two supervisor states. This module formats the line and performs no I/O.
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
    """An element's changed state, such as ``now checked``."""

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
    """How many lines of text and controls appeared."""
    went: int = 0
    text: str = ""
    """The beginning of the first line that appeared."""
    said: tuple[str, ...] = ()
    """The texts of live regions that changed."""
    passed: tuple[str, ...] = ()
    """The texts that appeared and disappeared again, such as a toast's."""
    states: tuple[StateSeen, ...] = ()
    looks: int = 0
    """How many elements changed their class or style."""
    names: int = 0
    """How many elements have another name, description or value."""
    failed: tuple[FailedRequest, ...] = ()
    is_more: bool = False
    """Whether there were too many changes to count."""
    late: DocumentEffect | None = None
    """The effect that the previous input had after its result was returned."""


def document_effect(reply: Any) -> DocumentEffect | None:
    """Convert the walker's reply to an effect; None if the walker observed nothing."""
    return msgspec.convert(reply, DocumentEffect) if reply is not None else None


def effect_line(
    before: SupervisorState,
    now: SupervisorState,
    tab_id: str,
    documents: Iterable[DocumentEffect],
    *,
    under_way: Iterable[tuple[str, str]] = (),
    without_page: Iterable[tuple[int, str]] = (),
    for_programs: Iterable[str] = (),
    refused: Iterable[str] = (),
    failed: Mapping[str, str] = MappingProxyType({}),
    is_late: bool = False,
    tells_value: bool = False,
) -> str:
    """Return a line with the facts about an input's effect; "" if nothing is known.

    Args:
        before: the state when the action began.
        now: the current state.
        tab_id: the action's tab.
        documents: the effects in the tab's documents, in the order in which they were reported.
        under_way: the method and URL of each request that the result does not wait for.
        without_page: the status and URL of each response that left the current document in place.
        for_programs: the URLs for other programs to which a server redirected.
        refused: the browser's messages about actions that it refused.
        failed: the errors of documents that could not be loaded, keyed by loader ID.
        is_late: leave out the events that ``new_since_last`` reports, and return "" if nothing
            happened.
        tells_value: the result also has a value, such as the field's new content.
    """
    effects = list(documents)
    facts = [] if is_late else list(_events(before, now, tab_id))
    went = list(_navigation(before, now, tab_id))
    facts += [*went, *_frames(before, now, tab_id, failed, is_late=is_late)]
    facts += [f"the server answered {status} to {_path(url)}, so the page stays"
              for status, url in without_page]  # fmt: skip
    facts += [f"the server redirected to {quoted(url[:_PATH])}, which needs another program"
              for url in for_programs]  # fmt: skip
    facts += [f"the browser refused: {quoted(text[:_REFUSAL])}" for text in refused]
    facts += _page(effects, is_late=is_late)
    if not went:  # no event reports how the previous document's requests ended
        facts += [f"{method} {_path(url)} is in progress" for method, url in under_way]
    if not is_late:
        facts = facts or list(_title(before, now, tab_id))
    if facts:
        return _joined(facts)
    if is_late or not effects:
        return ""
    return f"{_NOTHING[tells_value]} in {max(one.ms for one in effects)} ms"


def above_changes(line: str) -> str:
    """Return an effect's line for use above a diff that shows changes. The changes in the diff may
    be older than the input, or of a kind that the documents don't report."""
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
    known_prompts = {one.id for one in before.prompts}
    yield from (f"prompt {one.id} opened" for one in now.prompts if one.id not in known_prompts)
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
    """Yield the navigations of frames if the top document is unchanged. With ``is_late``, skip new
    frames, because they are probably advertisements."""
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
            yield f"a {'frame went to' if was else 'new frame shows'} {place}"
        elif frame.loader_id and was.loader_id and frame.loader_id != was.loader_id:
            yield f"a frame loaded {place} again"
    for frame in frames_under_way(before, now, tab_id):
        yield f"a frame is loading {_place(frame.bound_for, top.url)}"


def _page(effects: list[DocumentEffect], *, is_late: bool) -> Iterator[str]:
    announced = dict.fromkeys(text for one in effects for text in one.said)
    yield from (f"announced {quoted(text[:_TEXT])}" for text in announced)
    passed = dict.fromkeys(text for one in effects for text in one.passed if text not in announced)
    yield from (f"appeared briefly: {quoted(text[:_TEXT])}" for text in passed)
    states = dict.fromkeys(state for one in effects for state in one.states)
    for state in states:
        name = f" {quoted(state.name[:_TEXT])}" if state.name else ""
        yield f"{state.role or 'element'}{name} {state.state}"
    came, went = sum(one.came for one in effects), sum(one.went for one in effects)
    more = " or more" if any(one.is_more for one in effects) else ""
    if came or went or more:
        text = next((one.text for one in effects if one.text), "")
        first = f": {quoted(text[:_TEXT])}" if text and text not in announced else ""
        counts = [f"{_lines(came)}{more} appeared{first}"] if came or more else []
        counts += [f"{went if counts else _lines(went)} disappeared"] if went else []
        yield ", ".join(counts)
    elif (looks := sum(one.looks for one in effects)) and not is_late:  # late: animations
        yield f"{looks} element{'s' if looks > 1 else ''} changed class or style"
    if names := sum(one.names for one in effects):
        yield f"{names} element{'s' if names > 1 else ''} changed name, description or value"
    failed = dict.fromkeys(request for one in effects for request in one.failed)
    for one in failed:
        yield f"request to {_path(url_without_secrets(one.url))} failed {one.status}"


def _lines(count: int) -> str:
    return f"{count} line{'' if count == 1 else 's'}"


def _place(url: str, before: str) -> str:
    """Return a URL, shortened to its path if it is on the same site."""
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
