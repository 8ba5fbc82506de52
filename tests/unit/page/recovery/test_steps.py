"""The ladder as a pure function: which step comes next, and how each path ends."""

from __future__ import annotations

import struct
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.page.recovery import RESCUE_S, ladder, outcomes, timing
from tabwarden.page.recovery.outcomes import Outcome
from tabwarden.page.recovery.steps import MOST, Observation, Step, next_step

LOOK_S = timing.AGAIN_DELAY_S + timing.AGAIN_S
COSTS_S = {
    Step.STOP_LOADING: 0.0,
    Step.PROBE: timing.PROBE_S,
    Step.STOP_OWN_SCRIPT: LOOK_S,
    Step.STOP_NAVIGATING: 6 * timing.REST_S + timing.CLEAR_TIMERS_S,
    Step.TERMINATE: timing.TERMINATE_S + LOOK_S,
    Step.WAIT_FOR_NATIVE_CODE: timing.PATIENT_S + LOOK_S,
    Step.STOP_DOCUMENT: timing.STOPPED_DOCUMENT_S,
    Step.TERMINATE_QUEUE: timing.SCRIPT_QUEUE_S + timing.PATIENT_S + LOOK_S,
    Step.DISABLE_SCRIPTS: timing.PROBE_S + timing.TERMINATE_S,
    Step.ENABLE_SCRIPTS: LOOK_S,
    Step.CLEAR_TIMERS: timing.TERMINATE_S + timing.CLEAR_TIMERS_S + LOOK_S,
    Step.DISABLE_FOR_GOOD: timing.TERMINATE_S + timing.PATIENT_S,
}
"""The longest duration of each step in place on an idle machine."""
ALL_IN_PLACE_S = sum(MOST[step] * each for step, each in COSTS_S.items()) + timing.SLOW_BROWSER_S
"""Each as often as allowed; the browser process is slow once, before the second probe."""
LONGEST = sum(MOST.values()) + 1
FACTS = [name for name in Observation.__struct_fields__ if name != "steps"]
USUAL = {"hung", "reacted", "tab_open", "parsed"}
Facts = dict[str, bool]


def history_of(drawn: bytes) -> list[Facts]:
    """The facts after each step: an unrecoverable page, except for one fact in eight."""
    history = []
    for at in range(0, len(drawn), 6):
        first, second, third = struct.unpack_from("3H", drawn, at)
        unusual = first & second & third
        history.append(
            {name: (name in USUAL) != bool(unusual >> n & 1) for n, name in enumerate(FACTS)}
        )
    call = {name: history[0][name] for name in ("own_script", "hung_before")}
    return [facts | call for facts in history]


# One draw, as hundreds of booleans take too long to be drawn on a busy machine.
HISTORIES = st.binary(min_size=6 * LONGEST, max_size=6 * LONGEST).map(history_of)


def climb(history: Iterable[Facts]) -> tuple[list[Observation], Outcome]:
    """The facts before each step of a recovery, and its outcome."""
    seen: list[Observation] = []
    taken: tuple[Step, ...] = ()
    for facts in history:
        seen.append(Observation(steps=taken, **facts))  # type: ignore[arg-type]
        step = next_step(seen[-1])
        if isinstance(step, Outcome):
            return seen, step
        taken = (*taken, step)
    raise AssertionError(f"no end after {taken}")


def path(*history: Facts, **always: bool) -> tuple[list[Step], Outcome]:
    """The steps of a recovery and its outcome; the last facts stay."""
    ends = [history[-1]] * LONGEST
    seen, outcome = climb({**always, **facts} for facts in [*history, *ends])
    return list(seen[-1].steps), outcome


@given(HISTORIES)
def test_every_recovery_path_ends_and_repeats_no_step_beyond_its_limit(
    history: list[Facts],
) -> None:
    seen, _ = climb(history)
    taken = seen[-1].steps
    assert all(taken.count(step) <= MOST[step] for step in taken)


@given(HISTORIES)
def test_recovery_ends_when_the_page_opens_a_dialog(history: list[Facts]) -> None:
    seen, outcome = climb(history)
    asked = [one for one in seen if one.dialog and not one.is_leaving]
    if asked:
        assert asked == seen[-1:]
        assert outcome is outcomes.WAITS_FOR_DIALOG


@given(HISTORIES)
def test_recovery_steps_that_keep_the_page_precede_steps_that_lose_it(history: list[Facts]) -> None:
    taken = climb(history)[0][-1].steps
    leaving = [step not in COSTS_S for step in taken]
    assert leaving == sorted(leaving)


