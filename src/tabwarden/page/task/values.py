"""Convert a script's value to JSON, and its exception to an error.

Values that JSON can represent arrive directly. Any other value stays in the page, where
``serialize.js`` limits its size before it is sent. ``carry.js`` distinguishes the two kinds.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Container
from functools import cache
from importlib import resources
from typing import Any

from tabwarden.errors import JsError
from tabwarden.page.task.result import Done
from tabwarden.page.text import as_json, quoted
from tabwarden.protocol import repair_surrogates, runtime
from tabwarden.supervisor.runtime import Race

_WORLDS = 1_000

MAX_CHARS = 4_000_000
"""The maximum length of a returned value. A longer value is cut, and a note says so."""
GROUP = "tabwarden-evaluate"
"""The object group of a script's handles, so that they can be released together."""


GONE = Done(note="gone")
"""The script's element is no longer in the page."""


class Serializers:
    """Handles of the ``carry.js`` object, keyed by world. The object contains the serializer, so
    calls need not send the serializer's code again. Pages can't see the object."""

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str], str] = OrderedDict()

    def forget(self, worlds: Container[str] | None = None) -> None:
        """Forget the handles of these worlds, or all."""
        for key in [key for key in self._handles if worlds is None or key[1] in worlds]:
            del self._handles[key]

    def known(self, session_id: str, unique_id: str) -> str | None:
        """Return the handle for a world, if known. Thread-safe."""
        return self._handles.get((session_id, unique_id))

    async def of(self, race: Race, session_id: str, unique_id: str) -> str:
        """Return the handle for a world. The handle is valid in only one CDP session."""
        key = session_id, unique_id
        known = self._handles.get(key)
        if known is not None:
            return known
        made = await race.call(
            runtime.Evaluate(expression=_carrier(), unique_context_id=unique_id), session_id
        )
        self._handles[key] = made.result.object_id or ""
        if len(self._handles) > _WORLDS:
            self._handles.popitem(last=False)  # the document is long gone
        return self._handles[key]


def returning(expression: str, *, given: bool = False, of_ref: bool = False) -> str:
    """Return the source of a function that awaits an expression and returns its value.

    No script uses the function's parameter names. With ``of_ref``, the first of the caller's
    arguments is an element that must still be in the page. A value that JSON can't represent is
    returned as ``{$: text}``. The function is short, because the browser parses it at each call.
    """
    check = "if (!$given[0].isConnected) return { $gone: true }; " if of_ref else ""
    named = "$carry, ...$given" if given else "$carry"
    return f"async function ({named}) {{ {check}return $carry(await {expression}); }}"


def read(race: Race, session_id: str, done: runtime.CallFunctionOnResult) -> Done:
    """Read the result of a function that ``returning`` made. Raise ``JsError`` if the function
    threw."""
    if done.exception_details is not None:
        race.start(runtime.ReleaseObjectGroup(object_group=GROUP), session_id)
        raise _js_error(done.exception_details, before=1)
    value = done.result.value
    if not isinstance(value, dict):
        return _done(done.result)
    return GONE if "$gone" in value else _unpacked(value.get("$"))


def did_not_parse(done: runtime.CallFunctionOnResult) -> bool:
    """Whether the script failed to compile. Unlike a thrown error, a compile error rejects no
    promise."""
    details = done.exception_details
    return (
        details is not None
        and "(in promise)" not in details.text
        and details.exception is not None
        and details.exception.class_name == "SyntaxError"
    )


async def value_of(
    race: Race,
    session_id: str,
    done: runtime.EvaluateResult | runtime.CallFunctionOnResult,
    *,
    may_wait: bool = True,
) -> Done:
    """Return a handle's value. If ``may_wait``, await a promise. Raise ``JsError`` if the script
    threw."""
    if done.exception_details is not None:
        raise _js_error(done.exception_details)
    result = done.result
    if result.object_id is None:
        return _done(result)
    awaits = may_wait and result.subtype == "promise"
    command = runtime.CallFunctionOn(
        object_id=result.object_id,
        function_declaration=(
            f"{'async ' * awaits}function () "
            f"{{ return {_serializer()}({'await ' * awaits}this, {MAX_CHARS}); }}"
        ),
        await_promise=awaits,
        return_by_value=True,
    )
    serialized = await race.call(command, session_id)
    race.start(runtime.ReleaseObjectGroup(object_group=GROUP), session_id)
    if serialized.exception_details is not None:
        raise _js_error(serialized.exception_details)
    return _unpacked(serialized.result.value)


def _unpacked(packed: Any) -> Done:
    """Read the result of ``serialize.js``. The page's own scripts may have broken it."""
    try:
        if isinstance(packed, str):  # values that arrived directly have no lone surrogates
            packed = json.loads(repair_surrogates(packed.encode()) if "\\ud" in packed else packed)
        return Done(packed["value"], packed["note"])
    except (ValueError, TypeError, KeyError):
        raise JsError(
            "The page replaced JSON.stringify, so the value could not be read.",
            'Run the script outside the page\'s own world (world: "isolated"), or return a string.',
            stack="",
            line=None,
        ) from None


UNDEFINED = "the script returned undefined"


def _done(result: runtime.RemoteObject) -> Done:
    """Return a value that arrived directly. A long string is cut."""
    value = _primitive(result)
    if result.type == "undefined":
        return Done(None, UNDEFINED)
    if not isinstance(value, str) or len(value) <= MAX_CHARS:
        return Done(value)
    return Done(f"{value[:MAX_CHARS]}…", f"a string of {len(value)} characters was cut")


def _primitive(result: runtime.RemoteObject) -> Any:
    if result.unserializable_value is not None:
        kind = "bigint" if result.type == "bigint" else "number"
        return {"$type": kind, "value": result.unserializable_value.removesuffix("n")}
    if result.type == "undefined":
        return None
    if result.type in ("symbol", "function"):
        return {"$type": result.type, "value": result.description}
    return result.value


def _js_error(details: runtime.ExceptionDetails, *, before: int = 0) -> JsError:
    """Return the error for a script's exception. ``before`` is the number of lines that the wrapper
    puts before the script."""
    thrown = details.exception
    if thrown is None:
        message = details.text
    elif thrown.description:
        message = thrown.description.partition("\n")[0]
    else:
        value = "undefined" if thrown.type == "undefined" else as_json(thrown.value)
        message = f"{details.text} {value}"
    return JsError(
        f"The script threw: {quoted(message[:1000])}.",
        "Correct the script, or look at the page with a snapshot first.",
        stack=(thrown.description if thrown and thrown.description else details.text)[:4000],
        line=_line(details, before),
    )


def _line(details: runtime.ExceptionDetails, before: int) -> int | None:
    """Return the error's line number, starting at 1. In the page's own scripts, lines count from
    the start of the document."""
    frames = details.stack_trace.call_frames if details.stack_trace else []
    if frames:
        return max(1, frames[0].line_number + 1 - (0 if frames[0].url else before))
    if "(in promise)" in details.text:  # a thrown value that is not an Error has no line
        return None
    return max(1, details.line_number + 1 - before)


@cache
def _carrier() -> str:
    return f"{_source('carry.js')}({_serializer()}, {MAX_CHARS})"


@cache
def _serializer() -> str:
    return _source("serialize.js")


def _source(name: str) -> str:
    source = (resources.files("tabwarden.page.task") / name).read_text("utf-8")
    return source[source.index("(function") :].strip()
