"""Values: what a script gave, as JSON, and what it threw, as an error.

What JSON carries as it is came by value. Anything else is a handle, and is serialized in the page
by ``js/serialize.js``, so that no huge value travels.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from tabwarden.errors import JsError
from tabwarden.page.result import Done
from tabwarden.protocol import runtime
from tabwarden.supervisor import Race

__all__ = ["GROUP", "MAX_CHARS", "value_of"]

MAX_CHARS = 4_000_000
"""Longest value that leaves the page; what is beyond is cut there, and said."""
GROUP = "tabwarden-evaluate"
"""The handles of a script's call, released together."""


async def value_of(
    race: Race,
    session_id: str,
    done: runtime.EvaluateResult | runtime.CallFunctionOnResult,
) -> Done:
    """The value that a script gave.

    Raises:
        JsError: it threw; ``data`` has stack and line.
    """
    if done.exception_details is not None:
        raise _js_error(done.exception_details)
    result = done.result
    if result.object_id is None:
        return Done(_primitive(result))
    command = runtime.CallFunctionOn(
        object_id=result.object_id,
        function_declaration=f"function (value) {{ return {_serializer()}(this, {MAX_CHARS}); }}",
        return_by_value=True,
    )
    serialized = await race.call(command, session_id)
    race.start(runtime.ReleaseObjectGroup(object_group=GROUP), session_id)
    if serialized.exception_details is not None:
        raise _js_error(serialized.exception_details)
    read = json.loads(serialized.result.value)
    if "string of" in read["note"] and isinstance(read["value"], list):
        return Done(read["value"][0], read["note"])
    return Done(read["value"], read["note"])


def _primitive(result: runtime.RemoteObject) -> Any:
    if result.unserializable_value is not None:
        kind = "bigint" if result.type == "bigint" else "number"
        return {"$type": kind, "value": result.unserializable_value.removesuffix("n")}
    if result.type == "undefined":
        return None
    if result.type in ("symbol", "function"):
        return {"$type": result.type, "value": result.description}
    return result.value


def _js_error(details: runtime.ExceptionDetails) -> JsError:
    thrown = details.exception
    if thrown is None:
        message = details.text
    elif thrown.description:
        message = thrown.description.partition("\n")[0]
    else:
        message = f"{details.text} {thrown.value!r}"
    frames = details.stack_trace.call_frames if details.stack_trace else []
    return JsError(
        f"The script threw: {message[:1000]}.",
        "Correct the script, or look at the page with a snapshot first.",
        stack=(thrown.description if thrown and thrown.description else details.text)[:4000],
        line=frames[0].line_number if frames else details.line_number,
    )


@cache
def _serializer() -> str:
    source = (resources.files("tabwarden.page") / "js" / "serialize.js").read_text("utf-8")
    return source[source.index("(function") :].strip()
