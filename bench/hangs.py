"""Measures each kind of hang: how late a call returns after its budget, and how soon the tab works.

    python -m bench.hangs [--quick] [--json FILE] [--times 20] [--kinds NAME,NAME] [--heavy]

Each kind of ``tests/support/hangs`` some times in a row, in fresh tabs of one browser:

- *over*: how long after ``timeout_ms`` a blocked call returned. At most 50 ms if the page was freed
  in place, 500 ms if it had to be loaded again (``data["state"]`` tells which), plus the time that
  the machine stood still near the call's end (``support/metronome.py``), which is reported.
- *next*: from then until the next action on the tab returned.
- *grown*: resources that have increased from the first to the last time: the engine's tasks,
  futures, races, commands and listeners; threads; file descriptors; processes; and our memory.

The pages' server is a separate process. *kinds wrong* has the faults of each kind.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import multiprocessing
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from support.hangs import HANGS, Hang
from support.hangs.hang import evaluate
from support.hangs.processes import browser_processes
from support.hangs.stage import LINGER, Ended, Stage, prepare, serve_hangs, trial
from support.inventory import inventory
from support.metronome import Metronome, metronome
from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rows import OWN, Figure, Row
from tabwarden.page.recovery import RESCUE_S
from tabwarden.sync import Browser

NET = "past its budget, less what the machine stood still"
IN_PLACE_MS = 50.0
RENEWED_MS = 500.0
NEXT_MS = 20_000.0
IN_PLACE = {"idle", "busy", "freed", "quieted", "waits for a dialog"}
"""States in which no page is lost."""
MORE_MEMORY_MB = 20.0
"""Tolerated growth of memory, because allocators keep some."""
SETTLE_S = 5.0
QUICKLY = 6
"""The number of kinds with ``--quick``."""


@dataclass
class Kind:
    """The results for one kind of hang."""

    name: str
    timeout_ms: float
    ends: dict[str, int] = field(default_factory=dict)
    """The number of calls by their end; a blocked call has the state that it reported."""
    over_in_place: list[float] = field(default_factory=list)
    over_renewed: list[float] = field(default_factory=list)
    machine_ms: list[float] = field(default_factory=list)
    """How long the machine stood still near each call's end."""
    next_ms: list[float] = field(default_factory=list)
    grown: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """The faults."""


# -- the server ----------------------------------------------------------------------------------


def serve(told: Connection) -> None:
    with Site() as site:
        serve_hangs(site, HANGS)
        told.send(site.here)
        told.recv()


