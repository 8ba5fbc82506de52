"""The audience: who is told what a supervisor hears from its browser, and what it makes of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec

from tabwarden.supervisor.notices import Notice
from tabwarden.supervisor.state import SupervisorState
from tabwarden.wire import Envelope

__all__ = ["Audience", "Listener", "Observer", "Subscription"]

Listener = Callable[[msgspec.Raw | bytes], None]
Observer = Callable[[tuple[Notice, ...], SupervisorState], None]
Subscription = Callable[[], None]
"""Call it to end the subscription."""


class Audience:
    """Observers of the state, and listeners to single events as they come over the wire."""

    def __init__(self) -> None:
        self.observers: dict[int, Observer] = {}
        self.listeners: dict[tuple[str, str | None], list[Listener]] = {}
        self._keys = itertools.count()

    def observe(self, observer: Observer) -> Subscription:
        """See ``CDPSupervisor.observe``."""
        key = next(self._keys)
        self.observers[key] = observer

        def end() -> None:
            self.observers.pop(key, None)

        return end

    def listen(self, method: str, session_id: str | None, listener: Listener) -> Subscription:
        """See ``CDPSupervisor.listen``."""
        listeners = self.listeners.setdefault((method, session_id), [])
        listeners.append(listener)

        def end() -> None:
            listeners.remove(listener)
            if not listeners:
                self.listeners.pop((method, session_id), None)

        return end

    def hear(self, envelope: Envelope) -> None:
        """Hand an event to those who listen to it."""
        if self.listeners:
            for listener in self.listeners.get((envelope.method, envelope.session_id), ()):
                listener(envelope.params)

    def tell(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        """Tell the observers what has changed."""
        for observer in list(self.observers.values()):
            observer(notices, state)
