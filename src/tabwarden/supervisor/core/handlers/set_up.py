"""Set up a target's session for supervision, before the target's first script.

All commands are sent in one batch; the last command lets the target run. Nothing here waits for a
reply, so a frozen tab, which never replies, does not delay anything (docs/facts.md, "When a target
can be set up").
"""

from __future__ import annotations

from typing import Any

from tabwarden.protocol import Command, fetch, log, page, runtime, target
from tabwarden.supervisor.core import prompts
from tabwarden.supervisor.core.handlers import (
    bridge,
    debugging,
    emulating,
    frames,
    init_scripts,
    network,
    page_notes,
    page_tools,
)
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import SessionReady
from tabwarden.supervisor.core.state.policy import Bridge
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import AgentsPart, SessionInfo
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import frozen, replace

SUPERVISED = ("page", "iframe")
_FILTER = [target.FilterEntry(type=kind) for kind in SUPERVISED]

AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    flatten=True,
    # Chromium makes dedicated workers wait even if the filter excludes them (153, 156), and only a
    # client that is attached to a worker can let it run. Therefore, don't exclude them.
    filter=[*_FILTER, target.FilterEntry(type="worker")],
)
WORKERS = ("service_worker", "shared_worker")
"""The types of targets that send requests through their own sessions."""
DISCOVER = target.SetDiscoverTargets(discover=True, filter=_FILTER)
DISCOVER_ALL = target.SetDiscoverTargets(
    discover=True, filter=[*_FILTER, target.FilterEntry(type="other")]
)
"""For browsers that others started; see ``applications.py``."""
_SET_UP: tuple[Command[Any], ...] = (
    page.Enable(),
    runtime.Enable(),
    log.Enable(),
    page.SetLifecycleEventsEnabled(enabled=True),
    AUTO_ATTACH,
)
_CRASHED = "Target crashed"
_SET_UPS = 10
"""How often a session may be set up again. The limit protects against a misbehaving browser."""


class SetUp(Ask, frozen=True):
    """The reply to ``Runtime.runIfWaitingForDebugger``, the last command of a set-up."""

    session_id: str


def begin(turn: Turn, child: str) -> None:
    for command in _SET_UP:
        turn.send(command, child)
    debugging.begin(turn, child)
    _ask_us(turn, turn.state.sessions[child])
    if turn.state.policy.notes is not None:
        for command in page_notes.set_up(turn.state.policy.notes):
            turn.send(command, child)
    no_udp = network.outgoing.set_up(turn.state)
    if no_udp is not None:
        turn.send(no_udp, child)
    init_scripts.begin(turn, child)
    emulating.begin_scripts(turn, child)
    network.log.begin(turn, child)
    emulating.begin(turn, child)
    page_tools.begin(turn, child)
    frames.ask_tree(turn, child)
    turn.send(runtime.RunIfWaitingForDebugger(), child, SetUp(child))


def agent_opened(turn: Turn, input_: inputs.AgentOpened) -> None:
    """Record that the agent opened this tab, and therefore handles its dialogs and prompts."""
    _take_part(turn, input_.tab_id, "opened")


def agent_acted(turn: Turn, input_: inputs.AgentActed) -> None:
    """Record that the agent acts on this tab, and therefore handles its prompts from now on."""
    if turn.state.agents_part(input_.tab_id) == "none":
        _take_part(turn, input_.tab_id, "acted")


def _take_part(turn: Turn, tab_id: str, part: AgentsPart) -> None:
    tab = turn.state.tabs.get(tab_id)
    if tab is None or tab.agents_part == part:
        return
    had, had_part = turn.state.bridge_of(tab_id), tab.agents_part
    turn.put("tabs", tab_id, replace(tab, agents_part=part))
    for session in turn.state.sessions.values():
        if session.tab_id == tab_id:
            _ask_us(turn, session, had)
            if had_part == "none":
                init_scripts.begin(turn, session.session_id)


