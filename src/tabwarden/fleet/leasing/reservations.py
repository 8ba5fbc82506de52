"""Reservations: the places on other hosts that wait for tasks that move."""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.fleet.leasing.host_state import HostState


class _Reserved(NamedTuple):
    state: HostState
    until: float


class Reservations:
    """The reserved places. ``HostState.reserved`` counts them against what the host offers."""

    def __init__(self) -> None:
        self._places: dict[str, _Reserved] = {}

    def __contains__(self, task: str) -> bool:
        return task in self._places

    def add(self, task: str, state: HostState, until: float) -> None:
        """Keep a place on a host for a task until a time. It must have none."""
        self._places[task] = _Reserved(state, until)
        state.reserved.add(task)

    def take(self, task: str) -> HostState | None:
        """End a task's reservation; return the host, which may be lost by now, or None."""
        reserved = self._places.pop(task, None)
        if reserved is None:
            return None
        reserved.state.reserved.discard(task)
        return reserved.state

    def expire(self, now: float) -> None:
        """End the reservations whose time is over."""
        for task in [task for task, one in self._places.items() if one.until <= now]:
            self.take(task)
