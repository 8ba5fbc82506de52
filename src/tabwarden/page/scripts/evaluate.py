"""Run a script in a page, in a frame or on an element, and return its value in time.

A script takes one round trip if JSON can represent its value. Other actions on the tab do not wait
for the script, because the script is a single command in the session.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

import msgspec
from pydantic import Field

from tabwarden.config import BrowserConfig
from tabwarden.errors import Cancelled, Disabled, InvalidArgument, TargetCrashed
from tabwarden.hints import Hint, Next
from tabwarden.page.elements import element_of, heal, healing, node_of
from tabwarden.page.scripts.script import Where, arguments, as_function, attempt, is_function
from tabwarden.page.scripts.timing import BEHIND_DIALOG_MS
from tabwarden.page.task import (
    GONE,
    GROUP,
    Call,
    Done,
    ForModels,
    FrameId,
    OptionalRef,
    Ref,
    Task,
    card,
    stale,
    value_of,
)
from tabwarden.page.walker import frame_not_found
from tabwarden.protocol import dom, page, runtime
from tabwarden.supervisor.core.handlers import AGENT_WORLD_NAME
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, NavigatedAway, Pending, Race
from tabwarden.telemetry.redaction import without_login

World: TypeAlias = Literal["main", "isolated"]

_PAUSED_NOTE = (
    "The script ran while a dialog was open. Promises don't settle until someone "
    "answers the dialog."
)
_TRIES = 4
_NOT_BEGUN = re.compile(
    "Could not find object with given id|Cannot find context with specified id"
    "|uniqueContextId not found|does not belong to the document"
)
"""The errors which mean that no script has run: the tab left the document before the script began,
or the handles were released (``Runtime.releaseObjectGroup``)."""
_TERMINATED = ("Internal error", "Execution was terminated")
"""The errors of V8 if ``Runtime.terminateExecution`` stopped a script."""
LEFT = re.compile(
    r"navigated or closed|context was destroyed|Cannot find (default execution )?context"
    r"|uniqueContextId not found|Session with given id not found|detached|process"
)
"""The browser's errors if the document was replaced while the script was running, or just
before."""


class Place(NamedTuple):
    """The world that a script runs in, and the handle of the caller's element, if any."""

    where: Where
    handle: str | None


class Asked(NamedTuple):
    """The arguments of ``evaluate``; see ``Browser.evaluate``."""

    script: str
    ref: str | None = None
    backend_node_id: int | None = None
    frame_id: str | None = None
    world: World = "main"
    args: Sequence[Any] = ()
    user_gesture: bool = True

    def checked(self, config: BrowserConfig) -> Self:
        """Return the checked arguments.

        Raises:
            Disabled: the configuration disables scripts.
            InvalidArgument: the script is empty, or ``args`` is a string.
        """
        if not config.evaluate_enabled:
            raise Disabled(
                "The configuration switches scripts off (evaluate_enabled: false).",
                "Use snapshot, click and type.",
            )
        if not self.script.strip():
            raise InvalidArgument(
                "script is empty.", "Give a JavaScript expression.", field="script"
            )
        if isinstance(self.args, str):
            raise InvalidArgument(
                f"args must be a list, not {repr(self.args)[:100]}.",
                "The list's items become the function's arguments.",
                field="args",
            )
        return self._replace(args=tuple(self.args))


class Sent(NamedTuple):
    """A script that has already been sent in its first form, as an expression or function."""

    place: Place
    pending: Pending[runtime.CallFunctionOnResult]