def _ask_us(turn: Turn, session: SessionInfo, had: Bridge | None = None) -> None:
    """Report a target's dialogs and prompts to the agent, if the agent uses the tab. ``had`` says
    whether the target already has a bridge.
    """
    is_others = turn.state.agents_part(session.tab_id) == "none"
    ours = turn.state.bridge_of(session.tab_id)
    programs = turn.state.policy.programs
    held = turn.state.policy.prompts
    asks = (
        *prompts.SET_UP,
        *(page_notes.set_up(programs) if programs is not None else ()),
        *(prompts.in_page.set_up(held, session) if held is not None else ()),
    )
    for command in () if is_others else asks:
        turn.send(command, session.session_id)
    if ours is not None and had is None:
        turn.send(bridge.set_up(ours, session.target_id), session.session_id)
    turn.send(intercepting(turn.state, session), session.session_id)


def intercepting(state: SupervisorState, session: SessionInfo) -> Command[Any]:
    """Return the command that makes the browser intercept a target's requests.

    Chromium lets only the client that intercepts last answer a password prompt (150 and 153), even
    if this client does not ask for it. So a client that answers the dialogs keeps its passwords
    only if nothing has to be intercepted.
    """
    lists = state.policy.network.allowed or state.policy.network.blocked
    if state.policy.others_answer and not state.routes and not lists:
        return fetch.Disable()
    return network.requests.set_up(
        state.bridge_of(session.tab_id),
        asks_us=state.agents_part(session.tab_id) != "none",
        takes_all=bool(state.routes),
    )


def browsers(state: SupervisorState) -> target.SetAutoAttach:
    """Return the command that attaches us to the browser's targets. For routes, we must also attach
    to the workers that pages share. If the task has its own window, these workers may belong to a
    person's pages.
    """
    if not state.routes or state.own_window:
        return AUTO_ATTACH
    workers = [target.FilterEntry(type=kind) for kind in WORKERS]
    return replace(AUTO_ATTACH, filter=[*(AUTO_ATTACH.filter or ()), *workers])


def routed(turn: Turn, input_: inputs.AddRoute) -> None:
    """Intercept all requests from now on, if this is the first route."""
    _ = input_
    if len(turn.state.routes) == 1:
        _intercept(turn)


def unrouted(turn: Turn, input_: inputs.RemoveRoutes) -> None:
    """Intercept only documents again, if this was the last route."""
    if turn.state.routes or not input_.numbers:
        return
    _intercept(turn)
    for session_id in turn.state.worker_sessions:
        turn.send(target.DetachFromTarget(session_id=session_id), None)
    turn.change(worker_sessions=frozen({}))


def _intercept(turn: Turn) -> None:
    for session in turn.state.sessions.values():
        turn.send(intercepting(turn.state, session), session.session_id)
    if not turn.state.own_window:
        turn.send(browsers(turn.state), None)


def adopt_worker(turn: Turn, event: target.AttachedToTarget) -> bool:
    """Intercept the requests of a shared worker. Return False if the target is not a shared
    worker.
    """
    if event.target_info.type not in WORKERS or not turn.state.routes:
        return False
    turn.put("worker_sessions", event.session_id, event.target_info.target_id)
    turn.send(network.requests.set_up(None, asks_us=False, takes_all=True), event.session_id)
    turn.send(runtime.RunIfWaitingForDebugger(), event.session_id)
    return True


def ended(turn: Turn, ask: SetUp, error: str | None) -> None:
    """Handle the end of a set-up. If the target's renderer died before it replied to the commands,
    they fail as soon as a new renderer exists. In that case, set up the session again.
    """
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


INPUTS = (
    (inputs.AgentOpened, agent_opened),
    (inputs.AgentActed, agent_acted),
    (inputs.AddRoute, routed),
    (inputs.RemoveRoutes, unrouted),
)
REPLIES = ((SetUp, ended),)
