"""Values: what a script gave, as JSON, and what it threw, as an error.

What JSON carries as it is came by value. Anything else is a handle, and is serialized in the page
by ``js/serialize.js``, so that no huge value travels; ``js/carry.js`` tells them apart.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import cache
from importlib import resources
from typing import Any

from tabwarden.errors import JsError
from tabwarden.page.line import as_json, quoted
from tabwarden.page.result import Done
from tabwarden.protocol import repair_surrogates, runtime
from tabwarden.supervisor import Race

__all__ = [
    "GONE",
    "GROUP",
    "MAX_CHARS",
    "Serializers",
    "did_not_parse",
    "read",
    "returning",
    "value_of",
]

_WORLDS = 1_000

MAX_CHARS = 4_000_000
"""Longest value that leaves the page; what is beyond is cut there, and said."""
GROUP = "tabwarden-evaluate"
"""The handles of a script's call, released together."""


GONE = Done(note="gone")
"""The element that the script was for is no longer in the page."""


class Serializers:
    """``js/carry.js``, with its serializer, as an object of each world that a script has run in.

    Pages can't see it, and it need not travel with each call.
    """

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str], str] = OrderedDict()

    def forget(self) -> None:
        """None of them is known any more."""
        self._handles.clear()

    def known(self, session_id: str, unique_id: str) -> str | None:
        """The handle in a world where it is; from any thread."""
        return self._handles.get((session_id, unique_id))

    async def of(self, race: Race, session_id: str, unique_id: str) -> str:
        """The handle in a world, by the world's ``uniqueId``; handles are a session's own."""
        key = session_id, unique_id
        known = self._handles.get(key)
        if known is not None:
            return known
        made = await race.call(
            runtime.Evaluate(expression=_carrier(), unique_context_id=unique_id), session_id
        )
        self._handles[key] = made.result.object_id or ""
        if len(self._handles) > _WORLDS:
            self._handles.popitem(last=False)  # gone with its document long ago
        return self._handles[key]


def returning(expression: str, *, given: bool = False, of_ref: bool = False) -> str:
    """A function of the serializer (and of what is given) that awaits an expression's value.

    What JSON can't carry by itself comes as ``{$: text}``. The names are no script's own. An
    element ``of_ref`` is given first, and has to be in the page still. It is parsed with each
    call, so what can stay in the page does, and it is no longer than it must be.
    """
    check = "if (!$given[0].isConnected) return { $gone: true }; " if of_ref else ""
    named = "$carry, ...$given" if given else "$carry"
    return f"async function ({named}) {{ {check}return $carry(await {expression}); }}"


def read(race: Race, session_id: str, done: runtime.CallFunctionOnResult) -> Done:
    """What a function made by ``returning`` gave.

    Raises:
        JsError: it threw; ``data`` has stack and line.
    """
    if done.exception_details is not None:
        race.start(runtime.ReleaseObjectGroup(object_group=GROUP), session_id)
        raise _js_error(done.exception_details, before=1)
    value = done.result.value
    if not isinstance(value, dict):
        return Done(_primitive(done.result))
    return GONE if "$gone" in value else _unpacked(value.get("$"))


def did_not_parse(done: runtime.CallFunctionOnResult) -> bool:
    """A compile error rejects no promise, so it is told apart from one that the script threw."""
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
    """The value behind a handle; a promise's too, where promises can settle.

    Raises:
        JsError: it threw; ``data`` has stack and line.
    """
    if done.exception_details is not None:
        raise _js_error(done.exception_details)
    result = done.result
    if result.object_id is None:
        return _cut(_primitive(result))
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
    """What ``js/serialize.js`` gave. It runs among the page's scripts, which may break it."""
    try:
        if isinstance(packed, str):  # (what came by value has no half surrogate pairs)
            packed = json.loads(repair_surrogates(packed.encode()) if "\\ud" in packed else packed)
        return Done(packed["value"], packed["note"])
    except (ValueError, TypeError, KeyError):
        raise JsError(
            "The page has put another function in the place of JSON.stringify, so the value "
            "could not be read.",
            'Run it where the page has changed nothing (world: "isolated"), or return a string.',
            stack="",
            line=None,
        ) from None


def _cut(value: Any) -> Done:
    """What came as it was: of statements the browser itself sends a string, and all of it."""
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
    """What a script threw.

    Args:
        details: as the browser says.
        before: lines that stand before the script in what it was made into.
    """
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
    """Where it was thrown, counted from 1; of the page's own scripts in their document."""
    frames = details.stack_trace.call_frames if details.stack_trace else []
    if frames:
        return max(1, frames[0].line_number + 1 - (0 if frames[0].url else before))
    if "(in promise)" in details.text:  # what was no Error has no place
        return None
    return max(1, details.line_number + 1 - before)


@cache
def _carrier() -> str:
    return f"{_source('carry.js')}({_serializer()}, {MAX_CHARS})"


@cache
def _serializer() -> str:
    return _source("serialize.js")


def _source(name: str) -> str:
    source = (resources.files("tabwarden.page") / "js" / name).read_text("utf-8")
    return source[source.index("(function") :].strip()