async def run(call: Call, asked: Asked, sent: Sent | None = None) -> Done:
    """Run a script: an expression, a function (called with the element, then ``args``), or
    statements. Await promises.

    With ``user_gesture``, the script counts as a user action, so it may open windows, play sound
    and use the clipboard.

    Values that JSON can't represent are returned as ``{"$type": "undefined" | "number" | "bigint" |
    "date" | "map" | ..., "value": ...}``.

    Raises:
        JsError: the script threw; ``data`` has the stack and the line.
        Interrupted: the document was replaced meanwhile.
        Cancelled: a rescue for another call on this tab stopped the script.
        StaleRef, UnknownRef, FrameNotFound: the element or frame does not exist.
        InvalidArgument: ``args`` are not JSON.
    """
    if asked.ref is not None and asked.backend_node_id is not None:
        raise InvalidArgument("Give ref or backend_node_id, not both.", field="backend_node_id")
    call_arguments = arguments(asked.args)
    if asked.ref is not None and sent is None:
        asked = asked._replace(ref=(await element_of(call, asked.ref, hidden=True)).ref)
    try:
        for _ in range(_TRIES - 1):
            try:
                return await _evaluated(call, asked, call_arguments, sent)
            except CommandRefused as refused:
                if not nothing_ran(call.task, refused):
                    raise
            sent = None
        return await _evaluated(call, asked, call_arguments)
    except CommandRefused as refused:
        raise why_cut_short(call.task, call.tab, asked.frame_id, refused) from None


def nothing_ran(task: Task, refused: CommandRefused) -> bool:
    """Whether a script was refused before it began. If so, forget the handles, because they are no
    longer valid."""
    if not _NOT_BEGUN.search(refused.error.message):
        return False
    task.handles.forget()
    task.serializers.forget()
    return True


async def _evaluated(
    call: Call, asked: Asked, call_arguments: list[runtime.CallArgument], sent: Sent | None = None
) -> Done:
    where, handle = sent.place if sent is not None else await _place(call, asked)
    if sent is None and call.state.dialogs_of(call.tab.tab_id):
        return await _behind_dialog(call.race, where, asked, of_element(handle, call_arguments))
    pending = sent.pending if sent is not None else None
    done = await _attempted(call, where, asked, of_element(handle, call_arguments), pending)
    if done is not GONE:
        return done
    healed = await heal(call, call.task.refs.find(asked.ref or ""))  # the script did not run
    where, handle = await _place(call, asked)
    done = await _attempted(call, where, asked, of_element(handle, call_arguments))
    if done is GONE:
        raise stale(healed, "it is no longer in the page")
    return done


async def _attempted(
    call: Call,
    where: Where,
    asked: Asked,
    call_arguments: list[runtime.CallArgument],
    sent: Pending[runtime.CallFunctionOnResult] | None = None,
) -> Done:
    return await attempt(
        call,
        where,
        asked.script,
        call_arguments,
        of_ref=asked.ref is not None,
        user_gesture=asked.user_gesture,
        sent=sent,
    )


def of_element(handle: str | None, given: list[runtime.CallArgument]) -> list[runtime.CallArgument]:
    """Return a script's arguments. The caller's element, if any, comes first."""
    return given if handle is None else [runtime.CallArgument(object_id=handle), *given]


# -- where -----------------------------------------------------------------------------------


def place_known(task: Task, state: SupervisorState, tab_id: str, asked: Asked) -> Place | None:
    """Return the place where a script runs, or None if only the browser knows it."""
    if asked.backend_node_id is not None:
        return None
    ref, frame_id = None, asked.frame_id
    if asked.ref is not None:
        known = task.refs.known(asked.ref)
        if known is None or known.tab_id != tab_id:
            return None
        ref, frame_id = known.ref, known.frame_id
    wanted = frame_id or state.top_frame_id(tab_id) or ""
    context = (state.contexts if asked.world == "main" else state.agent_worlds).get(wanted)
    if context is None or wanted not in state.frames:
        return None
    where = Where(context.session_id, context.unique_id)
    if ref is None:
        return Place(where, None)
    handle = task.handles.get(ref, where.session_id, where.unique_id)
    return None if handle is None else Place(where, handle)


async def _place(call: Call, asked: Asked) -> Place:
    known = place_known(call.task, call.state, call.tab.tab_id, asked)
    if known is not None:
        return known
    if asked.ref is not None:
        return await _place_of_ref(call, asked.ref, asked.world)
    where = await where_of(call, asked.frame_id, asked.world)
    if asked.backend_node_id is None:
        return Place(where, None)
    node_id = asked.backend_node_id
    return Place(where, await _resolved(call.race, call.task, where, node_id, asked.world))


