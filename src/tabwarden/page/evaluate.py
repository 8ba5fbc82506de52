"""Evaluate: a script in a page, a frame or on an element, by value, within one deadline.

One round trip for what JSON carries as it is. The script is one command of the session, so nothing
else on the tab waits behind it.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from tabwarden.errors import Cancelled, InvalidArgument, TargetCrashed
from tabwarden.page.attempts import Where, attempt
from tabwarden.page.element import element_of
from tabwarden.page.heal import heal, healing, node_of
from tabwarden.page.refs import Ref, stale
from tabwarden.page.result import Done
from tabwarden.page.script import (
    arguments,
    as_function,
    is_function,
)
from tabwarden.page.task import Task
from tabwarden.page.values import GONE, GROUP, value_of
from tabwarden.page.worlds import frame_not_found
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

__all__ = [
    "World",
    "evaluate",
    "nothing_ran",
    "why_cut_short",
]

World: TypeAlias = Literal["main", "isolated"]

_PAUSED_MS = 1_000.0
_PAUSED_NOTE = (
    "A dialog waits: this was read behind it, and no promise settles until it is answered."
)
_TRIES = 4
_NOT_BEGUN = re.compile(
    "Could not find object with given id|Cannot find context with specified id"
    "|uniqueContextId not found|does not belong to the document"
)
"""The document was left before the script began, or somebody has released our handles
(``Runtime.releaseObjectGroup``): nothing ran."""
_TERMINATED = ("Internal error", "Execution was terminated")
"""What V8's inspector answers a script that ``Runtime.terminateExecution`` has stopped."""
_LEFT = re.compile(
    r"navigated or closed|context was destroyed|Cannot find (default execution )?context"
    r"|uniqueContextId not found|Session with given id not found|detached|process"
)
"""What it answers when the document went away under the script, or just before."""


def check(script: Any, args: Any) -> None:
    """Refuse what is no script, or no list to hand to it.

    Raises:
        InvalidArgument: it isn't.
    """
    if not isinstance(script, str):
        raise InvalidArgument(
            f"script must be a string, not {repr(script)[:100]}.",
            "Give a JavaScript expression.",
            field="script",
        )
    if not script.strip():
        raise InvalidArgument("script is empty.", "Give a JavaScript expression.", field="script")
    if not isinstance(args, list | tuple):
        raise InvalidArgument(
            f"args must be a list, not {repr(args)[:100]}.",
            "The function is called with what is in it.",
            field="args",
        )


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
    if ref is not None and backend_node_id is not None:
        raise InvalidArgument("Give ref or backend_node_id, not both.", field="backend_node_id")
    given = arguments(args)
    if ref is not None:
        ref = (await element_of(task, race, tab, ref, hidden=True)).ref
    named = _Named(ref, backend_node_id)
    try:
        for _ in range(_TRIES - 1):
            try:
                return await _evaluated(task, race, tab, script, named, frame_id, world, given)
            except CommandRefused as refused:
                if not nothing_ran(task, refused):
                    raise
        return await _evaluated(task, race, tab, script, named, frame_id, world, given)
    except CommandRefused as refused:
        raise why_cut_short(task, tab, frame_id, refused) from None


def nothing_ran(task: Task, refused: CommandRefused) -> bool:
    """Whether a script was refused before it began: then our handles there are gone, too."""
    if not _NOT_BEGUN.search(refused.error.message):
        return False
    task.handles.forget()
    task.serializers.forget()
    return True


class _Named(NamedTuple):
    """The element that a script is for, as the agent names it; neither: it is for none."""

    ref: str | None
    backend_node_id: int | None


async def _evaluated(
    task: Task,
    race: Race,
    tab: Tab,
    script: str,
    named: _Named,
    frame_id: str | None,
    world: World,
    given: list[runtime.CallArgument],
) -> Done:
    if named == (None, None):
        where = await _where(task, race, tab, frame_id, world)
    else:
        where, handle = await _element(task, race, tab, named, frame_id, world)
        given = [runtime.CallArgument(object_id=handle), *given]
    if task.state.dialogs_of(tab.tab_id):
        return await _behind_dialog(race, where, script, given)
    done = await attempt(task, race, where, script, given, of_ref=named.ref is not None)
    if done is not GONE:
        return done
    healed = await heal(task, race, task.refs.find(named.ref or ""))  # the script did not run
    where, handle = await _element(task, race, tab, named, frame_id, world)
    given = [runtime.CallArgument(object_id=handle), *given[1:]]
    done = await attempt(task, race, where, script, given, of_ref=True)
    if done is GONE:
        raise stale(healed, "it is no longer in the page")
    return done


