"""Evaluate: run a script in a page, in a frame or on an element, and return its value in time.

A value that JSON can represent takes one round trip. The script is a single command in the session,
so other actions on the tab do not wait for it.
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
    "A dialog is open. The script ran while it was open, but promises don't settle until someone "
    "answers the dialog."
)
_TRIES = 4
_NOT_BEGUN = re.compile(
    "Could not find object with given id|Cannot find context with specified id"
    "|uniqueContextId not found|does not belong to the document"
)
"""After these errors, no script has run: the tab left the document before the script began, or
somebody released our handles (``Runtime.releaseObjectGroup``)."""
_TERMINATED = ("Internal error", "Execution was terminated")
"""V8's errors for a script that ``Runtime.terminateExecution`` stopped."""
LEFT = re.compile(
    r"navigated or closed|context was destroyed|Cannot find (default execution )?context"
    r"|uniqueContextId not found|Session with given id not found|detached|process"
)
"""The browser's errors if the document went away while the script ran, or just before."""


class Place(NamedTuple):
    """The world that a script runs in and, if the caller named an element, its handle."""

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
        """Return the arguments.

        Raises:
            Disabled: the configuration switches scripts off.
            InvalidArgument: the script is empty, or ``args`` is a text.
        """
        if not config.evaluate_enabled:
            raise Disabled(
                "evaluate is switched off by the configuration.", "Use snapshot, click and type."
            )
        if not self.script.strip():
            raise InvalidArgument(
                "script is empty.", "Give a JavaScript expression.", field="script"
            )
        if isinstance(self.args, str):
            raise InvalidArgument(
                f"args must be a list, not {repr(self.args)[:100]}.",
                "Its items become the function's arguments.",
                field="args",
            )
        return self._replace(args=tuple(self.args))


class Sent(NamedTuple):
    """A script whose first form has already been sent."""

    place: Place
    pending: Pending[runtime.CallFunctionOnResult]


async def run(call: Call, asked: Asked, sent: Sent | None = None) -> Done:
    """Run a script: an expression, a function (called with the element, then ``args``), or
    statements. Await promises.

    With ``user_gesture``, the script counts as an act of the user, so it may open windows, play
    sound and use the clipboard.

    Values that JSON can't represent are returned as ``{"$type": "undefined" | "number" | "bigint" |
    "date" | "map" | ..., "value": ...}``.

    Raises:
        JsError: the script threw; ``data`` has the stack and the line.
        Interrupted: the document went away meanwhile.
        Cancelled: a rescue for another call on this tab stopped the script.
        StaleRef, UnknownRef, FrameNotFound: the element or frame does not exist.
        InvalidArgument: ``args`` are not JSON.
    """
    if asked.ref is not None and asked.backend_node_id is not None:
        raise InvalidArgument("Give ref or backend_node_id, not both.", field="backend_node_id")
    given = arguments(asked.args)
    if asked.ref is not None and sent is None:
        asked = asked._replace(ref=(await element_of(call, asked.ref, hidden=True)).ref)
    try:
        for _ in range(_TRIES - 1):
            try:
                return await _evaluated(call, asked, given, sent)
            except CommandRefused as refused:
                if not nothing_ran(call.task, refused):
                    raise
            sent = None
        return await _evaluated(call, asked, given)
    except CommandRefused as refused:
        raise why_cut_short(call.task, call.tab, asked.frame_id, refused) from None


def nothing_ran(task: Task, refused: CommandRefused) -> bool:
    """Whether a script was refused before it began. If so, forget our handles: they are gone."""
    if not _NOT_BEGUN.search(refused.error.message):
        return False
    task.handles.forget()
    task.serializers.forget()
    return True


async def _evaluated(
    call: Call, asked: Asked, given: list[runtime.CallArgument], sent: Sent | None = None
) -> Done:
    where, handle = sent.place if sent is not None else await _place(call, asked)
    if sent is None and call.state.dialogs_of(call.tab.tab_id):
        return await _behind_dialog(call.race, where, asked, of_element(handle, given))
    pending = sent.pending if sent is not None else None
    done = await _attempted(call, where, asked, of_element(handle, given), pending)
    if done is not GONE:
        return done
    healed = await heal(call, call.task.refs.find(asked.ref or ""))  # the script did not run
    where, handle = await _place(call, asked)
    done = await _attempted(call, where, asked, of_element(handle, given))
    if done is GONE:
        raise stale(healed, "it is no longer in the page")
    return done


async def _attempted(
    call: Call,
    where: Where,
    asked: Asked,
    given: list[runtime.CallArgument],
    sent: Pending[runtime.CallFunctionOnResult] | None = None,
) -> Done:
    return await attempt(
        call,
        where,
        asked.script,
        given,
        of_ref=asked.ref is not None,
        user_gesture=asked.user_gesture,
        sent=sent,
    )


def of_element(handle: str | None, given: list[runtime.CallArgument]) -> list[runtime.CallArgument]:
    """Return a script's arguments. If the caller named an element, the element comes first."""
    return given if handle is None else [runtime.CallArgument(object_id=handle), *given]