async def where_of(call: Call, frame_id: str | None, world: World) -> Where:
    wanted = frame_id or call.state.top_frame_id(call.tab.tab_id) or ""
    if wanted not in call.state.frames:
        raise frame_not_found(wanted)
    if world == "isolated":
        return await _isolated(call, wanted)
    context = call.state.contexts.get(wanted) or await _forced(call, wanted)
    return Where(context.session_id, context.unique_id)


async def _isolated(call: Call, frame_id: str) -> Where:
    made = call.state.agent_worlds.get(frame_id)
    if made is None:
        command = page.CreateIsolatedWorld(frame_id=frame_id, world_name=AGENT_WORLD_NAME)
        await call.race.call(command, call.state.frames[frame_id].session_id)
        made = call.state.agent_worlds.get(frame_id)  # its event arrived before the reply
    if made is None:
        raise frame_not_found(frame_id)
    return Where(made.session_id, made.unique_id)


async def _forced(call: Call, frame_id: str) -> ExecutionContext:
    """Create and return the main world of a document that has run no script, by resolving one of
    the document's nodes."""
    world = await _isolated(call, frame_id)
    document = await call.race.call(
        runtime.Evaluate(expression="document", unique_context_id=world.unique_id), world.session_id
    )
    described = await call.race.call(
        dom.DescribeNode(object_id=document.result.object_id or ""), world.session_id
    )
    node_id = described.node.backend_node_id
    await call.race.call(
        dom.ResolveNode(backend_node_id=node_id, object_group=GROUP), world.session_id
    )
    context = call.state.contexts.get(frame_id)
    if context is None:
        raise frame_not_found(frame_id)
    return context


async def _place_of_ref(call: Call, ref: str, world: World) -> Place:
    known = call.task.refs.find(ref)
    if known.frame_id not in call.state.frames:
        raise stale(known, "its frame is gone")
    where = await where_of(call, known.frame_id, world)
    known, (session_id, node_id) = await healing(
        call, known, lambda ref, world: _node_of(call, ref, world)
    )
    try:
        handle = await _resolved(
            call.race, call.task, Where(session_id, where.unique_id), node_id, world
        )
    except InvalidArgument as gone:
        raise stale(known, "it is no longer in the page") from gone
    dropped = call.task.handles.keep(known.ref, session_id, where.unique_id, handle)
    if dropped is not None:
        call.race.start(runtime.ReleaseObject(object_id=dropped), session_id)
    return Place(where, handle)


async def _resolved(
    race: Race, task: Task, where: Where, backend_node_id: int, world: World
) -> str:
    """Return a node's handle in the given world."""
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
            f"This page or frame has no node {backend_node_id}: {refused.error}.",
            "A backendNodeId is valid in one process only. Give frame_id too, or use a ref.",
            field="backend_node_id",
        ) from None
    return resolved.object.object_id or ""


async def _node_of(call: Call, ref: Ref, world: ExecutionContext) -> tuple[str, int]:
    return world.session_id, await node_of(call, ref, world)


# -- behind a dialog -------------------------------------------------------------------------


async def _behind_dialog(
    race: Race, where: Where, asked: Asked, call_arguments: list[runtime.CallArgument]
) -> Done:
    """Run a script while a dialog pauses the page. Limit the script's time, and do not await
    promises."""
    script, user_gesture = asked.script, asked.user_gesture
    if call_arguments:
        command = runtime.CallFunctionOn(
            function_declaration=(
                f"function (...all) {{ return (\n{as_function(script)}\n)(...all); }}"
            ),
            arguments=call_arguments,
            user_gesture=user_gesture,
            object_group=GROUP,
            unique_context_id=where.unique_id,
        )
        done: Any = await race.call(command, where.session_id)
    else:
        evaluate = runtime.Evaluate(
            expression=f"({as_function(script)})()" if is_function(script) else script,
            user_gesture=user_gesture,
            object_group=GROUP,
            timeout=min(BEHIND_DIALOG_MS, race.budget.remaining_ms() * 0.5),
            unique_context_id=where.unique_id,
        )
        done = await race.call(evaluate, where.session_id)
    read_behind = await value_of(race, where.session_id, done, may_wait=False)
    return Done(read_behind.value, " ".join(filter(None, [read_behind.note, _PAUSED_NOTE])))


