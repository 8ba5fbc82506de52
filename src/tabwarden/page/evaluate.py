"""Evaluate: a script in a page, a frame or on an element, by value, within one deadline.

One round trip for what JSON carries as it is. The script is one command of the session, so nothing
else on the tab waits behind it.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import Cancelled, InvalidArgument, TargetCrashed
from tabwarden.page.aim import locate
from tabwarden.page.refs import Ref, stale
from tabwarden.page.result import Done
from tabwarden.page.task import RunningScript, Task
from tabwarden.page.values import GROUP, MAX_CHARS, value_of
from tabwarden.page.worlds import WorldGone, element, frame_not_found
from tabwarden.protocol import dom, page, runtime
from tabwarden.supervisor import (
    AGENT_WORLD_NAME,
    CommandRefused,
    ExecutionContext,
    Interrupted,
    NavigatedAway,
    Race,
    Tab,
)

__all__ = ["World", "evaluate"]

World: TypeAlias = Literal["main", "isolated"]

_PAUSED_MS = 1_000.0
_PAUSED_NOTE = (
    "A dialog waits: this was read behind it, and no promise settles until it is answered."
)
_FUNCTION = re.compile(r"^\s*(async\s+)?(function\b|\([^()]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)")
_RETURNS = re.compile(r"\breturn\b")
_TERMINATED = ("Internal error", "Execution was terminated")
"""What V8's inspector answers a script that ``Runtime.terminateExecution`` has stopped."""
_LEFT = re.compile(
    r"navigated or closed|context was destroyed|Cannot find (default execution )?context"
    r"|uniqueContextId not found|Session with given id not found|detached|process"
)
"""What it answers when the document went away under the script, or just before."""


class _Where(msgspec.Struct, frozen=True):
    """A world to run in."""

    session_id: str
    unique_id: str = ""
    """``""`` is the session's own default."""


async def evaluate(
    task: Task,
    race: Race,
    tab: Tab,
    script: str,
    *,
    ref: str | None = None,
    backend_node_id: int | None = None,
    frame_id: str | None = None,
    world: World = "main",
    args: tuple[Any, ...] = (),
) -> Done:
    """Run ``script``: an expression, a function (called with the element, then ``args``), or a
    statement body. Promises are awaited.

    Values that JSON lacks come back as ``{"$type": "undefined" | "number" | "bigint" | "date" |
    "map" | ..., "value": ...}``.

    Raises:
        JsError: it threw; ``data`` has stack and line.
        Interrupted: its document went away meanwhile.
        Cancelled: it was stopped by the rescue of the tab, for another call.
        StaleRef, UnknownRef, FrameNotFound: where it should run isn't there.
        InvalidArgument: ``args`` are not JSON.
    """
    if not isinstance(script, str) or not script.strip():
        raise InvalidArgument("script is empty.", "Give a JavaScript expression.", field="script")
    if ref is not None and backend_node_id is not None:
        raise InvalidArgument("Give ref or backend_node_id, not both.", field="backend_node_id")
    paused = bool(task.state.dialogs_of(tab.tab_id))
    with _running(task, tab.tab_id, race.budget):
        try:
            if ref is not None or backend_node_id is not None:
                at = await _element(task, race, tab, ref, backend_node_id, frame_id, world)
                return await _on_element(race, at, script, args, paused=paused)
            where = await _where(task, race, tab, frame_id, world)
            if paused and not args:
                return await _behind_dialog(race, where, script)
            if not args and not _FUNCTION.match(script):
                return await _expression(race, where, script)
            return await _function(task, race, where, script, args, paused=paused)
        except CommandRefused as refused:
            raise _cut_short(task, tab, frame_id, refused) from None


@contextmanager
def _running(task: Task, tab_id: str, budget: Budget) -> Iterator[None]:
    """While a script of the agent's runs, no other call's rescue may take it for a hang."""
    running = task.scripts.setdefault(tab_id, [])
    script = RunningScript(time.monotonic(), budget)
    running.append(script)
    try:
        yield
    finally:
        running.remove(script)
        if not running:
            task.scripts.pop(tab_id, None)


