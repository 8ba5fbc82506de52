"""Measures two versions in turns, each in its own process."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Collection
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.guard.compare import LIMIT, Compared
from bench.guard.recorded import Base
from bench.rows import OWN
from bench.turns import because, in_turns

__all__ = ["AGAIN", "ALL", "PLANS", "QUICK_AGAIN", "QUICK_ALL", "Comparison", "Extent"]

WORKER = Path(__file__).with_name("worker.py")
OTHER = "other"
END_S = 20.0
LONGER = 2


class Plan(NamedTuple):
    """How a row is measured."""

    method: str
    """The worker's."""
    calls: int
    """In each turn."""
    rounds: int
    """In each generation."""
    is_program: bool = False
    """Whether each call starts a program, so that only the first generation has to warm up."""


PLANS = {
    "evaluate by ref": Plan("evaluate_by_ref", 10, 20),
    "evaluate 1 + 1": Plan("evaluate", 10, 20),
    "click by ref": Plan("click", 5, 20),
    "click alone": Plan("click_alone", 1, 20),
    "evaluate after a click": Plan("evaluate_after_click", 2, 20),
    "type": Plan("type", 2, 20),
    "goto": Plan("goto", 2, 16),
    "snapshot of 2,000 elements": Plan("snapshot", 1, 16),
    "import": Plan("imported", 1, 8, True),
    "whole program": Plan("program", 1, 2, True),
    "mcp, to tools/list": Plan("mcp_tools", 1, 4, True),
    "mcp, to the first page": Plan("mcp_page", 1, 2, True),
    "command eval": Plan("command_eval", 1, 8),
    "command click": Plan("command_click", 1, 6),
}
"""In this order: for some seconds after an input, other calls look for its late effects."""


class Extent(NamedTuple):
    """How long to measure."""

    seconds: float
    generations: int
    """At least this many, also if they take up to ``LONGER`` times as long."""


ALL, AGAIN = Extent(300, 4), Extent(120, 8)
"""For all rows, and for the rows that were slower."""
QUICK_ALL, QUICK_AGAIN = Extent(120, 2), Extent(50, 6)


class Unable(Exception):
    """A version can't do a row."""


class Worker:
    """A process with one version and its browser. It starts with the first call, and again after a
    call that failed."""

    def __init__(self, python: Path, browser: str, site: str, folder: Path) -> None:
        self._command = [str(python), "-P", str(WORKER), browser, site]
        # The versions share no files, such as what a command keeps for the next one.
        homes = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
        own = {name: str(folder) for name in (*homes, "TABWARDEN_RUNTIME_DIR")}
        # Python keeps what it compiled, as usual.
        own |= {"TABWARDEN_CHROME": browser, "PYTHONDONTWRITEBYTECODE": ""}
        self._env = {**os.environ, **own}
        self._process: asyncio.subprocess.Process | None = None

    async def call(self, method: str, times: int) -> list[float]:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, env=self._env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([method, times]).encode() + b"\n")
            line = await process.stdout.readline()
            if not line:
                raise Unable("its process ended")
            told = json.loads(line)
        except BaseException:  # the answer would be taken for the next call's
            self._process = None
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            raise
        if isinstance(told, str):
            raise Unable(told)
        return [float(took) for took in told]

    async def aclose(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), END_S)
            except TimeoutError:
                process.kill()
                await process.wait()


@dataclass
class Comparison:
    """The two built versions, their measured times, and the rows that could not be measured."""

    own: Path
    other: Path
    base: Base
    browser: str
    site: str
    left_out: dict[str, str] = field(default_factory=dict)
    """Rows that the other version can't do, with the reasons."""
    failed: dict[str, str] = field(default_factory=dict)
    """Rows that this checkout can't do."""

    async def measure(self, rows: Collection[str], extent: Extent) -> dict[str, Compared]:
        """Measure rows for some time. Each generation has new processes and browsers."""
        found = {row: Compared(self.base.accepted.get(row, LIMIT)) for row in rows}
        began = time.monotonic()
        generation = 0
        while generation == 0 or _has_time(extent, generation, time.monotonic() - began):
            await self._generation(found, is_first=generation == 0)
            generation += 1
        return {row: compared for row, compared in found.items() if compared.ratios}

    async def _generation(self, found: dict[str, Compared], *, is_first: bool) -> None:
        async with AsyncExitStack() as stack:
            workers = {}
            for way, python in ((OWN, self.own), (OTHER, self.other)):
                folder = stack.enter_context(TemporaryDirectory(prefix="tw-"))
                workers[way] = Worker(python, self.browser, self.site, Path(folder))
                stack.push_async_callback(workers[way].aclose)
            for row, compared in found.items():
                if row in self.left_out or row in self.failed:
                    continue
                method, calls, rounds, is_program = PLANS[row]
                ways = {
                    way: lambda times, worker=worker, method=method: worker.call(method, times)
                    for way, worker in workers.items()
                }
                warm = 0 if is_program and not is_first else 1
                try:
                    took = await in_turns(row, ways, rounds, calls, warm=warm)
                except Exception as error:
                    self.failed[row] = because(error)
                    continue
                if OTHER in took.left_out:
                    self.left_out[row] = took.left_out[OTHER]
                else:
                    compared.add(took.ways[OWN], took.ways[OTHER], calls)


def _has_time(extent: Extent, generation: int, used: float) -> bool:
    """Whether another generation is due."""
    if generation < extent.generations:
        return used < extent.seconds * LONGER
    return used * (generation + 1) / generation < extent.seconds
