"""The lease: a pure state machine that decides who controls a task, the agent or a person.

``step`` returns the next state and the changes. It does not read a clock and does no I/O.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Why = Literal["done", "idle", "operator", "closed"]
"""Why a person's control ended: the person is done or idle, the agent's operator took control
back, or the browser was closed."""
Outcome = Literal["done", "refused", "idle", "operator", "nobody", "closed"]
"""How a hand-off ended. ``idle``: a person took control, but then sent no input to the page for too
long. ``operator``: the agent's operator took control back. ``nobody``: nobody responded in time.
``closed``: the browser was closed."""
_OUTCOME_OF: dict[Why, Outcome] = {
    "done": "done",
    "idle": "idle",
    "operator": "operator",
    "closed": "closed",
}
IDLE_S = 60.0
"""The default of ``browser.control.idle_s``: control returns to the agent after this many seconds
without input to the page."""
LONGEST_TEXT = 500
"""The maximum length, in characters, of a reason and of a person's message."""
LONGEST_NAME = 80
MOST_ENDED_HANDOFFS = 20
"""The maximum number of ended hand-offs in a lease."""


class Now(NamedTuple):
    monotonic: float
    """Monotonic seconds, for deadlines."""
    wall: float
    """Wall-clock seconds since the epoch, for display only."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person who has control."""

    number: int
    """The number of this lease in its task, starting at 1."""
    name: str
    identity: str = ""
    """Distinguishes people with the same name. The agent never sees it."""
    since: float
    """When the person took control, in wall-clock seconds since the epoch."""
    last_seen: float
    """When the person last did something, in monotonic seconds."""


class Handoff(msgspec.Struct, frozen=True, kw_only=True):
    """An agent's request for a person to take control."""

    id: str
    reason: str
    asked_at: float
    """When the agent requested the hand-off, in wall-clock seconds since the epoch."""
    deadline: float
    """When the hand-off ends if nobody responds, in monotonic seconds."""
    ends_at: float
    """The deadline in wall-clock seconds since the epoch."""
    outcome: Outcome | None = None
    """How the hand-off ended; None while it is waiting."""
    by: str = ""
    """The name of the person who ended the hand-off."""
    message: str = ""
    """That person's message to the agent."""


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """Who controls a task, and the agent's requests to a person."""

    idle_s: float = IDLE_S
    """After this many seconds without input to the page, control returns to the agent."""
    holder: Person | None = None
    """The person who has control; None if the agent has it."""
    waiting_handoffs: tuple[Handoff, ...] = ()
    """The hand-offs that are waiting for a person, oldest first."""
    ended_handoffs: tuple[Handoff, ...] = ()
    """The last hand-offs that ended, oldest first."""
    lease_count: int = 0
    handoff_count: int = 0

    @property
    def next_deadline(self) -> float | None:
        """When the next ``Tick`` is due, in monotonic seconds."""
        due = [one.deadline for one in self.waiting_handoffs] if self.holder is None else []
        if self.holder is not None:
            due.append(self.holder.last_seen + self.idle_s)
        return min(due, default=None)


class Input(msgspec.Struct, frozen=True):
    """Base of all inputs."""


class Take(Input, frozen=True):
    """A person requests control. The request is refused if another person has control."""

    name: str
    identity: str = ""


class Touch(Input, frozen=True):
    """The person with control was active."""


class Release(Input, frozen=True):
    """The person's control ends, and so do the waiting hand-offs."""

    why: Why
    message: str = ""


class Ask(Input, frozen=True):
    """The agent requests a hand-off. If a hand-off is already waiting, this request renews it."""

    reason: str
    for_s: float


class Answer(Input, frozen=True):
    """A person ends a hand-off without taking control, or refuses it."""

    handoff_id: str
    outcome: Literal["done", "refused"]
    name: str
    message: str = ""


class SetIdle(Input, frozen=True):
    idle_s: float


class Tick(Input, frozen=True):
    """The time that ``next_deadline`` returned has been reached."""


class Change(msgspec.Struct, frozen=True):
    """Base of all changes."""


class ControlTaken(Change, frozen=True):
    person: Person


class ControlReleased(Change, frozen=True):
    person: Person
    why: Why
    message: str = ""
    """The person's message to the agent. It is empty if a hand-off contains the message."""


class HandoffAsked(Change, frozen=True):
    handoff: Handoff


class HandoffEnded(Change, frozen=True):
    """A hand-off ended; its ``outcome`` is set."""

    handoff: Handoff


