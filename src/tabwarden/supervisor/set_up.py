"""Set-up: what makes a session on a target one that can be supervised, before its first script.

All commands go out in one batch, and the last of them lets the target run. Nothing here waits for a
reply, so a frozen tab, which never answers, holds nobody up (FINDINGS 12).
"""

from __future__ import annotations

from typing import Any

from tabwarden.protocol import Command, page, runtime, target
from tabwarden.supervisor import (
    bridge,
    choosers,
    debugging,
    emulating,
    frames,
    network,
    noted,
    outgoing,
    quiet,
    requests,
)
from tabwarden.supervisor.notices import SessionReady
from tabwarden.supervisor.turn import Ask, Turn
from tabwarden.supervisor.values import replace

__all__ = ["AUTO_ATTACH", "DISCOVER", "SUPERVISED", "SetUp", "begin", "ended"]

SUPERVISED = ("page", "iframe")
_FILTER = [target.FilterEntry(type=kind) for kind in SUPERVISED]

AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    flatten=True,
    # Chromium lets dedicated workers wait whether or not the filter wants them (153, 156): who is
    # not told of one can't let it go.
    filter=[*_FILTER, target.FilterEntry(type="worker")],
)
DISCOVER = target.SetDiscoverTargets(discover=True, filter=_FILTER)
_SET_UP: tuple[Command[Any], ...] = (
    page.Enable(),
    runtime.Enable(),
    page.SetLifecycleEventsEnabled(enabled=True),
    choosers.INTERCEPT,
    AUTO_ATTACH,
)
_CRASHED = "Target crashed"
_SET_UPS = 10
"""So often a session is set up again: who answers as a browser may never have enough."""


class SetUp(Ask, frozen=True):
    """The reply to ``Runtime.runIfWaitingForDebugger``, the last command of a set-up."""

    session_id: str


def begin(turn: Turn, child: str) -> None:
    """Set up a session that was attached just now."""
    for command in _SET_UP:
        turn.send(command, child)
    debugging.begin(turn, child)
    if turn.state.policy.bridge is not None:
        turn.send(bridge.set_up(turn.state.policy.bridge), child)
    if turn.state.policy.binding:
        for command in noted.set_up(turn.state.policy.binding):
            turn.send(command, child)
    no_udp = outgoing.set_up(turn.state)
    if no_udp is not None:
        turn.send(no_udp, child)
    turn.send(requests.set_up(turn.state.policy), child)
    quiet.begin(turn, child)
    network.begin(turn, child)
    emulating.begin(turn, child)
    frames.ask_tree(turn, child)
    turn.send(runtime.RunIfWaitingForDebugger(), child, SetUp(child))


def ended(turn: Turn, ask: SetUp, error: str | None) -> None:
    """A target answered all its set-up commands, or its renderer died under them: those are refused
    as soon as it has another one, which is to be set up then."""
    session = turn.state.sessions.get(ask.session_id)
    if session is None:
        return
    if error is not None:
        if _CRASHED in error and session.set_ups < _SET_UPS:
            again = replace(session, debugging="off", set_ups=session.set_ups + 1)
            turn.put("sessions", session.session_id, again)
            begin(turn, session.session_id)
        return
    turn.put("sessions", session.session_id, replace(session, ready=True))
    emulating.set_up(turn, session.session_id)
    tab = turn.state.tabs.get(session.tab_id)
    if tab is not None and tab.session_id == session.session_id and tab.status == "starting":
        turn.put("tabs", tab.tab_id, replace(tab, status="ready"))
    turn.notify(SessionReady(tab_id=session.tab_id, session_id=session.session_id))
