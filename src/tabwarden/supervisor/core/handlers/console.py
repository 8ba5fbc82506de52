"""The console: the last 50 errors, and the last 50 messages of any level."""

from __future__ import annotations

from typing import Literal

from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.state import CONSOLE_RING, ConsoleMessage
from tabwarden.supervisor.core.state.transition import Turn

LEVELS = ("debug", "info", "warning", "error")
_LEVEL_OF = {"error": "error", "assert": "error", "warning": "warning", "debug": "debug"}
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
    source: Literal["console", "exception"] = "console",
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
    if level == "error":
        turn.change(console_errors=(*turn.state.console_errors, message)[-CONSOLE_RING:])


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


EVENTS = ((runtime.ConsoleAPICalled, called), (runtime.ExceptionThrown, thrown))
INPUTS = ((inputs.ClearConsole, clear),)
