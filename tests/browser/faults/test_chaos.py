"""A short seeded chaos run, and tests that the chaos run detects violations."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import pytest
from support.cases import ALL
from support.chaos import run as running
from support.chaos.harms import HARMS
from support.chaos.judge import View
from support.chaos.plan import plan
from support.chaos.report import as_json, as_text, percentile
from support.chaos.run import Outcome, Run
from support.metronome import Metronome, metronome
from support.pace import OVERRUN_S, slowness

SEED = 7
SECONDS = 20.0 if ALL else 8.0


@pytest.fixture(scope="module")
def beat() -> Iterator[Metronome]:
    with metronome() as beat:
        yield beat


@pytest.mark.timeout(180)
@pytest.mark.long
def test_random_actions_during_random_faults_violate_no_guarantee(
    beat: Metronome,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The metronome measures how long the processors were stalled, not how long others used them.
    monkeypatch.setattr(running, "OVER_MS", OVERRUN_S * 1000 * slowness())
    run, outcomes = Run(beat), list[Outcome]()
    began = time.monotonic()
    try:
        for step in plan(SEED):
            if len(outcomes) >= 5 and time.monotonic() - began > SECONDS:
                break
            outcomes.append(run.take(step))
            assert not outcomes[-1].broken, f"seed {SEED}, {step}: {outcomes[-1]}"
    finally:
        left = run.close()
    assert not left
    assert len(outcomes) >= 5


def test_chaos_plan_depends_only_on_its_seed() -> None:
    def first(seed: int, **how: Any) -> list[str]:
        return [str(step) for step in itertools.islice(plan(seed, **how), 300)]

    assert first(1) == first(1)
    assert first(1) != first(2)
    assert {step.harm for step in itertools.islice(plan(1), 3_000)} == set(HARMS)
    assert {step.harm for step in itertools.islice(plan(1, only=frozenset({"cut"})), 20)} == {"cut"}


@pytest.fixture
def run(beat: Metronome) -> Iterator[Run]:
    run = Run(beat)
    run.take(next(iter(plan(1, only=frozenset({"none"})))))
    yield run
    run.close()


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("budget", "more than its budget"),
        ("dialog", "dialogs that nobody was told of"),
        ("tab", "the state is not what is there"),
        ("listener", "more than at the beginning"),
    ],
)
def test_chaos_run_detects_a_violated_guarantee(
    lie: str, words: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = run._fresh()
    step = next(iter(plan(1, only=frozenset({"none"}))))
    monkeypatch.setattr(running, "_QUIET_S", 0.3)
    monkeypatch.setattr(running, "_TOLD_S", 0.1)
    monkeypatch.setattr(running, "_COUNT_EVERY", 1)
    if lie == "budget":
        monkeypatch.setattr(running, "OVER_MS", -10_000.0)
    elif lie == "dialog":
        world.pages._asked.append(f"m{step.number}")
    elif lie == "tab":
        monkeypatch.setattr(running, "as_told", lambda state: View(frozenset(), frozenset(), ()))
    else:
        monkeypatch.setattr("support.inventory._REST_S", 0.3)
        world.supervisor.listen("Page.nothing", None, lambda params: None)
    broken = run.take(step).broken
    assert any(words in one for one in broken), broken


def test_chaos_report_contains_fault_counts_and_recovery_percentiles() -> None:
    steps = list(itertools.islice(plan(1, only=frozenset({"cut"})), 10))
    outcomes = [Outcome(step, "ok", recovery_ms=n * 10.0) for n, step in enumerate(steps, 1)]
    outcomes[3].broken.append("it broke")
    report = as_json(1, outcomes, 5.0)
    assert report["kinds"]["cut"]["count"] == 10
    assert report["kinds"]["cut"]["recovery_ms"] == {"p50": 50, "p90": 90, "p99": 100, "p100": 100}
    assert [one["number"] for one in report["broken"]] == [4]
    assert "it broke" in as_text(report)
    assert percentile([], 50) == 0
