"""The subscribers of a supervisor: observers of its state, and listeners to its events."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec

from tabwarden.supervisor.core.state import Notice, SupervisorState
from tabwarden.wire import Envelope

Listener = Callable[[msgspec.Raw | bytes], None]
Observer = Callable[[tuple[Notice, ...], SupervisorState], None]
Subscription = Callable[[], None]
"""A function that ends the subscription."""


class Audience:
    def __init__(self) -> None:
        self.observers: dict[int, Observer] = {}
        self.listeners: dict[tuple[str, str | None], list[Listener]] = {}
        self._keys = itertools.count()

    def observe(self, observer: Observer) -> Subscription:
        key = next(self._keys)
        self.observers[key] = observer

        def end() -> None:
            self.observers.pop(key, None)

        return end

    def listen(self, method: str, session_id: str | None, listener: Listener) -> Subscription:
        listeners = self.listeners.setdefault((method, session_id), [])
        listeners.append(listener)

        def end() -> None:
            listeners.remove(listener)
            if not listeners:
                self.listeners.pop((method, session_id), None)

        return end

    def hear(self, envelope: Envelope) -> None:
        if self.listeners:
            for listener in self.listeners.get((envelope.method, envelope.session_id), ()):
                listener(envelope.params)

    def tell(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        for observer in list(self.observers.values()):
            observer(notices, state)
