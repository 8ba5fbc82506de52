"""Applications that embed Chromium: what they do with tabs and windows, and browsers don't.

- CEF 131 creates each tab of its own windows as a target of the type ``other``, which becomes a
  ``page`` when it navigates. The browser attaches us to new targets only, so we attach to it then.
- QtWebEngine 6.12 destroys a window that its application refuses, before anyone can attach to it.
  Because we asked that new windows wait for us, the page that called ``window.open`` waits for ever
  for this window. We let the page go on.
"""

from __future__ import annotations

from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.transition import Turn

WINDOW_S = 0.3
"""A window that has not appeared after this time was refused. Windows appear within 10 ms."""

REFUSED = "the application did not allow it"


def created(turn: Turn, event: target.TargetCreated, session_id: str | None) -> None:
    _ = session_id
    if event.target_info.type == "other":
        turn.change(untyped=turn.state.untyped | {event.target_info.target_id})


def changed(turn: Turn, event: target.TargetInfoChanged, session_id: str | None) -> None:
    """Attach to a target that has become a page."""
    _ = session_id
    info = event.target_info
    if info.type == "page" and info.target_id in turn.state.untyped:
        turn.change(untyped=turn.state.untyped - {info.target_id})
        turn.send(target.AttachToTarget(target_id=info.target_id, flatten=True), None)


def destroyed(turn: Turn, event: target.TargetDestroyed, session_id: str | None) -> None:
    _ = session_id
    if event.target_id in turn.state.untyped:
        turn.change(untyped=turn.state.untyped - {event.target_id})


def window_opened(turn: Turn, event: page.WindowOpen, session_id: str | None) -> None:
    _ = event
    if turn.state.policy.windows_may_hang and session_id is not None:
        turn.put("awaiting_window", session_id, turn.now.monotonic + WINDOW_S)


def attached(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """Record that a window appeared. It lets its opener go on when it is set up."""
    _ = session_id
    sessions, opener = turn.state.sessions.values(), event.target_info.opener_id
    tabs = {one.tab_id for one in sessions if one.target_id == opener}
    turn.drop("awaiting_window", *(one.session_id for one in sessions if one.tab_id in tabs))


def let_go_on(turn: Turn, _: inputs.Tick) -> None:
    """Let the pages go on whose windows did not appear."""
    for session_id, due in turn.state.awaiting_window.items():
        if due <= turn.now.monotonic:
            turn.drop("awaiting_window", session_id)
            turn.send(runtime.RunIfWaitingForDebugger(), session_id)
            turn.note(turn.state.tab_id_of_session(session_id), "window", "", REFUSED, again=True)


EVENTS = (
    (target.TargetCreated, created),
    (target.TargetInfoChanged, changed),
    (target.TargetDestroyed, destroyed),
    (page.WindowOpen, window_opened),
    (target.AttachedToTarget, attached),
)
INPUTS = ((inputs.Tick, let_go_on),)
