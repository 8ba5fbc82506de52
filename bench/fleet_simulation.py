"""A fleet of 200 hosts with 10,000 tasks, whose browsers are stubs.

    python -m bench.fleet_simulation [--store sqlite redis] [--doc FILE] [--json FILE]

The coordinator, its lease table, its placement and its store are real, in real time. Hosts and
clients are coroutines in the same process. Their cost is measured with a coordinator that does
nothing, and reported separately. There is no network between them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

import msgspec
from support.redis_server import redis_server

from bench.machine import machine
from bench.page import put
from tabwarden.fleet.coordinating import Coordinator, open_store
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.leasing.values import Heartbeat, HeartbeatAnswer, Host, LeaseRequest, Load

FROM = "<!-- python -m bench.fleet_simulation writes from here -->"
STEADY_S = 10.0
FLAT_OUT_S = 5.0
DYING = 10
"""The number of hosts that die at once, with half of all tasks."""
AT_ONCE = 100
"""The number of clients that request a place at the same time at the start."""
WITHIN_S = 4.0
"""How long a client may wait after its node's death (docs/fleet.md)."""


class Result(msgspec.Struct, kw_only=True):
    """The results with one store. ``*_ms`` and ``*_s`` have a value for each call or task,
    sorted."""

    store: str
    tasks: int
    hosts: int
    placements_ms: list[float] = []
    placements_per_s: float = 0
    heartbeats_per_s: float = 0
    renewals_per_s: float = 0
    heartbeats_ms: list[float] = []
    processor: float = 0
    stubs_processor: float = 0
    recovery_s: list[float] = []
    recovery_processor_s: float = 0
    flat_out_renewals_per_s: float = 0


class Nobody:
    """A coordinator that only renews leases, to measure the cost of the stubs."""

    async def heartbeat(self, beat: Heartbeat) -> HeartbeatAnswer:
        return HeartbeatAnswer(owned=beat.running)


class StubHost:
    """A stub of a host, whose browsers start immediately."""

    def __init__(self, number: int, max_tasks: int) -> None:
        self.host = Host(
            host_id=f"n{number}-0",
            node=f"n{number}",
            url=f"wss://n{number}",
            certificate="",
            ticket_key=b"key",
            max_tasks=max_tasks,
        )
        self.running: list[tuple[str, int]] = []
        self._number = 0

    async def beat(self, coordinator: Coordinator | Nobody) -> None:
        self._number += 1
        beat = Heartbeat(
            host_id=self.host.host_id,
            number=self._number,
            load=Load(warm=1, free_memory_mb=1_000_000),
            running=self.running,
        )
        self.running = (await coordinator.heartbeat(beat)).owned

    async def live(
        self, coordinator: Coordinator | Nobody, every_s: float, took_ms: list[float]
    ) -> None:
        # Spread over time, as hosts start independently.
        await asyncio.sleep(every_s * (int(self.host.node[1:]) % 50) / 50)
        due = time.monotonic()
        while True:
            began = time.perf_counter()
            await self.beat(coordinator)
            took_ms.append((time.perf_counter() - began) * 1000)
            due += every_s
            await asyncio.sleep(max(0.0, due - time.monotonic()))


