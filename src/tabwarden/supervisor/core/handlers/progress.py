"""Progress: how far each frame's document has loaded, and whether the frame is navigating."""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor.core.handlers import debugging, page_notes, titles
from tabwarden.supervisor.core.handlers.frames import ask_tree
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.answers import NOWHERE
from tabwarden.supervisor.core.state.notices import (
    LifecycleReached,
    NavigationSettled,
    NavigationStarted,
)
from tabwarden.supervisor.core.state.tabs import Frame
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_TITLED = ("load", "networkIdle")
"""When to read a title: after the page has loaded, and again when its network is idle."""


def navigation_requested(
    turn: Turn, event: page.FrameRequestedNavigation, session_id: str | None
) -> None:
    is_external = page_notes.navigation_requested(turn, event, session_id)
    if event.disposition in (None, "currentTab") and not is_external:
        _set_navigating(turn, event.frame_id, navigating=True)
        debugging.leaving(turn, event.frame_id, event.url, session_id)


def navigation_started(
    turn: Turn, event: page.FrameStartedNavigating, session_id: str | None
) -> None:
    if event.url.startswith(NOWHERE):  # we started this navigation
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


def navigation_scheduled(
    turn: Turn, event: page.FrameScheduledNavigation, session_id: str | None
) -> None:
    """Record that a ``Refresh`` header or a meta element will navigate away from the document."""
    _ = session_id
    frame = turn.state.frames.get(event.frame_id)
    if frame is not None and event.reason in ("httpHeaderRefresh", "metaTagRefresh"):
        leaves_for = (event.url, event.delay)
        turn.put("frames", frame.frame_id, replace(frame, leaves_for=leaves_for))


def stopped_loading(turn: Turn, event: page.FrameStoppedLoading, session_id: str | None) -> None:
    """Handle the end of a navigation, with or without a new document (a download, a 204 status, a
    refusal).
    """
    before = turn.state.frames.get(event.frame_id)
    if before is not None and before.navigating:  # nothing committed
        _settled(turn, before, session_id)
    _set_navigating(turn, event.frame_id, navigating=False)
    frame = turn.state.frames.get(event.frame_id)
    if frame is not None and frame.lifecycle and not frame.is_loaded:
        turn.put("frames", frame.frame_id, replace(frame, lifecycle=frame.lifecycle | {"stopped"}))
        frame = turn.state.frames[event.frame_id]
    if frame is not None and "DOMContentLoaded" in frame.lifecycle:
        debugging.loaded(turn, frame.frame_id, session_id)
    if frame is not None:
        _request_if_unreported(turn, frame, session_id)


def _request_if_unreported(turn: Turn, frame: Frame, session_id: str | None) -> None:
    """Read the frame tree for a frame that keeps its initial empty document. Such a frame never
    navigates, so no event reports its URL."""
    if not frame.url and frame.session_id == session_id:
        ask_tree(turn, frame.session_id)


def look_again(turn: Turn, input_: inputs.LookAgain) -> None:
    """Request a tab's frames and their progress. When lifecycle events are enabled again, the
    browser repeats the past events (InspectorPageAgent::setLifecycleEventsEnabled).
    """
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is not None and tab.session_id is not None:
        ask_tree(turn, tab.session_id)
        turn.send(page.SetLifecycleEventsEnabled(enabled=True), tab.session_id)


def used_while_arriving(turn: Turn, input_: inputs.UsedWhileArriving) -> None:
    top = turn.state.top_frame(input_.tab_id)
    if top is not None and top.loader_id == input_.loader_id:
        turn.put("frames", top.frame_id, replace(top, lifecycle=top.lifecycle | {"used"}))


def lifecycle(turn: Turn, event: page.LifecycleEvent, session_id: str | None) -> None:
    """Record a document's milestone. ``init`` means that a new document starts."""
    frame = turn.state.frames.get(event.frame_id)
    if frame is None:
        return
    if event.name == "init":
        if frame.loader_id == event.loader_id:
            # The same document starts again: document.open() and javascript: URLs replace its
            # content and its URL, and no other event that we receive reports this.
            ask_tree(turn, session_id)
        turn.put(
            "frames",
            frame.frame_id,
            replace(frame, loader_id=event.loader_id, lifecycle=frozenset({"init"}), bound_for=""),
        )
        return
    if frame.loader_id and frame.loader_id != event.loader_id:
        _record_unreported(turn, frame, event, session_id)
        return
    reached = frame.lifecycle | {event.name}
    turn.put("frames", frame.frame_id, replace(frame, lifecycle=reached))
    if event.name == "DOMContentLoaded":
        debugging.loaded(turn, frame.frame_id, session_id)
    if event.name in _TITLED and frame.parent_frame_id is None:
        titles.ask_title(turn, session_id)
    if event.name == "load":
        _settled(turn, frame, session_id)
        _request_if_unreported(turn, frame, session_id)
    turn.notify(
        LifecycleReached(
            tab_id=turn.state.tab_id_of_session(session_id),
            frame_id=event.frame_id,
            loader_id=event.loader_id,
            name=event.name,
        )
    )


def _record_unreported(
    turn: Turn, frame: Frame, event: page.LifecycleEvent, session_id: str | None
) -> None:
    """Record the progress of a document whose start no event reported. The frame tree, which is
    then requested, shows whether it is the frame's current document.
    """
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


EVENTS = (
    (page.FrameRequestedNavigation, navigation_requested),
    (page.FrameScheduledNavigation, navigation_scheduled),
    (page.FrameStartedNavigating, navigation_started),
    (page.FrameStoppedLoading, stopped_loading),
    (page.LifecycleEvent, lifecycle),
)
INPUTS = (
    (inputs.LookAgain, look_again),
    (inputs.UsedWhileArriving, used_while_arriving),
)