@given(HISTORIES)
def test_recovery_tries_milder_steps_before_harsher_steps(history: list[Facts]) -> None:
    taken = climb(history)[0][-1].steps
    for later, earlier in [
        (Step.TERMINATE, Step.PROBE),
        (Step.TERMINATE_QUEUE, Step.TERMINATE),
        (Step.DISABLE_SCRIPTS, Step.PROBE),
        (Step.CLEAR_TIMERS, Step.DISABLE_SCRIPTS),
        (Step.DISABLE_FOR_GOOD, Step.CLEAR_TIMERS),
        (Step.REPLACE, Step.RENEW),
        (Step.KILL_RENDERER, Step.REPLACE),
        (Step.GIVE_UP, Step.REPLACE),
    ]:
        assert later not in taken or earlier in taken[: taken.index(later)]


@given(HISTORIES)
def test_recovery_kills_no_process_when_killing_is_disabled(history: list[Facts]) -> None:
    taken = climb(facts | {"may_kill": False} for facts in history)[0][-1].steps
    assert Step.KILL_RENDERER not in taken


@given(HISTORIES)
def test_stopping_a_script_fits_in_the_time_reserved_for_recovery(
    history: list[Facts],
) -> None:
    seen, outcome = climb(history)
    taken = seen[-1].steps
    in_place_s = sum(COSTS_S.get(step, 0.0) for step in taken)
    slow_browser_s = timing.SLOW_BROWSER_S * (taken.count(Step.PROBE) - 1)
    assert in_place_s + slow_browser_s <= ALL_IN_PLACE_S + 1e-9
    longer = {Step.WAIT_FOR_NATIVE_CODE, Step.STOP_NAVIGATING}  # more than to stop a script
    if outcome is outcomes.FREED and not longer & {*taken}:
        own_script_s = COSTS_S[Step.STOP_OWN_SCRIPT] * taken.count(Step.STOP_OWN_SCRIPT)
        again_s = COSTS_S[Step.PROBE] * (taken.count(Step.PROBE) - 1)
        assert in_place_s - own_script_s - again_s <= RESCUE_S


def test_recovery_tries_about_six_seconds_in_place_before_it_loses_the_page() -> None:
    while_arriving_s = COSTS_S[Step.STOP_DOCUMENT]  # only while the page's document arrives
    assert ALL_IN_PLACE_S - while_arriving_s < 6.15
    assert while_arriving_s < 4.05


def test_recovery_ladder_implements_each_step() -> None:
    assert all(callable(getattr(ladder._Ladder, step)) for step in Step)


# -- the table of docs/evaluate.md -----------------------------------------------------------

HUNG = {"hung": True}
ANSWERS = {"hung": False}


@pytest.mark.parametrize(
    ("history", "steps", "outcome"),
    [
        ([{"dialog": True}], [], outcomes.WAITS_FOR_DIALOG),
        ([{"navigating": True}, ANSWERS], [Step.STOP_LOADING, Step.PROBE], outcomes.IDLE),
        (
            [{"restless": True}],
            [Step.PROBE, Step.STOP_NAVIGATING],
            outcomes.STOPPED_NAVIGATING,
        ),
        (
            [{}, {"restless": True}, {"tab_open": False}],
            [Step.PROBE, Step.STOP_NAVIGATING],
            outcomes.UNRESOLVED,
        ),
        ([{"own_script": True}], [Step.PROBE, Step.STOP_OWN_SCRIPT], outcomes.IDLE),
        (
            [{}, HUNG | {"browser_slow": True}, ANSWERS],
            [Step.PROBE, Step.PROBE],
            outcomes.IDLE,
        ),
        (
            [{}, HUNG | {"browser_slow": True, "dialog": True}],
            [Step.PROBE],
            outcomes.WAITS_FOR_DIALOG,
        ),
        ([{}, HUNG | {"other_script": True}], [Step.PROBE], outcomes.BUSY),
        ([{}, HUNG, ANSWERS], [Step.PROBE, Step.TERMINATE], outcomes.FREED),
        (
            [{}, HUNG, HUNG | {"reacted": False}, ANSWERS],
            [Step.PROBE, Step.TERMINATE, Step.WAIT_FOR_NATIVE_CODE],
            outcomes.FREED,
        ),
        (
            [{}, HUNG, HUNG | {"queued": True}, ANSWERS],
            [Step.PROBE, Step.TERMINATE, Step.TERMINATE_QUEUE],
            outcomes.FREED_FROM_QUEUE,
        ),
        (
            [{}, HUNG, HUNG, ANSWERS],
            [Step.PROBE, Step.TERMINATE, Step.DISABLE_SCRIPTS, Step.ENABLE_SCRIPTS],
            outcomes.FREED_FROM_SERIES,
        ),
        (
            [{"hung_before": True}, HUNG | {"hung_before": True}, {"hung_before": True}],
            [Step.PROBE, Step.DISABLE_SCRIPTS, Step.CLEAR_TIMERS],
            outcomes.FREED_BY_CLEARING,
        ),
        (
            [{}, HUNG, HUNG, ANSWERS, HUNG, HUNG, ANSWERS],
            [
                Step.PROBE, Step.TERMINATE, Step.DISABLE_SCRIPTS, Step.ENABLE_SCRIPTS,
                Step.CLEAR_TIMERS, Step.DISABLE_FOR_GOOD,
            ],
            outcomes.QUIETED,
        ),
        (
            [{}, HUNG, HUNG, HUNG, HUNG, HUNG, HUNG | {"restored": True}],
            [
                Step.PROBE, Step.TERMINATE, Step.DISABLE_SCRIPTS, Step.WAIT_FOR_NATIVE_CODE,
                Step.CHECK_BEFORE_LEAVING, Step.RENEW,
            ],
            outcomes.RENEWED,
        ),
    ],
)  # fmt: skip
def test_next_step_follows_the_documented_path_in_place(
    history: list[Facts], steps: list[Step], outcome: Outcome
) -> None:
    assert path(*history) == (steps, outcome)


