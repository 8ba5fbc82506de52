"""A checker over histories of a fleet: did a task ever have two owners, or an old generation work?

A test records what clients asked and were answered, and when each host could act on a task. All
times are seconds of one clock. A call takes effect at some moment between its start and its end, so
the checker reports only what no choice of these moments allows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from pathlib import Path

import msgspec

__all__ = ["Acquired", "History", "Owned", "Released", "Used", "violations"]


class Acquired(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The coordinator answered that a host has a task, with this generation."""

    task: str
    generation: int
    host_id: str
    asked_at: float
    answered_at: float


class Released(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The coordinator answered that it ended this lease."""

    task: str
    generation: int
    asked_at: float
    answered_at: float


class Owned(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A host could act on a task: its browser lived, and the host believed in the lease.

    Attributes:
        until: when that ended; None if it has not.
    """

    task: str
    generation: int
    host_id: str
    since: float
    until: float | None = None

    @property
    def end(self) -> float:
        return inf if self.until is None else self.until


class Used(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A client used a generation of a task on a host, and the host acted or rejected it."""

    task: str
    generation: int
    host_id: str
    asked_at: float
    answered_at: float
    accepted: bool


Event = Acquired | Released | Owned | Used


class History(msgspec.Struct):
    """The recorded events. Several processes can each write a file."""

    events: list[Event] = []

    def add(self, event: Event) -> None:
        self.events.append(event)

    def write(self, path: Path) -> None:
        """Write the events, one JSON value per line."""
        path.write_bytes(msgspec.json.Encoder().encode_lines(self.events))

    @classmethod
    def read(cls, *paths: Path) -> History:
        decoder = msgspec.json.Decoder(Event)
        return cls([event for path in paths for event in decoder.decode_lines(path.read_bytes())])


def violations(history: History) -> list[str]:
    """Return the violations of the lease rules, one sentence each."""
    by_task: dict[str, list[Event]] = defaultdict(list)
    for event in history.events:
        by_task[event.task].append(event)
    found = list(_shared_generations(history.events))
    for task, events in by_task.items():
        owned = [event for event in events if isinstance(event, Owned)]
        found += [f"{task}: {wrong}" for wrong in _two_owners(owned)]
        found += [f"{task}: {wrong}" for wrong in _going_back(events)]
        found += [f"{task}: {wrong}" for wrong in _after_release(events)]
        found += [f"{task}: {wrong}" for wrong in _accepted(events, owned)]
    return found


def _shared_generations(events: Iterable[Event]) -> Iterator[str]:
    """A generation belongs to one task on one host, across coordinator restarts."""
    seen: dict[int, tuple[str, str]] = {}
    for event in events:
        if isinstance(event, Acquired | Owned):
            here = (event.task, event.host_id)
            first = seen.setdefault(event.generation, here)
            if first != here:
                both = f"{' on '.join(first)}, and {' on '.join(here)}"
                yield f"generation {event.generation} is {both}"


def _two_owners(owned: list[Owned]) -> Iterator[str]:
    """At any moment only one host with one generation can act, and generations only increase."""
    ordered = sorted(owned, key=lambda one: (one.since, one.end))
    last: Owned | None = None  # the one that lasts the longest so far
    for one in ordered:
        if last is not None and one.since < last.end and _who(one) != _who(last):
            yield (
                f"two owners from {one.since:.3f} to {min(one.end, last.end):.3f}: "
                f"{last.host_id} as {last.generation}, and {one.host_id} as {one.generation}"
            )
        if last is None or one.end > last.end:
            last = one
    for before, after in pairwise(ordered):
        if after.generation < before.generation:
            yield f"{after.host_id} began {after.generation} after {before.generation}"


def _going_back(events: list[Event]) -> Iterator[str]:
    """A request after an answer gets the same generation or a newer one."""
    acquired = sorted(
        (one for one in events if isinstance(one, Acquired)), key=lambda one: one.asked_at
    )
    answered = sorted(acquired, key=lambda one: one.answered_at)
    newest, at = 0, 0
    for one in acquired:
        while at < len(answered) and answered[at].answered_at < one.asked_at:
            newest = max(newest, answered[at].generation)
            at += 1
        if one.generation < newest:
            yield f"{one.generation} was given at {one.asked_at:.3f}, after {newest}"


def _after_release(events: list[Event]) -> Iterator[str]:
    """A request after a release does not get the released lease."""
    ended = {one.generation: one.answered_at for one in events if isinstance(one, Released)}
    for one in events:
        if isinstance(one, Acquired) and one.asked_at > ended.get(one.generation, inf):
            yield f"{one.generation} was given at {one.asked_at:.3f}, after it was released"


def _accepted(events: list[Event], owned: list[Owned]) -> Iterator[str]:
    """A host acts on a generation only while it owns it."""
    for use in events:
        if not isinstance(use, Used) or not use.accepted:
            continue
        newer = min((one.since for one in owned if one.generation > use.generation), default=inf)
        if newer < use.asked_at:
            old = f"the old generation {use.generation}"
            yield f"{use.host_id} acted on {old} at {use.asked_at:.3f}"
        elif not any(
            _who(one) == (use.host_id, use.generation)
            and one.since <= use.answered_at
            and use.asked_at <= one.end
            for one in owned
        ):
            yield f"{use.host_id} acted on {use.generation} without its lease at {use.asked_at:.3f}"


def _who(one: Owned) -> tuple[str, int]:
    return one.host_id, one.generation
