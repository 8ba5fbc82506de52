"""The lease: for any order of inputs, one person at most has control, and no hand-off is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.page.control.lease import (
    Answer,
    Ask,
    Change,
    ControlReleased,
    ControlTaken,
    HandoffAsked,
    HandoffEnded,
    Input,
    Lease,
    Now,
    Release,
    Take,
    Tick,
    Touch,
    step,
)

IDLE_S = 60.0


def run(*inputs: tuple[float, Input]) -> tuple[Lease, list[Change]]:
    """Feed inputs at their times; return the state and all changes."""
    lease, changes = Lease(idle_s=IDLE_S), []
    for at, one in inputs:
        lease, news = step(lease, one, Now(at, 1_000 + at))
        changes += news
    return lease, changes


INPUTS = st.one_of(
    st.builds(Take, st.sampled_from(["Ann", "Ben"])),
    st.just(Touch()),
    st.builds(Release, st.sampled_from(["done", "idle", "operator", "closed"])),
    st.builds(Ask, st.just("log in"), st.floats(1, 1_000)),
    st.builds(
        Answer,
        st.sampled_from(["h-1", "h-2", "h-9"]),
        st.sampled_from(["done", "refused"]),
        st.just("Ann"),
    ),
    st.just(Tick()),
)


@given(st.lists(st.tuples(st.floats(0, 100), INPUTS), max_size=40))
def test_control_take_and_release_alternate_and_each_handoff_ends_once(
    steps: list[tuple[float, Input]],
) -> None:
    at, timed = 0.0, []
    for wait, one in steps:
        at += wait
        timed.append((at, one))
    lease, changes = run(*timed)
    turns = [
        type(change) for change in changes if isinstance(change, ControlTaken | ControlReleased)
    ]
    assert turns == [ControlTaken, ControlReleased] * (len(turns) // 2) + [ControlTaken] * (
        len(turns) % 2
    )
    assert (lease.holder is not None) == (len(turns) % 2 == 1)
    asked = [change.handoff.id for change in changes if isinstance(change, HandoffAsked)]
    ended = [change.handoff.id for change in changes if isinstance(change, HandoffEnded)]
    assert sorted(asked) == sorted([*ended, *(one.id for one in lease.waiting_handoffs)])
    assert all(c.handoff.outcome for c in changes if isinstance(c, HandoffEnded))
    assert len(lease.waiting_handoffs) <= 1


@given(st.lists(st.tuples(st.floats(0, 100), INPUTS), max_size=40))
def test_control_and_handoffs_end_by_timeout(steps: list[tuple[float, Input]]) -> None:
    """Passing time alone returns control and ends each handoff."""
    at, timed = 0.0, []
    for wait, one in steps:
        at += wait
        timed.append((at, one))
    lease, _ = run(*timed)
    for _ in range(3):
        due = lease.next_deadline
        if due is None:
            break
        lease, changes = step(lease, Tick(), Now(due, due))
        assert changes
    assert (lease.holder, lease.waiting_handoffs, lease.next_deadline) == (None, (), None)


def test_only_one_person_has_control_and_taking_it_again_renews_the_lease() -> None:
    lease, changes = run((0, Take("Ann")), (1, Take("Ben")), (2, Take("Ann")))
    assert lease.holder is not None
    assert (lease.holder.name, lease.holder.last_seen) == ("Ann", 2)
    assert len(changes) == 1


def test_persons_activity_renews_control() -> None:
    lease, _ = run((0, Take("Ann")), (59, Touch()), (61, Tick()))
    assert lease.holder is not None
    lease, changes = step(lease, Tick(), Now(59 + IDLE_S, 0))
    assert lease.holder is None
    assert isinstance(changes[0], ControlReleased)
    assert changes[0].why == "idle"


@pytest.mark.parametrize(
    ("why", "outcome"),
    [("done", "done"), ("idle", "idle"), ("operator", "operator"), ("closed", "closed")],
)
def test_handoff_ends_when_control_ends(why: str, outcome: str) -> None:
    lease, changes = run((0, Ask("log in", 30)), (1, Take("Ann")), (2, Release(why, "ok")))  # type: ignore[arg-type]
    assert lease.waiting_handoffs == ()
    ended = changes[-1]
    assert isinstance(ended, HandoffEnded)
    assert (ended.handoff.outcome, ended.handoff.by, ended.handoff.message) == (
        outcome,
        "Ann",
        "ok",
    )


def test_handoff_does_not_time_out_while_a_person_has_control() -> None:
    lease, _ = run((0, Ask("log in", 30)), (1, Take("Ann")), (40, Touch()), (41, Tick()))
    assert [one.outcome for one in lease.waiting_handoffs] == [None]


def test_repeated_handoff_request_updates_the_same_handoff() -> None:
    lease, changes = run((0, Ask("log in", 30)), (5, Ask("log in, please", 30)))
    assert [(one.id, one.reason, one.deadline) for one in lease.waiting_handoffs] == [
        ("h-1", "log in, please", 35)
    ]
    assert len(changes) == 1
