"""The soak for three minutes, and the proof that its judge finds what grows."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from soak.gauges import ALLOWED, sample
from soak.judge import FEWEST, judge

from tabwarden.budget import Budget
from tabwarden.supervisor import engine_loop

ROUNDS = 12
MINUTES = os.environ.get("MINUTES", "3")
linux = pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc tells")


@linux
@pytest.mark.timeout(900)
def test_an_hour_in_three_minutes() -> None:
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "soak", f"--minutes={MINUTES}"],
        env={**os.environ, "PYTHONPATH": tests}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.count(": flat,") == len(ALLOWED)


@pytest.fixture
def kept() -> Iterator[ExitStack]:
    with ExitStack() as kept:
        yield kept


def _megabyte(kept: ExitStack, folder: Path) -> None:
    kept.callback(bytearray(os.urandom(1024) * 1024).clear)


def _blocks(kept: ExitStack, folder: Path) -> None:
    kept.callback([float(n) for n in range(2_000)].clear)


def _objects(kept: ExitStack, folder: Path) -> None:
    kept.callback([Budget(1_000) for _ in range(10)].clear)


def _task(kept: ExitStack, folder: Path) -> None:
    kept.callback(engine_loop().submit(asyncio.sleep(600)).cancel)
    engine_loop().run_sync(asyncio.sleep(0))


def _future(kept: ExitStack, folder: Path) -> None:
    async def make() -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    kept.callback(engine_loop().run_sync(make()).cancel)


def _descriptor(kept: ExitStack, folder: Path) -> None:
    kept.callback(os.close, os.open(os.devnull, os.O_RDONLY))


def _thread(kept: ExitStack, folder: Path) -> None:
    over = threading.Event()
    threading.Thread(target=over.wait, daemon=True).start()
    kept.callback(over.set)


def _process(kept: ExitStack, folder: Path) -> None:
    child = kept.enter_context(subprocess.Popen(["sleep", "600"]))
    kept.callback(child.kill)


def _file(kept: ExitStack, folder: Path) -> None:
    (folder / f"{len(list(folder.iterdir()))}").touch()


LEAKS: dict[str, Callable[[ExitStack, Path], None]] = {
    "rss_kib": _megabyte,
    "blocks": _blocks,
    "objects": _objects,
    "tasks": _task,
    "futures": _future,
    "descriptors": _descriptor,
    "threads": _thread,
    "processes": _process,
    "files": _file,
}


@linux
@pytest.mark.parametrize("leaks", [True, False], ids=["leaks", "nothing leaks"])
def test_what_leaks_in_each_round_is_found_and_nothing_else_is(
    leaks: bool, kept: ExitStack, tmp_path: Path
) -> None:
    engine_loop().run_sync(asyncio.sleep(0))
    sample(tmp_path)
    samples = []
    for _ in range(ROUNDS):
        for leak in LEAKS.values() if leaks else ():
            leak(kept, tmp_path)
        samples.append(sample(tmp_path).as_dict())
    grown = {
        name
        for name, allowed in ALLOWED.items()
        if judge(name, [one[name] for one in samples], allowed).grows
    }
    assert grown == (set(LEAKS) if leaks else set())


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
def test_the_slope_decides(samples: list[float], grows: bool) -> None:
    assert judge("it", samples, 2).grows == grows


def test_too_few_samples_are_no_verdict() -> None:
    with pytest.raises(ValueError, match="tell nothing"):
        judge("it", [1.0] * (FEWEST - 1), 2)