# -- where -----------------------------------------------------------------------------------


async def _where(task: Task, race: Race, tab: Tab, frame_id: str | None, world: World) -> _Where:
    if world == "main" and frame_id is None:
        return _Where(tab.session_id or "")
    wanted = frame_id or task.state.top_frame_id(tab.tab_id) or ""
    if wanted not in task.state.frames:
        raise frame_not_found(wanted)
    if world == "isolated":
        return await _isolated(task, race, wanted)
    context = task.state.contexts.get(wanted) or await _forced(task, race, wanted)
    return _Where(context.session_id, context.unique_id)


async def _isolated(task: Task, race: Race, frame_id: str) -> _Where:
    made = task.state.agent_worlds.get(frame_id)
    if made is None:
        command = page.CreateIsolatedWorld(frame_id=frame_id, world_name=AGENT_WORLD_NAME)
        await race.call(command, task.state.frames[frame_id].session_id)
        made = task.state.agent_worlds.get(frame_id)  # its event arrives before the reply
    if made is None:
        raise frame_not_found(frame_id)
    return _Where(made.session_id, made.unique_id)


async def _forced(task: Task, race: Race, frame_id: str) -> ExecutionContext:
    """The main world of a document that has run no script: made when a node of it is asked for."""
    apart = await _isolated(task, race, frame_id)
    document = await race.call(
        runtime.Evaluate(expression="document", unique_context_id=apart.unique_id), apart.session_id
    )
    described = await race.call(
        dom.DescribeNode(object_id=document.result.object_id or ""), apart.session_id
    )
    node_id = described.node.backend_node_id
    await race.call(dom.ResolveNode(backend_node_id=node_id, object_group=GROUP), apart.session_id)
    context = task.state.contexts.get(frame_id)
    if context is None:
        raise frame_not_found(frame_id)
    return context


class _Element(msgspec.Struct, frozen=True):
    """An element, as an object of the world that the script runs in."""

    session_id: str
    object_id: str


async def _element(
    task: Task,
    race: Race,
    tab: Tab,
    ref: str | None,
    backend_node_id: int | None,
    frame_id: str | None,
    world: World,
) -> _Element:
    """``DOM.resolveNode``, into the world that is asked for."""
    if ref is not None:
        found = task.refs.find(ref)
        session_id, node_id = await _node_of(task, race, found)
        where = await _where(task, race, tab, found.frame_id, world)
    else:
        where = await _where(task, race, tab, frame_id, world)
        session_id, node_id = where.session_id, backend_node_id or 0
    known = task.state.contexts if world == "main" else task.state.agent_worlds
    context = next((c for c in known.values() if c.unique_id == where.unique_id), None)
    try:
        resolved = await race.call(
            dom.ResolveNode(
                backend_node_id=node_id,
                # A node that is named by its id alone goes where its own document is.
                execution_context_id=context.context_id if context else msgspec.UNSET,
                object_group=GROUP,
            ),
            session_id,
        )
    except CommandRefused as refused:
        if ref is not None:
            raise stale(found, "it is no longer in the page") from refused
        raise InvalidArgument(
            f"There is no node {backend_node_id} in this page or frame: {refused.error}.",
            "backendNodeIds are of one process: name the frame too (frame_id), or use a ref.",
            field="backend_node_id",
        ) from None
    return _Element(session_id, resolved.object.object_id or "")


async def _node_of(task: Task, race: Race, ref: Ref) -> tuple[str, int]:
    """The session and the backendNodeId of a ref's element."""
    world = await locate(task, race, ref)
    try:
        object_id = await element(race, world, ref.local_id)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced") from gone
    if object_id is None:
        raise stale(ref, "it is no longer in the page")
    try:
        described = await race.call(dom.DescribeNode(object_id=object_id), world.session_id)
    except CommandRefused as refused:
        raise stale(ref, "it is no longer in the page") from refused
    return world.session_id, described.node.backend_node_id


# -- running ---------------------------------------------------------------------------------