class Simulation:
    """A run with one store."""

    def __init__(self, store: str, name: str, tasks: int, hosts: int) -> None:
        self.settings = TableSettings(max_waiting=tasks)
        self.coordinator = Coordinator(open_store(name), self.settings)
        self.result = Result(store=store, tasks=tasks, hosts=hosts)
        half, others = tasks // 2, hosts - DYING
        self.doomed = [StubHost(number, -(-half // DYING)) for number in range(DYING)]
        # The other hosts have room for all tasks: their own half, and that of the dying hosts.
        places = -(-tasks * 12 // 10 // others)
        self.others = [StubHost(number, places) for number in range(DYING, hosts)]
        self.beating: dict[str, asyncio.Task[None]] = {}
        self.took_ms: list[float] = []
        self.clients: dict[str, asyncio.Task[None]] = {}
        self.died_at = 0.0

    async def run(self) -> Result:
        await self.coordinator.start()
        ticking = asyncio.create_task(self.coordinator.run())
        half = self.result.tasks // 2
        began = time.monotonic()
        await self._join(self.doomed)
        await self._place(range(half))
        await self._join(self.others)
        await self._place(range(half, self.result.tasks))
        self.result.placements_per_s = self.result.tasks / (time.monotonic() - began)
        await self._steady()
        await self._death()
        await self._flat_out()
        for work in (*self.clients.values(), *self.beating.values(), ticking):
            work.cancel()
        return self.result

    async def _join(self, hosts: list[StubHost]) -> None:
        for host in hosts:
            await self.coordinator.register(host.host)
            self._start(host, self.coordinator)

    def _start(self, host: StubHost, coordinator: Coordinator | Nobody) -> None:
        work = host.live(coordinator, self.settings.heartbeat_s, self.took_ms)
        self.beating[host.host.node] = asyncio.create_task(work)

    async def _place(self, numbers: range) -> None:
        turns = asyncio.Semaphore(AT_ONCE)

        async def placed(number: int) -> None:
            async with turns:
                began = time.perf_counter()
                lease = await self.coordinator.acquire(LeaseRequest(task=f"task-{number}"))
                self.result.placements_ms.append((time.perf_counter() - began) * 1000)
            watching = self._watch(lease.task, lease.generation)
            self.clients[lease.task] = asyncio.create_task(watching)

        await asyncio.gather(*map(placed, numbers))

    async def _watch(self, task: str, generation: int) -> None:
        """Act as a client: wait for the end of its lease, and get another lease."""
        while await self.coordinator.moved(task, generation, 3_600) is None:
            pass
        lease = await self.coordinator.acquire(LeaseRequest(task=task, timeout_s=60))
        assert lease.generation > generation
        self.result.recovery_s.append(time.monotonic() - self.died_at)

    async def _steady(self) -> None:
        await asyncio.sleep(1)
        self.took_ms.clear()
        self.result.processor = await _processor_of(STEADY_S)
        self.result.heartbeats_ms = sorted(self.took_ms)
        self.result.heartbeats_per_s = len(self.took_ms) / STEADY_S
        self.result.renewals_per_s = self.result.tasks / self.settings.heartbeat_s
        # The same without a coordinator, shorter than a lease.
        self._beat_with(Nobody())
        self.result.stubs_processor = await _processor_of(self.settings.lease_s * 0.7)
        self._beat_with(self.coordinator)
        await asyncio.sleep(1)
        assert not self.result.recovery_s, "leases were lost while nothing died"

    def _beat_with(self, coordinator: Coordinator | Nobody) -> None:
        for host in (*self.doomed, *self.others):
            self.beating[host.host.node].cancel()
            self._start(host, coordinator)

    async def _death(self) -> None:
        self.died_at, used = time.monotonic(), time.process_time()
        for host in self.doomed:
            self.beating.pop(host.host.node).cancel()
        lost = {task for host in self.doomed for task, _ in host.running}
        async with asyncio.timeout(120):
            await asyncio.gather(*(self.clients[task] for task in lost))
        self.result.recovery_s.sort()
        self.result.recovery_processor_s = time.process_time() - used

    async def _flat_out(self) -> None:
        """Send heartbeats as fast as the coordinator responds, to measure its maximum rate."""
        await asyncio.sleep(1)
        for beating in self.beating.values():
            beating.cancel()
        renewed, until = 0, time.monotonic() + FLAT_OUT_S

        async def without_pause(host: StubHost) -> None:
            nonlocal renewed
            while time.monotonic() < until:
                await host.beat(self.coordinator)
                renewed += len(host.running)

        await asyncio.gather(*map(without_pause, self.others))
        self.result.flat_out_renewals_per_s = renewed / FLAT_OUT_S


async def _processor_of(seconds: float) -> float:
    """Return the share of one processor that this process uses."""
    used, began = time.process_time(), time.monotonic()
    await asyncio.sleep(seconds)
    return (time.process_time() - used) / (time.monotonic() - began)


def markdown(results: list[Result]) -> str:
    rows: list[tuple[str, list[str]]] = [
        ("placement of a task, p50 / p99", [_of(r.placements_ms, "ms") for r in results]),
        ("placements a second", [f"{r.placements_per_s:,.0f}" for r in results]),
        ("renewals a second", [f"{r.renewals_per_s:,.0f}" for r in results]),
        ("heartbeats a second", [f"{r.heartbeats_per_s:,.0f}" for r in results]),
        ("answer to a heartbeat, p50 / p99", [_of(r.heartbeats_ms, "ms") for r in results]),
        ("share of one processor", [f"{_own(r):.0%}" for r in results]),
        ("the stubs, subtracted from it", [f"{r.stubs_processor:.0%}" for r in results]),
        (
            f"{DYING} nodes die: tasks that get a new lease",
            [f"{len(r.recovery_s):,}" for r in results],
        ),
        ("after the death, p50 / p99", [_of(r.recovery_s, "s") for r in results]),
        ("the last one", [f"{r.recovery_s[-1]:.2f} s" for r in results]),
        (
            "processor time until then, stubs included",
            [f"{r.recovery_processor_s:.2f} s" for r in results],
        ),
        (f"within {WITHIN_S:g} s", [f"{_within(r):.1%}" for r in results]),
        (
            "renewals a second at most, stubs included",
            [f"{r.flat_out_renewals_per_s:,.0f}" for r in results],
        ),
    ]
    head = f"| | {' | '.join(r.store for r in results)} |"
    lines = [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    size = f"{results[0].tasks:,} tasks on {results[0].hosts} hosts"
    load = f"The machine's load was {os.getloadavg()[0]:.1f}"
    return "\n".join([f"{size}. {load}.", "", head, f"|---{'|---' * len(results)}|", *lines, ""])


def _of(values: list[float], unit: str) -> str:
    cuts = quantiles(values, n=100, method="inclusive")
    return f"{cuts[49]:.2f} / {cuts[98]:.2f} {unit}"


def _own(result: Result) -> float:
    return max(0.0, result.processor - result.stubs_processor)


def _within(result: Result) -> float:
    return sum(one <= WITHIN_S for one in result.recovery_s) / len(result.recovery_s)


@contextmanager
def _store(kind: str) -> Iterator[str]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if kind == "redis":
            yield stack.enter_context(redis_server(folder))
        else:
            yield f"sqlite:{folder}/leases.db"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fleet_simulation")
    parser.add_argument("--store", nargs="+", choices=["sqlite", "redis"])
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--doc", type=Path, help="write the table into this page")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    asked = parser.parse_args()
    results = []
    for kind in asked.store or ["sqlite", "redis"]:
        with _store(kind) as name:
            simulation = Simulation(kind, name, asked.tasks, asked.hosts)
            results.append(asyncio.run(simulation.run()))
    table = markdown(results)
    print(table)
    if asked.doc is not None:
        put(asked.doc, FROM, table)
    if asked.json is not None:
        told: dict[str, Any] = {"machine": machine(), "results": msgspec.to_builtins(results)}
        asked.json.write_text(json.dumps(told), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
