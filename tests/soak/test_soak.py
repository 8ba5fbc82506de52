"""The soak for three minutes, and the proof that its check detects growth."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from soak.gauges import ALLOWED
from soak.judge import FEWEST, judge
from soak.leaking import LEAKS
from support.needs import needs

MINUTES = os.environ.get("MINUTES", "3")


@needs("linux")
@pytest.mark.long
@pytest.mark.timeout(900)
def test_short_soak_finds_no_growth() -> None:
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "soak", f"--minutes={MINUTES}"],
        env={**os.environ, "PYTHONPATH": tests}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.count(": flat,") == len(ALLOWED)


@needs("linux")
@pytest.mark.parametrize("leaks", [True, False], ids=["leaks", "no leaks"])
@pytest.mark.long
def test_soak_check_finds_exactly_the_planted_leaks(leaks: bool, tmp_path: Path) -> None:
    """In a separate process: this process's memory falls as other tests' garbage is freed."""
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "soak.leaking", str(tmp_path), *(LEAKS if leaks else ())],
        env={**os.environ, "PYTHONPATH": tests}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(done.stdout.split()) == (set(LEAKS) if leaks else set())


@pytest.mark.parametrize(
    ("samples", "grows"),
    [
        ([float(n) for n in range(20)], True),
        ([float(n // 4) for n in range(40)], True),
        ([100.0 + n + random.Random(n).uniform(-3, 3) for n in range(20)], True),
        ([100.0 + random.Random(n).uniform(-30, 30) for n in range(60)], False),
        ([5.0] * 19 + [500.0], False),
        ([500.0] + [5.0] * 19, False),
        ([float(20 - n) for n in range(20)], False),
        ([float(n % 4) * 3 for n in range(40)], False),
        ([10.0] * 8 + [11.0] * 12, False),
    ],
    ids=[
        "one a round",
        "one in four rounds",
        "one a round in noise",
        "noise",
        "a last peak",
        "a first peak",
        "it falls",
        "it comes and goes",
        "one step",
    ],
)
def test_soak_check_detects_growth_by_the_slope_of_the_samples(
    samples: list[float], grows: bool
) -> None:
    assert judge("it", samples, 2).grows == grows


def test_soak_check_rejects_too_few_samples() -> None:
    with pytest.raises(ValueError, match="tell nothing"):
        judge("it", [1.0] * (FEWEST - 1), 2)