def step(lease: Lease, event: Input, now: Now) -> tuple[Lease, tuple[Change, ...]]:
    """Return the next state and the changes."""
    match event:
        case Take():
            return _take(lease, event, now)
        case Touch():
            return _touch(lease, now), ()
        case Release(why, message):
            return _release(lease, why, message)
        case Ask(reason, for_s):
            return _ask(lease, reason, for_s, now)
        case Answer(handoff_id, outcome, name, message):
            return _end_handoffs(lease, outcome, name, message, handoff_id)
        case SetIdle(idle_s):
            return msgspec.structs.replace(lease, idle_s=idle_s), ()
        case Tick():
            return _tick(lease, now)
    raise AssertionError(f"unknown input: {event!r}")


def _take(lease: Lease, event: Take, now: Now) -> tuple[Lease, tuple[Change, ...]]:
    if lease.holder is not None:
        same = is_held_by(lease, event.name, event.identity)
        return (_touch(lease, now) if same else lease), ()
    number = lease.lease_count + 1
    person = Person(
        number=number,
        name=event.name,
        identity=event.identity,
        since=now.wall,
        last_seen=now.monotonic,
    )
    return msgspec.structs.replace(lease, holder=person, lease_count=number), (
        ControlTaken(person),
    )


def is_held_by(lease: Lease, name: str, identity: str) -> bool:
    """Whether this person has control."""
    holder = lease.holder
    return holder is not None and (holder.name, holder.identity) == (name, identity)


def _touch(lease: Lease, now: Now) -> Lease:
    if lease.holder is None:
        return lease
    last_seen = max(lease.holder.last_seen, now.monotonic)
    return msgspec.structs.replace(
        lease, holder=msgspec.structs.replace(lease.holder, last_seen=last_seen)
    )


def _release(lease: Lease, why: Why, message: str) -> tuple[Lease, tuple[Change, ...]]:
    person = lease.holder
    if person is None and why != "closed":
        return lease, ()
    words = "" if lease.waiting_handoffs else message
    changes: tuple[Change, ...] = () if person is None else (ControlReleased(person, why, words),)
    lease = msgspec.structs.replace(lease, holder=None)
    lease, ended = _end_handoffs(lease, _OUTCOME_OF[why], person.name if person else "", message)
    return lease, (*changes, *ended)


def _ask(lease: Lease, reason: str, for_s: float, now: Now) -> tuple[Lease, tuple[Change, ...]]:
    deadline, ends_at = now.monotonic + for_s, now.wall + for_s
    if lease.waiting_handoffs:
        again = msgspec.structs.replace(
            lease.waiting_handoffs[-1],
            reason=reason,
            ends_at=max(ends_at, lease.waiting_handoffs[-1].ends_at),
            deadline=max(deadline, lease.waiting_handoffs[-1].deadline),
        )
        waiting = (*lease.waiting_handoffs[:-1], again)
        return msgspec.structs.replace(lease, waiting_handoffs=waiting), ()
    number = lease.handoff_count + 1
    handoff = Handoff(
        id=f"h-{number}",
        reason=reason,
        asked_at=now.wall,
        deadline=deadline,
        ends_at=ends_at,
    )
    next_lease = msgspec.structs.replace(lease, waiting_handoffs=(handoff,), handoff_count=number)
    return next_lease, (HandoffAsked(handoff),)


def _end_handoffs(
    lease: Lease, outcome: Outcome, name: str, message: str, handoff_id: str | None = None
) -> tuple[Lease, tuple[Change, ...]]:
    """End the hand-off with this id, or all waiting hand-offs if the id is None."""
    ended = tuple(
        msgspec.structs.replace(one, outcome=outcome, by=name, message=message)
        for one in lease.waiting_handoffs
        if handoff_id in (None, one.id)
    )
    if not ended:
        return lease, ()
    ended_ids = {one.id for one in ended}
    waiting = tuple(one for one in lease.waiting_handoffs if one.id not in ended_ids)
    all_ended = (*lease.ended_handoffs, *ended)[-MOST_ENDED_HANDOFFS:]
    return msgspec.structs.replace(
        lease, waiting_handoffs=waiting, ended_handoffs=all_ended
    ), tuple(map(HandoffEnded, ended))


def _tick(lease: Lease, now: Now) -> tuple[Lease, tuple[Change, ...]]:
    if (holder := lease.holder) is not None:  # this person will end the hand-offs
        if holder.last_seen + lease.idle_s <= now.monotonic:
            return _release(lease, "idle", "")
        return lease, ()
    changes: list[Change] = []
    for one in lease.waiting_handoffs:
        if one.deadline <= now.monotonic:
            lease, ended = _end_handoffs(lease, "nobody", "", "", one.id)
            changes += ended
    return lease, tuple(changes)