@contextmanager
def served() -> Iterator[str]:
    """Serve the corpus from a separate process. Yield the address of its first site."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    yield ours.recv()
    ours.send("enough")
    server.join()


# -- one kind ------------------------------------------------------------------------------------


def measure_kind(hang: Hang, times: int, stage: Stage, here: str, beat: Metronome) -> Kind:
    row = Kind(hang.name, hang.timeout_ms)
    try:
        first = None
        for _ in range(times):
            once(hang, row, stage, here, beat)
            if first is None:
                first = resources(stage.calm(hang.bridge))
        last = resources(stage.calm(hang.bridge), like=first)
        row.grown = {k: last[k] - first[k] for k in last if last[k] > first[k]} if first else {}
    except Exception as error:  # any error is this kind's result
        row.wrong.append(f"{type(error).__name__}: {error}"[:200])
        stage.spoilt(hang.bridge)
    hold(row)
    return row


def once(hang: Hang, row: Kind, stage: Stage, here: str, beat: Metronome) -> None:
    scene = prepare(stage.calm(hang.bridge), hang, here)
    note(row, ended := trial(hang.call, scene, hang.timeout_ms), beat)
    if ended.how not in hang.ends:
        row.wrong.append(f"ended {ended.how}")
    if hang.lingers and ended.how == "ok":
        note(row, trial(LINGER, scene, hang.timeout_ms), beat)
    began = time.monotonic()
    if hang.after is not None:
        trial(hang.after, scene, NEXT_MS)
    if not scene.browser.state.tabs:
        scene.browser.tabs("open")
    open_tabs = {tab.tab_id for tab in scene.browser.state.tabs}
    if scene.tab_id in open_tabs:
        works = trial(evaluate("1 + 1"), scene, NEXT_MS)
        if works.how != "ok" or works.value.value != 2:
            row.wrong.append(f"next ended {works.how}")
    row.next_ms.append((time.monotonic() - began) * 1000)


def note(row: Kind, ended: Ended, beat: Metronome) -> None:
    end = max(ended.over_ms, 0.0) + RESCUE_S * 1000
    still_ms = beat.stood_still_ms(time.monotonic() - end / 1000)
    state = ended.error.data.get("state", "") if ended.error is not None else ""
    how = f"{ended.how} {state}".strip()
    row.ends[how] = row.ends.get(how, 0) + 1
    row.machine_ms.append(still_ms)
    over_ms = max(ended.over_ms - still_ms, min(ended.over_ms, 0.0))
    if ended.how != "budget_exceeded":
        if over_ms > IN_PLACE_MS:
            row.wrong.append(f"{ended.how} {over_ms:.0f} ms late")
    elif state in IN_PLACE:
        row.over_in_place.append(over_ms)
    else:
        row.over_renewed.append(over_ms)


def hold(row: Kind) -> None:
    for over, most in ((row.over_in_place, IN_PLACE_MS), (row.over_renewed, RENEWED_MS)):
        if over and max(over) > most:
            late = sum(one > most for one in over)
            row.wrong.append(f"{late} of {len(over)} more than {most:.0f} ms late")
    for what, more in row.grown.items():
        if what != "memory_mb" or more > MORE_MEMORY_MB:
            row.wrong.append(f"{what} +{more:g}")


# -- resources -----------------------------------------------------------------------------------


def resources(browser: Browser, *, like: dict[str, float] | None = None) -> dict[str, float]:
    """Return resource counts, after waiting until they are no higher than ``like`` if possible."""
    until = time.monotonic() + SETTLE_S
    while True:
        found = counted(browser)
        settled = like is not None and all(found[k] <= like[k] for k in found if k != "memory_mb")
        if like is None or settled or time.monotonic() > until:
            return found
        time.sleep(0.1)  # processes need time to end


def counted(browser: Browser) -> dict[str, float]:
    held = asdict(inventory(browser))
    held["tasks"] = len(held["tasks"])
    gc.collect()
    egress = browser._task.supervisor._egress
    kept_alive = 2 * len(egress._tunnels) if egress is not None else 0  # by the browser
    return {
        **held,
        "threads": threading.active_count(),
        "descriptors": len(os.listdir("/proc/self/fd")) - kept_alive,
        "processes": len(browser_processes(browser)),
        "memory_mb": round(memory_mb(), 1),
    }


def memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# -- the bench -----------------------------------------------------------------------------------


async def measure(asked: Asked, found: Found) -> None:
    await asyncio.to_thread(measure_all, asked, found)


def measure_all(asked: Asked, found: Found) -> None:
    only = set(filter(None, asked.options.kinds.split(",")))
    if unknown := only - {hang.name for hang in HANGS}:
        raise SystemExit(f"unknown kind: {', '.join(unknown)}")
    hangs = [
        hang
        for hang in HANGS
        if hang.name in only or (not only and (asked.options.heavy or not hang.heavy))
    ]
    if asked.quick and not only:
        hangs = hangs[:: max(1, len(hangs) // QUICKLY)]
    times = asked.options.times or asked.rounds(5, 2)
    stage = Stage()
    rows = []
    try:
        with served() as here, metronome() as beat:
            # The first run starts everything and does not count.
            measure_kind(hangs[0], 1, stage, here, beat)
            for hang in hangs:
                rows.append(measure_kind(hang, times, stage, here, beat))
                wrong = "; ".join(dict.fromkeys(rows[-1].wrong))
                print(f"{hang.name}: {wrong or rows[-1].ends}", flush=True)
    finally:
        stage.close()
    found.add(
        Row("freed in place", _all(row.over_in_place for row in rows), says=NET),
        Row("loaded again", _all(row.over_renewed for row in rows), says=NET),
        Row("machine still", _all(row.machine_ms for row in rows), says="at the end of a call"),
        Row("next action", _all(row.next_ms for row in rows), says="had its result"),
        Row(
            "kinds wrong",
            {OWN: [float(sum(bool(row.wrong) for row in rows))]},
            f"of {len(rows)} kinds, {times} times each",
            left_out={row.name: "; ".join(dict.fromkeys(row.wrong)) for row in rows if row.wrong},
        ),
    )


def _all(values: Iterable[list[float]]) -> dict[str, list[float]]:
    together = [one for some in values for one in some]
    return {OWN: together} if together else {}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--times", type=int, default=0, help="repetitions of each kind")
    parser.add_argument("--kinds", default="", help="only these kinds, separated by commas")
    parser.add_argument(
        "--heavy", action="store_true", help="also the kinds that fill memory or disk"
    )


BENCH = Bench(
    "hangs",
    "Every kind of hang",
    measure,
    (
        Figure("freed in place, past its budget", "freed in place", IN_PLACE_MS, stat="max"),
        Figure("loaded again, past its budget", "loaded again", RENEWED_MS, stat="max",
               source="set later"),
        Figure("kinds of hangs with a fault", "kinds wrong", 0, unit="kinds", source="set later"),
    ),
    deadline_s=1500,
    options=options,
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))
