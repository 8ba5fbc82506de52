"""Hints: sentences that suggest the next step.

Calls and parameters in a hint are kept as data, because each interface formats them differently: as
a tool call, a command, a request or a method.

To change:

- how each interface formats a call in a hint: ``hints.py`` (Python, MCP),
  ``surfaces/daemon/server.py`` (commands), ``surfaces/http/hints.py``, a toolset's ``call``;
  ``actions/result_text.py`` and ``surfaces/cli/output.py`` print the hint
"""

from __future__ import annotations

import json

TYPE_CHECKING = False  # importing typing would take longer than the rest of this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    Part: TypeAlias = "str | Next | tuple[str, Next]"

__all__ = [
    "MORE_TIME", "OPEN_AGAIN", "OTHER_TAB", "Hint", "Next", "Param", "as_function", "joined",
    "render", "tool_call",
]  # fmt: skip


class Next:
    """A call that the reader can make next.

    Args:
        action: the action's name in the registry.
        arguments: the arguments by name; ``"..."`` means a value that the reader chooses.
    """

    __slots__ = ("action", "arguments")

    def __init__(self, action: str, /, **arguments: Any) -> None:
        self.action = action
        self.arguments = arguments


class Param(str):
    __slots__ = ()


class Hint(str):
    """Text that may contain calls, such as ``Hint("Reload it", Next("reload"), ".")``.

    A ``Next`` is shown as the word "with" and the call. Both are omitted if the reader can't make
    the call, so the sentence must be complete without them. A tuple ``("; more: ", Next(...))`` is
    shown as its text plus the call, or omitted as a whole. As a ``str``, a hint shows the calls as
    ``Browser`` methods; ``render`` formats them for another interface. String formatting and ``+``
    lose the calls. To combine hints, put a hint into another hint, or use ``joined``.
    """

    __slots__ = ("parts",)

    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Hint:
        flat: list[Part] = []
        for part in parts:
            flat += part.parts if isinstance(part, Hint) else (part,)
        hint = super().__new__(cls, _words(flat, _method, str))
        hint.parts = tuple(flat)
        return hint

    def changed(self, change: Callable[[Any], Any]) -> Hint:
        """Return the hint with changed texts and arguments.

        Args:
            change: returns the replacement for a text, or for a call's arguments.
        """
        return Hint(*(_changed(part, change) for part in self.parts))


def joined(*texts: str, by: str = " ") -> str:
    """Join the nonempty texts into a hint that keeps their calls as data."""
    parts = [part for text in texts if text for part in (by, text)][1:]
    return Hint(*parts) if any(isinstance(part, Hint) for part in parts) else "".join(parts)


def render(text: str, call: Callable[[Next], str], parameter: Callable[[str], str] = str) -> str:
    """Format a text for one interface.

    Args:
        text: plain text, or a ``Hint``, which may contain calls.
        call: returns the text for a call; ``""`` if the reader can't make the call.
        parameter: returns the text for a parameter.
    """
    return _words(text.parts, call, parameter) if isinstance(text, Hint) else text


def as_function(
    name: str, arguments: Mapping[str, Any], literal: Callable[[Any], str] = repr
) -> str:
    """Return a call as ``name(key=value)``."""
    return f"{name}({', '.join(f'{key}={literal(value)}' for key, value in arguments.items())})"


def tool_call(step: Next) -> str:
    """Return a call as a model would write it: ``browser_tabs(mode="close")``."""
    tool = f"browser_{step.action}"
    return as_function(tool, step.arguments, json.dumps) if step.arguments else tool


def _words(
    parts: Iterable[Part],
    call: Callable[[Next], str],
    parameter: Callable[[str], str],
) -> str:
    words = ""
    for part in parts:
        if isinstance(part, str):
            words += parameter(part) if isinstance(part, Param) else part
            continue
        before, step = (" with ", part) if isinstance(part, Next) else part
        if named := call(step):
            words += before + named
    return words


def _changed(part: Part, change: Callable[[Any], Any]) -> Part:
    if isinstance(part, Param):
        return part
    if isinstance(part, Next):
        return Next(part.action, **change(part.arguments))
    if isinstance(part, tuple):
        text, step = part
        return change(text), Next(step.action, **change(step.arguments))
    changed: str = change(part)
    return changed


def _method(step: Next) -> str:
    if step.action in ("open", "connect"):
        return "Browser.launch()" if step.action == "open" else ""
    method = "goto" if step.action == "navigate" else step.action
    return as_function(f"browser.{method}", step.arguments)


MORE_TIME = Hint("allow more time (", Param("timeout_ms"), ")")
OPEN_AGAIN = Hint("Open a new browser", Next("open"), ". The old browser's pages are lost.")
OTHER_TAB = Hint(
    "List the tabs", Next("tabs", mode="list"), " and use another tab, or open a new one."
)
