"""Windows that pages open and that never appear, and tabs that are not pages at first.

- Browsers block a pop-up that nobody clicked for, and send no event. So we report a window that
  does not appear soon.
- CEF 131 creates each tab of its own windows as a target of the type ``other``, which becomes a
  ``page`` when it navigates. The browser attaches us to new targets only, so we attach to it then.
- QtWebEngine 6.12 destroys a window that its application refuses, before anyone can attach to it.
  Because we asked that new windows wait for us, the page that called ``window.open`` waits for ever
  for this window. We let the page go on.
"""

from __future__ import annotations

from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.tabs import AwaitedWindow
from tabwarden.supervisor.core.state.transition import Turn

WINDOW_S = 0.3
"""A window that has not appeared after this time was refused. Windows appear within 10 ms."""

_MOST = 20
"""How many windows to wait for."""

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
    """Expect a window, if it may be refused: browsers block pop-ups that nobody clicked for."""
    may_be_refused = turn.state.policy.windows_may_hang or not event.user_gesture
    session = turn.state.session(session_id)
    if may_be_refused and session is not None and len(turn.state.awaited_windows) < _MOST:
        window = AwaitedWindow(session.session_id, event.url, turn.now.monotonic + WINDOW_S)
        turn.change(awaited_windows=(*turn.state.awaited_windows, window))


def attached(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """Record that a window appeared. It lets its opener go on when it is set up."""
    _ = session_id
    opener = event.target_info.opener_id
    if opener is None or not turn.state.awaited_windows:
        return
    tab_ids = {one.tab_id for one in turn.state.sessions.values() if one.target_id == opener}
    for window in turn.state.awaited_windows:
        if turn.state.tab_id_of_session(window.session_id) in tab_ids:
            others = [one for one in turn.state.awaited_windows if one is not window]
            turn.change(awaited_windows=tuple(others))
            return


def let_go_on(turn: Turn, _: inputs.Tick) -> None:
    """Report the windows that did not appear, and let their pages go on."""
    due = [one for one in turn.state.awaited_windows if one.due <= turn.now.monotonic]
    if due:
        others = [one for one in turn.state.awaited_windows if one not in due]
        turn.change(awaited_windows=tuple(others))
    for window in due:
        tab_id = turn.state.tab_id_of_session(window.session_id)
        if turn.state.policy.windows_may_hang:
            turn.send(runtime.RunIfWaitingForDebugger(), window.session_id)
            turn.note(tab_id, "window", "", REFUSED, again=True)
        else:
            turn.note(tab_id, "popup", "", window.url)


EVENTS = (
    (target.TargetCreated, created),
    (target.TargetInfoChanged, changed),
    (target.TargetDestroyed, destroyed),
    (page.WindowOpen, window_opened),
    (target.AttachedToTarget, attached),
)
INPUTS = ((inputs.Tick, let_go_on),)