def why_cut_short(task: Task, tab: Tab, frame_id: str | None, refused: CommandRefused) -> Exception:
    """Return the error for a script that did not finish, based on the browser's error."""
    words = refused.error.message
    if words in _TERMINATED:
        return Cancelled(
            "Another call on this tab ran out of time, so Tabwarden stopped all of the tab's "
            "scripts, including this one.",
            "Run the script again, and make the other calls in another tab.",
            tab_id=tab.tab_id,
        )
    wanted = frame_id or task.state.top_frame_id(tab.tab_id) or ""
    frame = task.state.frames.get(wanted)
    if frame is None:
        return frame_not_found(wanted)
    if "crashed" in words:
        return TargetCrashed(
            f"Frame {wanted} crashed while the script ran.",
            Hint("The rest of the page works. Take a snapshot, or reload", Next("reload"), "."),
            tab_id=tab.tab_id,
            frame_id=wanted,
        )
    if LEFT.search(words):
        return Interrupted(NavigatedAway(frame_id=wanted, url=without_login(frame.url)))
    return refused


@card(
    "evaluate",
    command="script",
    about="""Run JavaScript in the page and return its value as JSON.

    The script is stopped after timeout_ms; the tab keeps working.""",
    permission="scripts",
    group="core",
    switch="evaluate_enabled",
    gives=Any,
    saves={},
    shows=False,
    refreshes=False,
    reads=True,
    alongside=True,
    sends_ahead=True,
)
async def evaluate(
    call: Call,
    script: Annotated[
        str,
        Field(
            description="An expression, a function ('(el) => el.value' gets ref's element), or "
            "statements with return. Promises are awaited."
        ),
    ],
    ref: OptionalRef = None,
    frame_id: FrameId = None,
    args: Annotated[
        Sequence[Any],
        ForModels(list[Any]),
        Field(description="The function's arguments, after the element."),
    ] = (),
    *,
    world: Annotated[
        Literal["main", "isolated"],
        Field(description="isolated: hide the script's variables from the page."),
    ] = "main",
    backend_node_id: Annotated[
        int | None, Field(description="The element's CDP backendNodeId, instead of ref.")
    ] = None,
    user_gesture: Annotated[
        bool,
        Field(description="Run as a user action, which allows popups, sound and the clipboard."),
    ] = True,
) -> Done:
    """Run JavaScript in a page, in a frame or on an element; ``value`` is its result.

    On timeout or cancellation, Tabwarden stops the script (``Runtime.terminateExecution``) and
    the tab keeps working. Asynchronous work that the script started continues. ``status`` is
    ``"interrupted"`` if a dialog opened, or if the page navigated before the script ended.
    Results that JSON can't express are returned as ``{"$type": ..., "value": ...}``
    (docs/evaluate.md).

    Args:
        script: an expression, statements with ``return``, or a function that receives ``ref``'s
            element, then ``args``. Promises are awaited.
        ref: an element to pass to the function.
        frame_id: the frame to run in, even an out-of-process frame; by default the main frame.
        args: JSON values for the function.
        backend_node_id: an element's CDP ``backendNodeId``, instead of ``ref``. The id must
            belong to the page's process, or to the process of ``frame_id``.
        world: ``main``, where the page's own scripts run, or ``isolated``, which has the same
            document but hides the script's variables from the page's scripts.
        user_gesture: the page treats the script as a user action, so the script may open
            windows, play sound and use the clipboard. For a script that only reads, use False,
            so that the page does not record a user activation.

    Raises:
        JsError: the script threw an exception; ``data`` has the stack and the line.
        Disabled: ``evaluate_enabled`` is false.
        BudgetExceeded: the script did not end in time; ``data`` lists the recovery steps taken.
    """
    asked = Asked(script, ref, backend_node_id, frame_id, world, args, user_gesture)
    return await run(call, asked.checked(call.task.config))
