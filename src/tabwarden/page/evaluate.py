"""Evaluate: a script in the page's own world, by value, within one deadline.

One round trip for what JSON carries as it is. Anything else comes back as a handle and is
serialized in the page by ``js/serialize.js``, so that no huge value travels.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument, JsError
from tabwarden.page.aim import locate
from tabwarden.page.refs import stale
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, element, frame_not_found
from tabwarden.protocol import dom, runtime
from tabwarden.supervisor import CommandRefused, Race, Tab

__all__ = ["MAX_CHARS", "evaluate"]

MAX_CHARS = 4_000_000
"""Longest value that leaves the page; what is beyond is cut there, and said."""
_GROUP = "tabwarden-evaluate"
_PAUSED_MS = 1_000.0
_PAUSED_NOTE = (
    "A dialog waits: this was read behind it, and no promise settles until it is answered."
)
_FUNCTION = re.compile(r"^\s*(async\s+)?(function\b|\([^()]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)")
_RETURNS = re.compile(r"\breturn\b")


class _Where(msgspec.Struct, frozen=True):
    """A world to run in; ``context`` "" is the session's own default."""

    session_id: str
    context: str = ""


async def evaluate(
    task: Task,
    race: Race,
    tab: Tab,
    script: str,
    *,
    ref: str | None = None,
    frame_id: str | None = None,
    args: tuple[Any, ...] = (),
) -> Done:
    """Run ``script``: an expression, a function (called with the element, then ``args``), or a
    statement body. Promises are awaited.

    Values that JSON lacks come back as ``{"$type": "undefined" | "number" | "bigint" | "date" |
    "map" | ..., "value": ...}``.

    Raises:
        JsError: it threw; ``data`` has stack and line.
        StaleRef, UnknownRef, FrameNotFound: where it should run isn't there.
        InvalidArgument: ``args`` are not JSON.
    """
    if not isinstance(script, str) or not script.strip():
        raise InvalidArgument("script is empty.", "Give a JavaScript expression.", field="script")
    where = _where(task, tab, frame_id)
    paused = bool(task.state.dialogs_of(tab.tab_id))
    if paused and ref is None and not args:
        return await _behind_dialog(race, where, script)
    if ref is None and not args and not _FUNCTION.match(script):
        return await _expression(race, where, script)
    return await _function(task, race, where, script, ref, args, paused=paused)


def _where(task: Task, tab: Tab, frame_id: str | None) -> _Where:
    if frame_id is None:
        return _Where(tab.session_id or "")
    context = task.state.contexts.get(frame_id)
    if frame_id not in task.state.frames or context is None:
        raise frame_not_found(frame_id)
    return _Where(context.session_id, context.unique_id)


async def _expression(race: Race, where: _Where, script: str) -> Done:
    """An expression; if it doesn't parse as one, statements. Nothing ran in between."""
    done = await _run(race, where, _as_expression(script))
    if _did_not_parse(done):
        if _RETURNS.search(script):
            done = await _run(race, where, f"(async () => {{\n{script}\n}})()")
        else:
            done = await _run(race, where, script, repl=True)
    return await _value(race, where, done)


async def _behind_dialog(race: Race, where: _Where, script: str) -> Done:
    """While a dialog pauses the page: at once, bounded, and without awaiting anything."""
    expression = f"({script})()" if _FUNCTION.match(script) else script
    done = await race.call(
        runtime.Evaluate(
            expression=expression,
            object_group=_GROUP,
            timeout=min(_PAUSED_MS, race.budget.remaining_ms() * 0.5),
            unique_context_id=where.context or msgspec.UNSET,
        ),
        where.session_id,
    )
    read = await _value(race, where, done)
    return Done(read.value, " ".join(filter(None, [read.note, _PAUSED_NOTE])))