async def _expression(race: Race, where: _Where, script: str) -> Done:
    """An expression; if it doesn't parse as one, statements. Nothing ran in between."""
    done = await _run(race, where, _as_expression(script))
    if _did_not_parse(done):
        if _RETURNS.search(script):
            done = await _run(race, where, f"(async () => {{\n{script}\n}})()")
        else:
            done = await _run(race, where, script, repl=True)
    return await value_of(race, where.session_id, done)


async def _behind_dialog(race: Race, where: _Where, script: str) -> Done:
    """While a dialog pauses the page: at once, bounded, and without awaiting anything."""
    expression = f"({script})()" if _FUNCTION.match(script) else script
    done = await race.call(
        runtime.Evaluate(
            expression=expression,
            object_group=GROUP,
            timeout=min(_PAUSED_MS, race.budget.remaining_ms() * 0.5),
            unique_context_id=where.unique_id or msgspec.UNSET,
        ),
        where.session_id,
    )
    read = await value_of(race, where.session_id, done)
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
            object_group=GROUP,
            unique_context_id=where.unique_id or msgspec.UNSET,
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
    args: tuple[Any, ...],
    *,
    paused: bool,
) -> Done:
    command = runtime.CallFunctionOn(
        function_declaration=_declared(script, paused=paused),
        arguments=_arguments(args),
        await_promise=not paused,
        user_gesture=True,
        object_group=GROUP,
        unique_context_id=where.unique_id or _default_context(task, where),
    )
    called = await race.call(command, where.session_id)
    return await value_of(race, where.session_id, called)


async def _on_element(
    race: Race, at: _Element, script: str, args: tuple[Any, ...], *, paused: bool
) -> Done:
    handle = runtime.CallArgument(object_id=at.object_id)
    command = runtime.CallFunctionOn(
        function_declaration=_declared(script, paused=paused),
        object_id=at.object_id,
        arguments=[handle, *_arguments(args)],
        await_promise=not paused,
        user_gesture=True,
        object_group=GROUP,
    )
    called = await race.call(command, at.session_id)
    return await value_of(race, at.session_id, called)


def _declared(script: str, *, paused: bool) -> str:
    body = script if _FUNCTION.match(script) else f"(element, ...args) => (\n{script}\n)"
    if paused:
        return f"function (...all) {{ return (\n{body}\n)(...all); }}"
    return f"async function (...all) {{ return await (\n{body}\n)(...all); }}"


def _default_context(task: Task, where: _Where) -> str:
    session = task.state.sessions[where.session_id]
    top = task.state.top_frame_id(session.tab_id) or session.target_id
    context = task.state.contexts.get(top)
    if context is None:
        raise frame_not_found(top)
    return context.unique_id


def _arguments(args: tuple[Any, ...]) -> list[runtime.CallArgument]:
    return [runtime.CallArgument(value=_json_ready(argument)) for argument in args]


def _json_ready(argument: Any) -> Any:
    try:
        return json.loads(json.dumps(argument))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"args must be JSON values: {error}.", "Pass strings, numbers, lists.", field="args"
        ) from None


def _cut_short(task: Task, tab: Tab, frame_id: str | None, refused: CommandRefused) -> Exception:
    """Why a script did not come to its end, from the browser's words for it."""
    words = refused.error.message
    if words in _TERMINATED:
        return Cancelled(
            "The script was stopped: another call on this tab ran out of time, and what ran then "
            "was stopped to free the tab.",
            "Run it again; give the other calls a tab of their own.",
            tab_id=tab.tab_id,
        )
    wanted = frame_id or task.state.top_frame_id(tab.tab_id) or ""
    frame = task.state.frames.get(wanted)
    if frame is None:
        return frame_not_found(wanted)
    if "crashed" in words:
        return TargetCrashed(
            f"The frame {wanted} crashed while the script ran.",
            "The rest of the page works: take a snapshot, or reload it (browser_reload).",
            tab_id=tab.tab_id,
            frame_id=wanted,
        )
    if _LEFT.search(words):
        return Interrupted(NavigatedAway(frame_id=wanted, url=frame.url))
    return refused