# -- where -----------------------------------------------------------------------------------


def place_known(task: Task, state: SupervisorState, tab_id: str, asked: Asked) -> Place | None:
    """Return the place where a script runs, or None if we must ask the browser."""
    if asked.backend_node_id is not None:
        return None
    ref, frame_id = None, asked.frame_id
    if asked.ref is not None:
        found = task.refs.known(asked.ref)
        if found is None or found.tab_id != tab_id:
            return None
        ref, frame_id = found.ref, found.frame_id
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
        made = call.state.agent_worlds.get(frame_id)  # its event arrives before the reply
    if made is None:
        raise frame_not_found(frame_id)
    return Where(made.session_id, made.unique_id)


async def _forced(call: Call, frame_id: str) -> ExecutionContext:
    """Return the main world of a document that has run no script. Resolving one of the document's
    nodes creates that world."""
    apart = await _isolated(call, frame_id)
    document = await call.race.call(
        runtime.Evaluate(expression="document", unique_context_id=apart.unique_id), apart.session_id
    )
    described = await call.race.call(
        dom.DescribeNode(object_id=document.result.object_id or ""), apart.session_id
    )
    node_id = described.node.backend_node_id
    await call.race.call(
        dom.ResolveNode(backend_node_id=node_id, object_group=GROUP), apart.session_id
    )
    context = call.state.contexts.get(frame_id)
    if context is None:
        raise frame_not_found(frame_id)
    return context


async def _place_of_ref(call: Call, ref: str, world: World) -> Place:
    found = call.task.refs.find(ref)
    if found.frame_id not in call.state.frames:
        raise stale(found, "its frame is gone")
    where = await where_of(call, found.frame_id, world)
    found, (session_id, node_id) = await healing(
        call, found, lambda ref, world: _node_of(call, ref, world)
    )
    try:
        handle = await _resolved(
            call.race, call.task, Where(session_id, where.unique_id), node_id, world
        )
    except InvalidArgument as gone:
        raise stale(found, "it is no longer in the page") from gone
    dropped = call.task.handles.keep(found.ref, session_id, where.unique_id, handle)
    if dropped is not None:
        call.race.start(runtime.ReleaseObject(object_id=dropped), session_id)
    return Place(where, handle)


async def _resolved(
    race: Race, task: Task, where: Where, backend_node_id: int, world: World
) -> str:
    """Return a handle of a node in this world."""
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
    race: Race, where: Where, asked: Asked, given: list[runtime.CallArgument]
) -> Done:
    """Run a script while a dialog pauses the page. Limit its time, and do not await promises."""
    script, user_gesture = asked.script, asked.user_gesture
    if given:
        command = runtime.CallFunctionOn(
            function_declaration=(
                f"function (...all) {{ return (\n{as_function(script)}\n)(...all); }}"
            ),
            arguments=given,
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
    """Explain from the browser's error why a script did not finish."""
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
            f"The frame {wanted} crashed while the script ran.",
            Hint("The rest of the page works: take a snapshot, or reload it", Next("reload"), "."),
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

    Stops the script after timeout_ms; the tab still works.""",
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
            "statements with return. Awaits promises."
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
        Field(description="isolated: same document, invisible to the page's scripts."),
    ] = "main",
    backend_node_id: Annotated[
        int | None, Field(description="CDP backendNodeId, instead of ref.")
    ] = None,
    user_gesture: Annotated[
        bool,
        Field(description="Run as a user action: allows popups, sound, clipboard."),
    ] = True,
) -> Done:
    """Run JavaScript in a page, in a frame or on an element; ``value`` is its result.

    On a timeout or a cancel, Tabwarden stops the script (``Runtime.terminateExecution``) and
    the tab keeps working, but a promise that the script started still runs. ``status`` is
    ``"interrupted"`` if a dialog opened, or if the page navigated before the script ended.
    Results that JSON can't express come back as ``{"$type": ..., "value": ...}``
    (docs/evaluate.md).

    Args:
        script: an expression, statements with ``return``, or a function that receives the
            element of ``ref``, then ``args``. Promises are awaited.
        ref: an element to pass to the function.
        frame_id: the frame to run in, even an out-of-process frame; by default the main frame.
        args: JSON values for the function.
        backend_node_id: an element by CDP's ``backendNodeId``, instead of ``ref``. The id must
            belong to the process of the page, or of ``frame_id``.
        world: ``main``, where the page's own scripts run, or ``isolated``, which has the same
            document but hides your script's variables from the page's scripts.
        user_gesture: the page treats the script as a user action, so it may open windows,
            play sound and use the clipboard. For a script that only reads, use False, so that
            the page does not record a user activation.

    Raises:
        JsError: the script threw an exception; ``data`` has the stack and the line.
        Disabled: ``evaluate_enabled`` is false.
        BudgetExceeded: the script did not end in time; ``data`` lists the recovery steps taken.
    """
    asked = Asked(script, ref, backend_node_id, frame_id, world, args, user_gesture)
    return await run(call, asked.checked(call.task.config))