def _as_expression(script: str) -> str:
    # A long string is handed over as an object, to be cut by the serializer instead of travelling.
    return (
        f"(async () => {{ const value = await (\n{script}\n); "
        f"return typeof value === 'string' && value.length > {MAX_CHARS} ? [value] : value; }})()"
    )


async def _run(
    race: Race, where: _Where, expression: str, *, repl: bool = False
) -> runtime.EvaluateResult:
    return await race.call(
        runtime.Evaluate(
            expression=expression,
            await_promise=not repl,
            repl_mode=repl,
            user_gesture=True,
            object_group=_GROUP,
            unique_context_id=where.context or msgspec.UNSET,
        ),
        where.session_id,
    )


def _did_not_parse(done: runtime.EvaluateResult) -> bool:
    """A compile error rejects no promise, so it is told apart from one that the script threw."""
    details = done.exception_details
    return (
        details is not None
        and "(in promise)" not in details.text
        and details.exception is not None
        and details.exception.class_name == "SyntaxError"
    )


async def _function(
    task: Task,
    race: Race,
    where: _Where,
    script: str,
    ref: str | None,
    args: tuple[Any, ...],
    *,
    paused: bool,
) -> Done:
    arguments = [runtime.CallArgument(value=_json_ready(argument)) for argument in args]
    if ref is not None:
        where, object_id = await _in_main_world(task, race, ref)
        arguments.insert(0, runtime.CallArgument(object_id=object_id))
    body = script if _FUNCTION.match(script) else f"(element, ...args) => (\n{script}\n)"
    declared = f"async function (...all) {{ return await (\n{body}\n)(...all); }}"
    if paused:
        declared = f"function (...all) {{ return (\n{body}\n)(...all); }}"
    command = runtime.CallFunctionOn(
        function_declaration=declared,
        arguments=arguments,
        await_promise=not paused,
        user_gesture=True,
        object_group=_GROUP,
        unique_context_id=where.context or await _default_context(task, where),
    )
    called: runtime.CallFunctionOnResult = await race.call(command, where.session_id)
    return await _value(race, where, called)


async def _default_context(task: Task, where: _Where) -> str:
    session = task.state.sessions[where.session_id]
    top = task.state.top_frame_id(session.tab_id) or session.target_id
    context = task.state.contexts.get(top)
    if context is None:
        raise frame_not_found(top)
    return context.unique_id


async def _in_main_world(task: Task, race: Race, text: str) -> tuple[_Where, str]:
    """The element of a ref as an object of the page's own world (``DOM.resolveNode``)."""
    ref = task.refs.find(text)
    world = await locate(task, race, ref)
    main = task.state.contexts.get(ref.frame_id)
    try:
        object_id = await element(race, world, ref.local_id)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced") from gone
    if object_id is None or main is None:
        raise stale(ref, "it is no longer in the page")
    try:
        described = await race.call(dom.DescribeNode(object_id=object_id), world.session_id)
        resolved = await race.call(
            dom.ResolveNode(
                backend_node_id=described.node.backend_node_id,
                execution_context_id=main.context_id,
                object_group=_GROUP,
            ),
            world.session_id,
        )
    except CommandRefused as refused:
        raise stale(ref, "it is no longer in the page") from refused
    return _Where(main.session_id, main.unique_id), resolved.object.object_id or ""


async def _value(
    race: Race, where: _Where, done: runtime.EvaluateResult | runtime.CallFunctionOnResult
) -> Done:
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
    serialized = await race.call(command, where.session_id)
    race.start(runtime.ReleaseObjectGroup(object_group=_GROUP), where.session_id)
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


def _json_ready(argument: Any) -> Any:
    try:
        return json.loads(json.dumps(argument))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"args must be JSON values: {error}.", "Pass strings, numbers, lists.", field="args"
        ) from None


@cache
def _serializer() -> str:
    source = (resources.files("tabwarden.page") / "js" / "serialize.js").read_text("utf-8")
    return source[source.index("(function") :].strip()
