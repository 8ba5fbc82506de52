"""Errands: page targets of our own that are no tabs, for what must disturb none (a download).

The browser attaches us to every page target, and tells of a new one before it answers the command
that made it. So while an errand is being made, a page that nobody opened is held, which it does not
notice: it waits for the debugger anyway. The answer tells which one is ours. Full Chromium makes it
as a hidden target, which no strip of tabs shows and which it attaches nobody to; so the errand's
session is always one that we ask for.
"""

from __future__ import annotations

from tabwarden.protocol import runtime, target
from tabwarden.supervisor.notices import SessionDetached
from tabwarden.supervisor.state import frozen
from tabwarden.supervisor.turn import Ask, Turn

__all__ = [
    "ErrandAttached",
    "ErrandCreated",
    "attached",
    "begin",
    "clear",
    "created",
    "destroyed",
    "detached",
    "end",
    "lost",
    "takes",
]

_UNWANTED = "unwanted"
"""In the place of a target's id: the errand was over before it had one."""


class ErrandCreated(Ask, frozen=True):
    """The reply to ``Target.createTarget`` for an errand."""

    key: str


class ErrandAttached(Ask, frozen=True):
    """The reply to ``Target.attachToTarget`` for it."""

    key: str


def begin(turn: Turn, key: str) -> None:
    """Make a target; ``errand_sessions`` names its session once it is there."""
    turn.put("errands", key, "")
    turn.send(target.CreateTarget(url="about:blank", hidden=True), None, ErrandCreated(key))


def end(turn: Turn, key: str) -> None:
    """Close an errand's target, whatever it does."""
    target_id = turn.state.errands.get(key)
    if target_id is None:
        return
    if not target_id:
        turn.put("errands", key, _UNWANTED)
        return
    if turn.state.health.status == "live":
        _drop(turn, key)
        turn.send(target.CloseTarget(target_id=target_id), None)


def created(
    turn: Turn, ask: ErrandCreated, target_id: str | None
) -> list[tuple[target.AttachedToTarget, str | None]]:
    """The target is there, or can't be had; the pages that were held and are none of ours."""
    wanted = turn.state.errands.get(ask.key) == ""
    if target_id is not None and wanted:
        turn.put("errands", ask.key, target_id)
        attach = target.AttachToTarget(target_id=target_id, flatten=True)
        turn.send(attach, None, ErrandAttached(ask.key))
    else:
        _drop(turn, ask.key)
    held, waiting = turn.state.held_targets, _being_made(turn)
    turn.change(held_targets=())
    strangers = []
    for event, session_id in held:
        if event.target_info.target_id == target_id:
            _let_go(turn, event, session_id)
        else:
            strangers.append((event, session_id))
    if target_id is not None and not wanted:
        turn.send(target.CloseTarget(target_id=target_id), None)
    if not waiting:
        return strangers
    turn.change(held_targets=tuple(strangers))
    return []


def attached(turn: Turn, ask: ErrandAttached, session_id: str | None) -> None:
    """The errand can be run."""
    if ask.key not in turn.state.errands:
        return
    if session_id is None:
        end(turn, ask.key)
        return
    turn.put("errand_sessions", session_id, ask.key)


def takes(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> bool:
    """Whether a target that we were attached to is an errand's, or may be."""
    info = event.target_info
    if info.target_id in turn.state.errands.values():
        if event.waiting_for_debugger:
            _let_go(turn, event, session_id)
        return True
    known = turn.state.tab_of_target(info.target_id) is not None
    if info.type != "page" or known or info.opener_id or not _being_made(turn):
        return False
    turn.change(held_targets=(*turn.state.held_targets, (event, session_id)))
    return True


def detached(turn: Turn, session_id: str) -> None:
    """An errand's target crashed or was closed."""
    key = turn.state.errand_sessions.get(session_id)
    if key is not None:
        _drop(turn, key)
        gone = "the target was detached"
        turn.notify(SessionDetached(tab_id="", session_id=session_id, reason=gone))


def lost(turn: Turn) -> None:
    """The wire is dead. What had a target still has it, should the browser live on."""
    made = {k: t for k, t in turn.state.errands.items() if t not in ("", _UNWANTED)}
    turn.change(errands=frozen(made), errand_sessions=frozen({}), held_targets=())


def clear(turn: Turn) -> None:
    """A new wire is up: whoever ran errands over the last one has given up."""
    for target_id in turn.state.errands.values():
        turn.send(target.CloseTarget(target_id=target_id), None)


def destroyed(turn: Turn, target_id: str) -> None:
    """A target is gone for good."""
    for key in [k for k, t in turn.state.errands.items() if t == target_id]:
        _drop(turn, key)


def _being_made(turn: Turn) -> bool:
    return any(target_id in ("", _UNWANTED) for target_id in turn.state.errands.values())


def _let_go(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """Give up the session that the browser gave us unasked, and let the target run."""
    turn.send(runtime.RunIfWaitingForDebugger(), event.session_id)
    turn.send(target.DetachFromTarget(session_id=event.session_id), session_id)


def _drop(turn: Turn, key: str) -> None:
    turn.drop("errands", key)
    turn.drop("errand_sessions", *(s for s, k in turn.state.errand_sessions.items() if k == key))
