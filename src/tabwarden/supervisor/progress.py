"""Progress: how far each frame's document has come, and whether it is on its way to another."""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor import auth, debugging, noted, targets
from tabwarden.supervisor.answers import NOWHERE
from tabwarden.supervisor.frames import ask_tree
from tabwarden.supervisor.notices import LifecycleReached, NavigationSettled, NavigationStarted
from tabwarden.supervisor.tabs import Frame
from tabwarden.supervisor.turn import Turn
from tabwarden.supervisor.values import replace

__all__ = [
    "lifecycle",
    "look_again",
    "navigation_requested",
    "navigation_started",
    "stopped_loading",
]
_TITLED = ("load", "networkIdle")
"""When a title is looked for: as the document is there, and as a page has fetched what it shows."""


def navigation_requested(
    turn: Turn, event: page.FrameRequestedNavigation, session_id: str | None
) -> None:
    """A page wants one of its frames to go elsewhere."""
    noted.navigation_requested(turn, event, session_id)
    if event.disposition in (None, "currentTab"):
        _set_navigating(turn, event.frame_id, navigating=True)
        debugging.leaving(turn, event.frame_id, event.url, session_id)


def navigation_started(
    turn: Turn, event: page.FrameStartedNavigating, session_id: str | None
) -> None:
    """A frame is on its way to another document."""
    if event.url.startswith(NOWHERE):  # ours
        return
    if event.navigation_type not in ("sameDocument", "historySameDocument"):
        _set_navigating(turn, event.frame_id, navigating=True, bound_for=event.url)
        debugging.leaving(turn, event.frame_id, event.url, session_id)
        turn.notify(
            NavigationStarted(
                tab_id=turn.state.tab_id_of_session(session_id),
                frame_id=event.frame_id,
                url=event.url,
            )
        )


def stopped_loading(turn: Turn, event: page.FrameStoppedLoading, session_id: str | None) -> None:
    """A navigation is over, whether it committed or not (a download, a 204, a refusal)."""
    before = turn.state.frames.get(event.frame_id)
    if before is not None and before.navigating:  # nothing committed
        _settled(turn, before, session_id)
    _set_navigating(turn, event.frame_id, navigating=False)
    auth.drop_frame(turn, event.frame_id)
    frame = turn.state.frames.get(event.frame_id)
    if frame is not None and frame.lifecycle and not frame.is_loaded:
        turn.put("frames", frame.frame_id, replace(frame, lifecycle=frame.lifecycle | {"stopped"}))
        frame = turn.state.frames[event.frame_id]
    if frame is not None and "DOMContentLoaded" in frame.lifecycle:
        debugging.loaded(turn, frame.frame_id, session_id)
    if frame is not None:
        _ask_if_nothing_came(turn, frame, session_id)


def _ask_if_nothing_came(turn: Turn, frame: Frame, session_id: str | None) -> None:
    """A frame that keeps its first, empty document never navigates, so nobody says its name."""
    if not frame.url and frame.session_id == session_id:
        ask_tree(turn, frame.session_id)


def look_again(turn: Turn, tab_id: str) -> None:
    """Ask what stands in a tab, and how far that has come: switched on once more, the events of its
    documents' lives are told once more (InspectorPageAgent::setLifecycleEventsEnabled)."""
    tab = turn.state.tabs.get(tab_id)
    if tab is not None and tab.session_id is not None:
        ask_tree(turn, tab.session_id)
        turn.send(page.SetLifecycleEventsEnabled(enabled=True), tab.session_id)


def lifecycle(turn: Turn, event: page.LifecycleEvent, session_id: str | None) -> None:
    """A document got further; ``init`` begins a new one."""
    frame = turn.state.frames.get(event.frame_id)
    if frame is None:
        return
    if event.name == "init":
        if frame.loader_id == event.loader_id:
            # The same document begins again: document.open() and javascript: URLs put another in
            # its place, with another URL, and tell nothing else that we listen to.
            ask_tree(turn, session_id)
        turn.put(
            "frames",
            frame.frame_id,
            replace(frame, loader_id=event.loader_id, lifecycle=frozenset({"init"}), bound_for=""),
        )
        return
    if frame.loader_id and frame.loader_id != event.loader_id:
        _reached_untold(turn, frame, event, session_id)
        return
    reached = frame.lifecycle | {event.name}
    turn.put("frames", frame.frame_id, replace(frame, lifecycle=reached))
    if event.name == "DOMContentLoaded":
        debugging.loaded(turn, frame.frame_id, session_id)
    if event.name in _TITLED and frame.parent_frame_id is None:
        targets.ask_title(turn, session_id)
    if event.name == "load":
        _settled(turn, frame, session_id)
        _ask_if_nothing_came(turn, frame, session_id)
    turn.notify(
        LifecycleReached(
            tab_id=turn.state.tab_id_of_session(session_id),
            frame_id=event.frame_id,
            loader_id=event.loader_id,
            name=event.name,
        )
    )


def _reached_untold(
    turn: Turn, frame: Frame, event: page.LifecycleEvent, session_id: str | None
) -> None:
    """Keep what a document reached that did not begin, as far as we heard; the tree says whether it
    stands in its frame now."""
    loader_id, reached = frame.untold
    before = reached if loader_id == event.loader_id else frozenset()
    untold = (event.loader_id, before | {event.name})
    turn.put("frames", frame.frame_id, replace(frame, untold=untold))
    if event.name == "DOMContentLoaded" and frame.session_id == session_id:
        ask_tree(turn, session_id)


def _settled(turn: Turn, frame: Frame, session_id: str | None) -> None:
    tab_id = turn.state.tab_id_of_session(session_id)
    turn.notify(NavigationSettled(tab_id=tab_id, frame_id=frame.frame_id, url=frame.url))


def _set_navigating(turn: Turn, frame_id: str, *, navigating: bool, bound_for: str = "") -> None:
    frame = turn.state.frames.get(frame_id)
    if frame is None:
        return
    if navigating and not bound_for:
        bound_for = frame.bound_for
    if (frame.navigating, frame.bound_for) != (navigating, bound_for):
        turn.put("frames", frame_id, replace(frame, navigating=navigating, bound_for=bound_for))
