"""The machine: (state, input, now) -> (state, commands, notices).

Pure: it reads no clock and does no I/O.

Which event goes to which handler is the table ``EVENTS``; an event that is not in it is dropped
before anybody decodes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.egress.gate import Gate
from tabwarden.protocol import (
    Event,
    browser,
    debugger,
    decode_event,
    decode_result,
    dom,
    fetch,
    page,
    runtime,
    target,
)
from tabwarden.supervisor import (
    auth,
    backstage,
    belonging,
    bridge,
    choosers,
    console,
    debugging,
    dialogs,
    downloads,
    emulating,
    frames,
    network,
    noted,
    origins,
    outgoing,
    progress,
    quiet,
    reconnect,
    requests,
    set_up,
    targets,
    waiting,
)
from tabwarden.supervisor.inputs import (
    ActivateTab,
    AnotherTasksTarget,
    AnswerAuth,
    AnswerDialog,
    ClearConsole,
    CloseBackstage,
    CloseChooser,
    Connected,
    ConnectionFailed,
    DeclareGone,
    Disconnected,
    DownloadStored,
    DownloadTold,
    Emulate,
    EventReceived,
    ForgetTab,
    GuardLost,
    GuardTold,
    Input,
    Leaving,
    LookAgain,
    LookAtTabs,
    OpenBackstage,
    OriginsKnown,
    PermissionSet,
    PlaceNamed,
    Reattached,
    RecordNetwork,
    ReplaceTab,
    Replied,
    SetPolicy,
    SetScripts,
    TabRenewed,
    TargetSeen,
    Tick,
    TitleRead,
)
from tabwarden.supervisor.notices import EndpointLost
from tabwarden.supervisor.policy import Policy
from tabwarden.supervisor.prompts import PermissionRule
from tabwarden.supervisor.state import Health, SupervisorState
from tabwarden.supervisor.turn import Now, Step, Turn

__all__ = [
    "EVENTS",
    "ActivateTab",
    "AnotherTasksTarget",
    "AnswerAuth",
    "AnswerDialog",
    "ClearConsole",
    "CloseBackstage",
    "CloseChooser",
    "Connected",
    "ConnectionFailed",
    "DeclareGone",
    "Disconnected",
    "DownloadStored",
    "DownloadTold",
    "Emulate",
    "EventReceived",
    "ForgetTab",
    "GuardLost",
    "GuardTold",
    "Input",
    "Leaving",
    "LookAgain",
    "LookAtTabs",
    "OpenBackstage",
    "OriginsKnown",
    "PermissionSet",
    "PlaceNamed",
    "Reattached",
    "RecordNetwork",
    "ReplaceTab",
    "Replied",
    "SetPolicy",
    "SetScripts",
    "TabRenewed",
    "TargetSeen",
    "Tick",
    "TitleRead",
    "concerns",
    "initial_state",
    "next_deadline",
    "step",
]


Handler = Callable[[Turn, Any, str | None], None]

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding a browser's bytes may raise."""

EVENTS: dict[str, tuple[type[Event], Handler]] = {
    event.METHOD: (event, handler)
    for event, handler in (
        (page.JavascriptDialogOpening, dialogs.opened),
        (page.JavascriptDialogClosed, dialogs.closed),
        (debugger.ScriptParsed, bridge.script_parsed),
        (debugger.Paused, bridge.paused),
        (debugger.Resumed, bridge.resumed),
        (fetch.RequestPaused, requests.paused),
        (fetch.AuthRequired, auth.required),
        (browser.DownloadWillBegin, downloads.began),
        (browser.DownloadProgress, downloads.progressed),
        (page.FileChooserOpened, choosers.opened),
        (runtime.BindingCalled, noted.called),
        (page.FrameAttached, frames.attached),
        (page.FrameNavigated, frames.navigated),
        (page.FrameDetached, frames.detached),
        (page.FrameRequestedNavigation, progress.navigation_requested),
        (page.FrameStartedNavigating, progress.navigation_started),
        (page.FrameStoppedLoading, progress.stopped_loading),
        (page.NavigatedWithinDocument, frames.navigated_within_document),
        (page.LifecycleEvent, progress.lifecycle),
        (runtime.ExecutionContextCreated, frames.context_created),
        (runtime.ExecutionContextDestroyed, frames.context_destroyed),
        (runtime.ExecutionContextsCleared, frames.contexts_cleared),
        (runtime.ConsoleAPICalled, console.called),
        (runtime.ExceptionThrown, console.thrown),
        (target.AttachedToTarget, targets.attached),
        (target.DetachedFromTarget, targets.detached),
        (target.TargetInfoChanged, targets.info_changed),
        (target.TargetDestroyed, targets.destroyed),
        (target.TargetCrashed, targets.crashed),
        *network.EVENTS,
    )
}