# -- where -----------------------------------------------------------------------------------


async def _where(task: Task, race: Race, tab: Tab, frame_id: str | None, world: World) -> Where:
    wanted = frame_id or task.state.top_frame_id(tab.tab_id) or ""
    if wanted not in task.state.frames:
        raise frame_not_found(wanted)
    if world == "isolated":
        return await _isolated(task, race, wanted)
    context = task.state.contexts.get(wanted) or await _forced(task, race, wanted)
    return Where(context.session_id, context.unique_id)


async def _isolated(task: Task, race: Race, frame_id: str) -> Where:
    made = task.state.agent_worlds.get(frame_id)
    if made is None:
        command = page.CreateIsolatedWorld(frame_id=frame_id, world_name=AGENT_WORLD_NAME)
        await race.call(command, task.state.frames[frame_id].session_id)
        made = task.state.agent_worlds.get(frame_id)  # its event arrives before the reply
    if made is None:
        raise frame_not_found(frame_id)
    return Where(made.session_id, made.unique_id)


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


async def _element(
    task: Task,
    race: Race,
    tab: Tab,
    named: _Named,
    frame_id: str | None,
    world: World,
) -> tuple[Where, str]:
    """The world that the script runs in, and the element as an object of it."""
    if named.ref is None:
        where = await _where(task, race, tab, frame_id, world)
        return where, await _resolved(race, task, where, named.backend_node_id or 0, world)
    found = task.refs.find(named.ref)
    if found.frame_id not in task.state.frames:
        raise stale(found, "its frame is gone")
    where = await _where(task, race, tab, found.frame_id, world)
    known = task.handles.get(found.ref, where.session_id, where.unique_id)
    if known is not None:
        return where, known
    found, (session_id, node_id) = await healing(
        task, race, found, lambda ref, world: _node_of(task, race, ref, world)
    )
    try:
        handle = await _resolved(race, task, Where(session_id, where.unique_id), node_id, world)
    except InvalidArgument as gone:
        raise stale(found, "it is no longer in the page") from gone
    dropped = task.handles.keep(found.ref, session_id, where.unique_id, handle)
    if dropped is not None:
        race.start(runtime.ReleaseObject(object_id=dropped), session_id)
    return where, handle


async def _resolved(
    race: Race, task: Task, where: Where, backend_node_id: int, world: World
) -> str:
    """``DOM.resolveNode``, into that world."""
    known = task.state.contexts if world == "main" else task.state.agent_worlds
    context = next((c for c in known.values() if c.unique_id == where.unique_id), None)
    try:
        resolved = await race.call(
            dom.ResolveNode(
                backend_node_id=backend_node_id,
                execution_context_id=context.context_id if context else msgspec.UNSET,
            ),
            where.session_id,
        )
    except CommandRefused as refused:
        raise InvalidArgument(
            f"There is no node {backend_node_id} in this page or frame: {refused.error}.",
            "backendNodeIds are of one process: name the frame too (frame_id), or use a ref.",
            field="backend_node_id",
        ) from None
    return resolved.object.object_id or ""


async def _node_of(task: Task, race: Race, ref: Ref, world: ExecutionContext) -> tuple[str, int]:
    """The session and the backendNodeId of a ref's element."""
    return world.session_id, await node_of(task, race, ref, world)


# -- behind a dialog -------------------------------------------------------------------------


async def _behind_dialog(
    race: Race, where: Where, script: str, given: list[runtime.CallArgument]
) -> Done:
    """While a dialog pauses the page: at once, bounded, and without awaiting anything."""
    if given:
        command = runtime.CallFunctionOn(
            function_declaration=(
                f"function (...all) {{ return (\n{as_function(script)}\n)(...all); }}"
            ),
            arguments=given,
            object_group=GROUP,
            unique_context_id=where.unique_id,
        )
        done: Any = await race.call(command, where.session_id)
    else:
        evaluate = runtime.Evaluate(
            expression=f"({as_function(script)})()" if is_function(script) else script,
            object_group=GROUP,
            timeout=min(_PAUSED_MS, race.budget.remaining_ms() * 0.5),
            unique_context_id=where.unique_id,
        )
        done = await race.call(evaluate, where.session_id)
    read_behind = await value_of(race, where.session_id, done, may_wait=False)
    return Done(read_behind.value, " ".join(filter(None, [read_behind.note, _PAUSED_NOTE])))


def why_cut_short(task: Task, tab: Tab, frame_id: str | None, refused: CommandRefused) -> Exception:
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
