"""The console: the pages' last 50 errors, and the last 200 messages of any level.

The messages are the page's own, and the browser's about the page: what a policy blocked, and why.
"""

from __future__ import annotations

import re

from tabwarden.protocol import log, runtime
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.state import CONSOLE_RING, ERRORS_RING, ConsoleMessage
from tabwarden.supervisor.core.state.transition import Turn

LEVELS = ("debug", "info", "warning", "error")
_LEVEL_OF = {"error": "error", "assert": "error", "warning": "warning", "debug": "debug"}
_BROWSERS_LEVEL_OF = {"verbose": "debug", "info": "info", "warning": "warning"}
_PAGES_OWN = ("console", "exception")
_FAILED_REQUEST = "Failed to load resource"
"""The browser's message about a failed request, which the network log has."""
_NO_DOWNLOAD = "Download is disallowed."
"""The browser's message about a sandboxed frame's download (Chromium 156; the headless shell 153
blocks the download, but sends no message).
"""
_NETWORK = re.compile(r"Permission was denied for this request to access the `(\w+)` address space")
_QUIET = {"clear", "endGroup", "startGroup", "startGroupCollapsed", "profile", "profileEnd"}
_TEXT_MAX = 2_000
_PROPERTIES = 20


def called(turn: Turn, event: runtime.ConsoleAPICalled, session_id: str | None) -> None:
    if event.type in _QUIET:
        return
    stack = event.stack_trace.call_frames if event.stack_trace else []
    _add(
        turn,
        session_id,
        level=_LEVEL_OF.get(event.type, "info"),
        text=" ".join(_words(argument) for argument in event.args),
        url=stack[0].url if stack else "",
        line=stack[0].line_number + 1 if stack else None,
    )


def thrown(turn: Turn, event: runtime.ExceptionThrown, session_id: str | None) -> None:
    details = event.exception_details
    description = details.exception.description if details.exception else None
    _add(
        turn,
        session_id,
        level="error",
        text=description or details.text,
        url=details.url or "",
        line=details.line_number + 1,
        source="exception",
    )


def logged(turn: Turn, event: log.EntryAdded, session_id: str | None) -> None:
    entry = event.entry
    network = _NETWORK.search(entry.text)
    if network is not None and (tab := turn.state.tab_of_session(session_id)) is not None:
        turn.note(tab.tab_id, "permission", "", f"{network[1]}-network: denied")
    if entry.text.startswith(_NO_DOWNLOAD) and entry.source == "other":
        tab_id = turn.state.tab_id_of_session(session_id)
        if turn.note(tab_id, "download", "", entry.text):
            turn.record("download", tab_id, status="blocked")
    if not entry.text.startswith(_FAILED_REQUEST):
        _add(
            turn,
            session_id,
            level=_BROWSERS_LEVEL_OF.get(entry.level, "error"),
            text=entry.text,
            url=entry.url or "",
            line=entry.line_number + 1 if entry.line_number is not None else None,
            source=entry.source,
        )


def explains_refusal(entry: log.LogEntry) -> bool:
    """Whether the browser's message explains why an action had no effect."""
    is_about_refusal = entry.level == "error" or entry.source in ("security", "intervention")
    return is_about_refusal and not entry.text.startswith(_FAILED_REQUEST)


def clear(turn: Turn, input_: inputs.ClearConsole) -> None:
    state = turn.state
    turn.change(
        console=tuple(m for m in state.console if m.tab_id != input_.tab_id),
        console_errors=tuple(m for m in state.console_errors if m.tab_id != input_.tab_id),
    )


def _add(
    turn: Turn,
    session_id: str | None,
    *,
    level: str,
    text: str,
    url: str,
    line: int | None,
    source: str = "console",
) -> None:
    tab = turn.state.tab_of_session(session_id)
    if tab is None:
        return
    number = turn.state.next_console
    message = ConsoleMessage(
        number=number,
        level=level,
        text=text if len(text) <= _TEXT_MAX else text[: _TEXT_MAX - 1] + "…",
        url=url,
        line=line,
        tab_id=tab.tab_id,
        at=turn.now.wall,
        source=source,
    )
    turn.change(
        next_console=number + 1,
        console=(*turn.state.console, message)[-CONSOLE_RING:],
    )
    turn.put("console_counts", tab.tab_id, turn.state.console_counts.get(tab.tab_id, 0) + 1)
    if level == "error" and source in _PAGES_OWN:
        turn.change(console_errors=(*turn.state.console_errors, message)[-ERRORS_RING:])


def _words(argument: runtime.RemoteObject) -> str:
    if isinstance(argument.value, bool):
        return str(argument.value).lower()
    if argument.value is not None:
        return str(argument.value)
    is_plain = argument.subtype == "array" or argument.description == "Object"
    if argument.preview is not None and is_plain:
        return _previewed(argument.preview)
    if argument.subtype == "null":
        return "null"
    return argument.description or argument.unserializable_value or argument.type


def _previewed(preview: runtime.ObjectPreview) -> str:
    """Format a plain object or an array as the browser's console does, with its first
    properties.
    """
    is_array = preview.subtype == "array"
    parts = [
        ("" if is_array else f"{one.name}: ") + (one.value or one.type)
        for one in preview.properties[:_PROPERTIES]
    ]
    if preview.overflow or len(preview.properties) > _PROPERTIES:
        parts.append("…")
    return ("[{}]" if is_array else "{{{}}}").format(", ".join(parts))


EVENTS = (
    (runtime.ConsoleAPICalled, called),
    (runtime.ExceptionThrown, thrown),
    (log.EntryAdded, logged),
)
INPUTS = ((inputs.ClearConsole, clear),)
