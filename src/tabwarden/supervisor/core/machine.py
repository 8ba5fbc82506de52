"""The state machine: (state, input, now) -> (state, commands, notices).

Three tables list the handlers: ``EVENTS``, ``INPUTS`` and ``REPLIES``. Each handler module defines
its part of these tables, and this module joins the parts. An event that is not in ``EVENTS`` is
dropped before it is decoded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.egress.gate import Gate
from tabwarden.protocol import Event, debugger, decode_event, decode_result, target
from tabwarden.supervisor.core import prompts
from tabwarden.supervisor.core.handlers import (
    applications,
    bridge,
    connection,
    console,
    debugging,
    dialogs,
    downloads,
    emulating,
    frames,
    hidden_targets,
    init_scripts,
    network,
    page_notes,
    page_tools,
    progress,
    set_up,
    target_ownership,
    targets,
    titles,
)
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import Policy
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Ask, Now, Step, Turn

_MODULES = (
    dialogs,
    prompts,
    bridge,
    network.routes,
    network.requests,
    downloads,
    page_notes,
    targets,
    titles,
    target_ownership,
    applications,
    hidden_targets,
    network.outgoing,
    frames,
    page_tools,
    progress,
    console,
    network.log,
    network.messages,
    debugging,
    emulating,
    init_scripts,
    set_up,
    connection,
)
"""The order of the modules: if two modules handle the same type, the earlier module runs first."""

EventHandler = Callable[[Turn, Any, str | None], None]
InputHandler = Callable[[Turn, Any], None]
ReplyHandler = Callable[[Turn, Any, Any], None]

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors that decoding a malformed message from the browser can raise."""


def initial_state(policy: Policy | None = None) -> SupervisorState:
    """Return the state before the first input."""
    policy = policy or Policy()
    state = SupervisorState(policy=policy, gate=Gate(policy.network), emulation=policy.emulation)
    return init_scripts.initial(state, policy.init_scripts)


def step(state: SupervisorState, input_: inputs.Input, now: Now) -> Step:
    """Process one input.

    Browser messages never cause an exception: a message with an unknown structure has no effect.
    """
    turn = Turn(state, now)
    for handler in INPUTS[type(input_)]:
        handler(turn, input_)
    return turn.end()


def concerns(state: SupervisorState, method: str, params: bytes | msgspec.Raw) -> bool:
    """Whether an event may change the state. The driver drops the other events."""
    if method == debugger.ScriptParsed.METHOD:  # arrives for all scripts, the page's and ours
        return not bridge.is_foreign_script(state, params)
    if not state.recording and method.startswith("Network."):  # enabled for another reason
        return False
    return method in EVENTS


def next_deadline(state: SupervisorState) -> float | None:
    """Return when the state machine needs a ``Tick``, in monotonic seconds; None if never."""
    others = (
        *(d.deadline for d in state.pending_dialogs if d.answer is None),
        *(p.deadline for p in state.prompts if not p.answered),
        state.lost_dialogs_until,
        state.unanswerable_until,
        state.word_due_at,
        state.read_again_at,
        *(one.due for one in state.delayed.values()),
        *(one.due for one in state.awaited_windows),
    )
    return min((at for at in others if at is not None), default=None)


def _event(turn: Turn, input_: inputs.EventReceived) -> None:
    event_type, handlers = EVENTS.get(input_.method, (None, ()))
    event = _decoded(decode_event, event_type, input_.params) if event_type is not None else None
    if event is not None:
        for handler in handlers:
            handler(turn, event, input_.session_id)


def _another_tasks_target(turn: Turn, input_: inputs.AnotherTasksTarget) -> None:
    event = _decoded(decode_event, target.AttachedToTarget, input_.params)
    if event is not None:
        target_ownership.attached_to_another_tasks(turn, event)


def _reply(turn: Turn, input_: inputs.Replied) -> None:
    ask = input_.ask
    reply: Any = input_.error
    if ask.command is not None:
        reply = _decoded(decode_result, ask.command, input_.result)
    for handler in REPLIES[type(ask)]:
        handler(turn, ask, reply)


def _decoded(decode: Callable[..., Any], into: Any, raw: bytes | msgspec.Raw | None) -> Any:
    try:
        return decode(into, raw) if raw is not None else None
    except _UNREADABLE:
        return None


def _set_policy(turn: Turn, input_: inputs.SetPolicy) -> None:
    if input_.page_tools != turn.state.policy.page_tools:
        page_tools.switched(turn, on=input_.page_tools)
    turn.change(
        policy=msgspec.structs.replace(turn.state.policy, **msgspec.structs.asdict(input_)),
        gate=msgspec.structs.replace(turn.state.gate, policy=input_.network),
    )


def _joined(table: str, *own: tuple[Any, Any]) -> dict[Any, tuple[Any, ...]]:
    """Join the tables of all modules: map each type to its handlers, in order."""
    joined: dict[Any, tuple[Any, ...]] = {}
    for type_, handler in (*own, *(row for m in _MODULES for row in getattr(m, table, ()))):
        joined[type_] = (*joined.get(type_, ()), handler)
    return joined


EVENTS: dict[str, tuple[type[Event], tuple[EventHandler, ...]]] = {
    event_type.METHOD: (event_type, handlers) for event_type, handlers in _joined("EVENTS").items()
}
INPUTS: dict[type[inputs.Input], tuple[InputHandler, ...]] = _joined(
    "INPUTS",
    (inputs.EventReceived, _event),
    (inputs.AnotherTasksTarget, _another_tasks_target),
    (inputs.Replied, _reply),
    (inputs.SetPolicy, _set_policy),
)
REPLIES: dict[type[Ask], tuple[ReplyHandler, ...]] = _joined("REPLIES")