CHECKED = [Step.PROBE, Step.TERMINATE, Step.WAIT_FOR_NATIVE_CODE, Step.CHECK_BEFORE_LEAVING]
NATIVE = HUNG | {"reacted": False}
BACK = NATIVE | {"restored": True}


@pytest.mark.parametrize(
    ("history", "steps", "outcome"),
    [
        ([NATIVE | ANSWERS], [], outcomes.FREED_ITSELF),
        ([NATIVE, BACK], [Step.RENEW], outcomes.RENEWED),
        ([NATIVE, BACK | {"parsed": False}], [Step.RENEW], outcomes.RENEWED_EMPTY),
        (
            [NATIVE | {"only_frames": True}, BACK],
            [Step.RENEW_FRAMES],
            outcomes.FRAMES_RENEWED,
        ),
        (
            [NATIVE | {"only_frames": True}, NATIVE, BACK],
            [Step.RENEW_FRAMES, Step.RENEW],
            outcomes.RENEWED,
        ),
        ([NATIVE | {"tab_open": False}], [], outcomes.UNRESOLVED),
        ([NATIVE, NATIVE, BACK], [Step.RENEW, Step.REPLACE], outcomes.REPLACED),
        (
            [NATIVE, NATIVE, BACK | {"parsed": False}],
            [Step.RENEW, Step.REPLACE],
            outcomes.REPLACED_EMPTY,
        ),
        (
            [NATIVE, NATIVE, NATIVE | {"may_kill": True}, BACK],
            [Step.RENEW, Step.REPLACE, Step.KILL_RENDERER],
            outcomes.REPLACED,
        ),
        (
            [NATIVE, NATIVE, NATIVE, NATIVE | {"tab_open": False}],
            [Step.RENEW, Step.REPLACE, Step.GIVE_UP],
            outcomes.GONE,
        ),
    ],
)
def test_next_step_follows_the_documented_path_that_replaces_the_page(
    history: list[Facts], steps: list[Step], outcome: Outcome
) -> None:
    assert path({}, HUNG, NATIVE, NATIVE, *history) == ([*CHECKED, *steps], outcome)


HELD = {"between_documents": True}


@pytest.mark.parametrize(
    ("history", "steps", "outcome"),
    [
        (
            [{}, {"restored": True}],
            [Step.REPLACE_AT_DESTINATION],
            outcomes.REPLACED_AT_DESTINATION,
        ),
        (
            [{}, HUNG | {"restored": True}],
            [Step.REPLACE_AT_DESTINATION, Step.REPLACE_EMPTY],
            outcomes.REPLACED_EMPTY,
        ),
        ([{}, {}], [Step.REPLACE_AT_DESTINATION], outcomes.UNRESOLVED),
        (
            [{}, HUNG | {"restored": True}, {}],
            [Step.REPLACE_AT_DESTINATION, Step.REPLACE_EMPTY],
            outcomes.UNRESOLVED,
        ),
    ],
)
def test_recovery_replaces_a_tab_between_two_documents_at_once(
    history: list[Facts], steps: list[Step], outcome: Outcome
) -> None:
    assert path(*history, **HELD) == (steps, outcome)