def initial_state(policy: Policy | None = None) -> SupervisorState:
    """The state before anything is known."""
    policy = policy or Policy()
    return SupervisorState(policy=policy, gate=Gate(policy.network))


def step(state: SupervisorState, given: Input, now: Now) -> Step:
    """Fold one input.

    It never raises for what a browser sends: a message of a shape that the bindings don't know
    changes nothing.
    """
    turn = Turn(state, now)
    match given:
        case EventReceived():
            _event(turn, given)
        case AnotherTasksTarget():
            _another_tasks_target(turn, given)
        case Replied():
            _reply(turn, given)
        case Connected():
            _connected(turn, given)
        case Disconnected():
            _disconnected(turn, given)
        case GuardLost():
            reconnect.guard_lost(turn)
        case GuardTold():
            reconnect.guard_told(turn, given.target_id, given.event)
        case Reattached():
            reconnect.reattached(turn, given.target_ids)
        case Tick():
            dialogs.watchdog(turn)
            auth.watchdog(turn)
            bridge.read_again(turn)
            reconnect.give_up_lost(turn)
            reconnect.say_to_silent(turn)
            reconnect.reload_stuck(turn)
        case AnswerDialog():
            dialogs.answer(
                turn,
                given.dialog_id,
                accept=given.accept,
                prompt_text=given.prompt_text,
                by="agent",
            )
        case AnswerAuth():
            auth.answer(turn, given.auth_id, given.credentials)
        case CloseChooser():
            choosers.close(turn, given.chooser_id)
        case DownloadStored():
            downloads.stored(turn, given.guid, given.path, given.reason)
        case DownloadTold():
            downloads.told(turn, given)
        case PermissionSet():
            _keep_permission(turn, given.rule)
        case ActivateTab():
            if given.tab_id in turn.state.tabs:
                turn.change(active_tab_id=given.tab_id)
        case Leaving():
            left = turn.state.tabs.get(given.tab_id)
            if left is not None:
                debugging.leaving(turn, left.target_id, given.url, left.session_id)
        case TargetSeen():
            targets.seen(turn, given.info)
        case LookAtTabs():
            targets.ask_tabs(turn)
        case LookAgain():
            progress.look_again(turn, given.tab_id)
        case TitleRead():
            targets.entitled(turn, given.tab_id, given.title)
        case ReplaceTab():
            targets.replace_tab(turn, given.tab_id, given.url)
        case SetScripts():
            quiet.set_scripts(turn, given.tab_id, on=given.on)
        case TabRenewed():
            targets.renewed(turn, given.tab_id)
        case ForgetTab():
            if (closing := turn.state.tabs.get(given.tab_id)) is not None:
                targets.close_tab(turn, closing)
        case DeclareGone():
            targets.declare_gone(turn, given.tab_id)
        case ClearConsole():
            _clear_console(turn, given.tab_id)
        case OpenBackstage():
            backstage.open_page(turn, given.key, given.browser_context_id)
        case CloseBackstage():
            backstage.close(turn, given.key)
        case OriginsKnown():
            for origin in given.origins:
                origins.keep(turn, origin)
        case Emulate():
            emulating.emulate(turn, given.emulation)
        case RecordNetwork():
            network.record(turn)
        case SetPolicy():
            turn.change(
                policy=msgspec.structs.replace(turn.state.policy, **msgspec.structs.asdict(given)),
                gate=msgspec.structs.replace(turn.state.gate, policy=given.network),
            )
        case PlaceNamed():
            turn.change(gate=turn.state.gate.naming(given.place))
        case ConnectionFailed():
            outgoing.failed(turn, given.place, given.why, given.error)
        case _:  # pragma: no cover
            raise TypeError(f"not an input of the machine: {given!r}")
    return turn.end()


def concerns(state: SupervisorState, method: str, params: bytes | msgspec.Raw) -> bool:
    """Whether an event may change anything: what does not is dropped before a step is taken."""
    if method == debugger.ScriptParsed.METHOD:  # one for each script of a page, and of ours
        return not bridge.is_foreign_script(state, params)
    if not state.recording and method.startswith("Network."):  # on for something else
        return False
    return method in EVENTS


def next_deadline(state: SupervisorState) -> float | None:
    """When the machine wants a ``Tick``, in monotonic seconds; None: not at all."""
    waiting = [d.deadline for d in state.pending_dialogs if d.answer is None]
    others = (
        state.lost_dialogs_until,
        state.unanswerable_until,
        state.word_due_at,
        state.read_again_at,
    )
    waiting += [at for at in others if at is not None]
    waiting += [c.deadline for c in state.auth_challenges if not c.answered]
    return min(waiting, default=None)


