"""Stream the pictures of a task's tabs to any number of listeners."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.page.screencast.screencast import (
    MAX_FPS,
    Listener,
    MayShow,
    Paced,
    Screencast,
    do_nothing,
)
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor


class Subscription:
    """One listener's subscription. ``tab_id`` is None if it follows the active tab."""

    def __init__(self, paced: Paced, tab_id: str | None) -> None:
        self.paced = paced
        self.tab_id = tab_id
        self.on: Screencast | None = None


class Screencasts:
    """A task's screencasts. They cost nothing while nobody watches."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        self._of_tabs: dict[str, Screencast] = {}
        self._subscriptions: list[Subscription] = []
        self._unobserve = do_nothing
        self.check: Callable[[], MayShow | None] = lambda: None
        """Returns the function that decides whether a tab's new image may be shown, or None to
        allow every image."""

    def watch(
        self,
        listener: Listener,
        *,
        tab_id: str | None = None,
        max_width: int = 1280,
        fps: float = MAX_FPS,
    ) -> Subscription:
        """Call ``listener(picture)`` on the engine's thread for each picture of a tab.

        Pictures arrive only when the page changes. The listener must not block; a slow listener
        must drop pictures itself. Call this on the engine's event loop.

        Args:
            listener: the function that gets each picture.
            tab_id: the tab; None to follow the active tab.
            max_width: the maximum width of the pictures in pixels. A picture may be wider if
                another listener allows more.
            fps: the maximum number of pictures per second.
        """
        subscription = Subscription(Paced(listener, max_width=max_width, fps=fps), tab_id)
        if not self._subscriptions:
            self._unobserve = self._supervisor.observe(self._on_notices)
        self._subscriptions.append(subscription)
        self._aim(subscription, self._supervisor.state)
        return subscription

    def unwatch(self, subscription: Subscription) -> None:
        """End a subscription. A second call does nothing."""
        if subscription not in self._subscriptions:
            return
        self._subscriptions.remove(subscription)
        self._leave(subscription)
        if not self._subscriptions:
            self._unobserve()

    def _on_notices(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        _ = notices
        for subscription in self._subscriptions:
            if subscription.tab_id is None:
                self._aim(subscription, state)
        for screencast in list(self._of_tabs.values()):
            screencast.align(state)

    def _aim(self, subscription: Subscription, state: SupervisorState) -> None:
        tab_id = subscription.tab_id or state.active_tab_id
        if subscription.on is not None and subscription.on.tab_id == tab_id:
            return
        self._leave(subscription)
        if tab_id is not None:
            screencast = self._of_tabs.get(tab_id)
            if screencast is None:
                screencast = self._of_tabs[tab_id] = Screencast(
                    self._supervisor, tab_id, self.check
                )
            subscription.on = screencast
            screencast.add(subscription.paced)

    def _leave(self, subscription: Subscription) -> None:
        screencast, subscription.on = subscription.on, None
        if screencast is None:
            return
        screencast.remove(subscription.paced)
        if not screencast.is_watched:
            self._of_tabs.pop(screencast.tab_id, None)