def _event(turn: Turn, given: EventReceived) -> None:
    known = EVENTS.get(given.method)
    if known is None:
        return
    event_type, handler = known
    try:
        event = decode_event(event_type, given.params)
    except _UNREADABLE:
        return
    if isinstance(event, page.FrameNavigated):
        targets.revived(turn, given.session_id)
        origins.visited(turn, event, given.session_id)
        outgoing.arrived(turn, event, given.session_id)
    handler(turn, event, given.session_id)


def _another_tasks_target(turn: Turn, given: AnotherTasksTarget) -> None:
    try:
        event = decode_event(target.AttachedToTarget, given.params)
    except _UNREADABLE:
        return
    belonging.attached_to_another_tasks(turn, event)


def _reply(turn: Turn, given: Replied) -> None:
    ask = given.ask
    if isinstance(ask, set_up.SetUp):
        set_up.ended(turn, ask, given.error)
        reconnect.answers_again(turn, ask.session_id)
    elif isinstance(ask, dialogs.DialogAnswered):
        dialogs.answered(turn, ask, given.error)
    elif isinstance(ask, targets.ReplacementCreated):
        created = _decoded(target.CreateTarget, given)
        targets.replacement_created(turn, ask, created.target_id if created else None)
    elif isinstance(ask, targets.TitleAsked):
        told = _decoded(target.GetTargetInfo, given)
        targets.titles_known(turn, [told.target_info] if told else [])
    elif isinstance(ask, targets.TabsAsked):
        listed = _decoded(target.GetTargets, given)
        targets.titles_known(turn, listed.target_infos if listed else [])
    elif isinstance(ask, backstage.BackstageCreated):
        made = _decoded(target.CreateTarget, given)
        for held in backstage.created(turn, ask, made.target_id if made else None):
            targets.attached(turn, held.event, held.session_id)
    elif isinstance(ask, bridge.RequestRead):
        bridge.request_known(turn, ask, _decoded(debugger.EvaluateOnCallFrame, given))
    elif isinstance(ask, bridge.OwnerAsked):
        bridge.owner_known(turn, ask, _decoded(dom.GetFrameOwner, given))
    elif isinstance(ask, bridge.OwnerDescribed):
        bridge.owner_described(turn, ask, _decoded(dom.DescribeNode, given))
    elif isinstance(ask, debugging.Armed):
        debugging.armed(turn, ask)
    elif isinstance(ask, bridge.LeftToNative):
        bridge.left_to_native(turn, ask)
    elif isinstance(ask, frames.FrameTreeAsked):
        tree = _decoded(page.GetFrameTree, given)
        if tree is not None:
            frames.frame_tree_known(turn, ask, tree)


def _decoded(command_type: Any, given: Replied) -> Any:
    if given.result is None:
        return None
    try:
        return decode_result(command_type, given.result)
    except _UNREADABLE:
        return None


def _connected(turn: Turn, given: Connected) -> None:
    fresh = given.context is not None and given.context != turn.state.context
    turn.change(health=Health("live"), context=given.context, proxied=given.proxied)
    if not given.owned:
        debugging.contest(turn)
    turn.send(downloads.set_up(turn.state), None)
    if turn.state.policy.record_network:
        network.record(turn)
    # A browser forgets what was granted with the connection that granted it.
    for rule in turn.state.permissions or turn.state.policy.permissions:
        turn.send(noted.permission_command(rule, turn.state), None)
        _keep_permission(turn, rule)
    turn.send(set_up.DISCOVER, None)
    backstage.clear(turn)
    turn.send(set_up.AUTO_ATTACH, None)
    if fresh:
        targets.open_tab(turn)


def _keep_permission(turn: Turn, rule: PermissionRule) -> None:
    others = [
        known
        for known in turn.state.permissions
        if (known.name, known.origin) != (rule.name, rule.origin)
    ]
    turn.change(permissions=(*others, rule))


def _disconnected(turn: Turn, given: Disconnected) -> None:
    backstage.lost(turn)
    if given.reconnecting:
        reconnect.lost(turn, given.reason, given.guarded)
        return
    for dialog in turn.state.pending_dialogs:
        dialogs.drop_dialogs(turn, dialog.target_id)
    for session_id in turn.state.sessions:
        waiting.drop_session(turn, session_id)
    turn.change(health=Health("gone", given.reason), lost_dialogs_until=None)
    turn.notify(EndpointLost(reason=given.reason))


def _clear_console(turn: Turn, tab_id: str) -> None:
    state = turn.state
    turn.change(
        console=tuple(m for m in state.console if m.tab_id != tab_id),
        console_errors=tuple(m for m in state.console_errors if m.tab_id != tab_id),
    )
