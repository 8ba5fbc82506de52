"""What each kind of hang costs: how far past its budget a call returns, how soon the tab works.

    python bench/hangs.py [--json FILE] [--times 20] [--only NAME,NAME] [--without-heavy]

Each kind of ``tests/support/hangs`` some times in a row, in fresh tabs of one browser:

- *over*: how long after ``timeout_ms`` a held-up call returned. At most 50 ms where the page was
  freed in place, 500 ms where it had to be loaded again (``data["state"]`` tells which).
- *next*: from there until the next action on the tab had its result.
- *grown*: what there is more of after the last time than after the first: the engine's tasks,
  futures, races, commands, listeners; threads; file descriptors; processes; and our memory.

The pages' server is a process of its own. Exit status 1 when a figure is missed.
``TABWARDEN_BROWSER__EXECUTABLE`` names another browser.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.hangs import HANGS, Hang
from support.hangs.hang import evaluate
from support.hangs.processes import browser_processes
from support.hangs.stage import LINGER, Ended, Stage, prepare, serve_hangs, trial
from support.inventory import inventory
from support.site import Site

from tabwarden.sync import Browser

IN_PLACE_MS = 50.0
RENEWED_MS = 500.0
NEXT_MS = 20_000.0
IN_PLACE = {"idle", "busy", "freed", "quieted", "waits for a dialog"}
"""States that cost no page."""
MORE_MEMORY_MB = 20.0
"""Allocators keep some."""
SETTLE_S = 5.0


@dataclass
class Row:
    """One kind, all its times."""

    name: str
    timeout_ms: float
    ends: dict[str, int] = field(default_factory=dict)
    """How often a call ended how; a held-up one with the state that it told."""
    over_in_place: list[float] = field(default_factory=list)
    over_renewed: list[float] = field(default_factory=list)
    next_ms: list[float] = field(default_factory=list)
    grown: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """What was not as it should be."""


# -- the server ----------------------------------------------------------------------------------


def serve(told: Connection) -> None:
    with Site() as site:
        serve_hangs(site, HANGS)
        told.send(site.here)
        told.recv()


@contextmanager
def served() -> Iterator[str]:
    """The corpus, served by a process of its own; the address of its first site."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    yield ours.recv()
    ours.send("enough")
    server.join()


# -- one kind ------------------------------------------------------------------------------------


def measure(hang: Hang, times: int, stage: Stage, here: str) -> Row:
    row = Row(hang.name, hang.timeout_ms)
    try:
        first = None
        for _ in range(times):
            once(hang, row, stage, here)
            if first is None:
                first = resources(stage.calm(hang.bridge))
        last = resources(stage.calm(hang.bridge), like=first)
        row.grown = {k: last[k] - first[k] for k in last if last[k] > first[k]} if first else {}
    except Exception as error:  # noqa: BLE001 - whatever it is, it is this kind's result
        row.wrong.append(f"{type(error).__name__}: {error}"[:200])
        stage.spoilt(hang.bridge)
    judge(row)
    return row


def once(hang: Hang, row: Row, stage: Stage, here: str) -> None:
    scene = prepare(stage.calm(hang.bridge), hang, here)
    ended = trial(hang.call, scene, hang.timeout_ms)
    note(row, ended)
    if ended.how not in hang.ends:
        row.wrong.append(f"ended {ended.how}")
    if hang.lingers and ended.how == "ok":
        note(row, trial(LINGER, scene, hang.timeout_ms))
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


def note(row: Row, ended: Ended) -> None:
    state = ended.error.data.get("state", "") if ended.error is not None else ""
    how = f"{ended.how} {state}".strip()
    row.ends[how] = row.ends.get(how, 0) + 1
    if ended.how != "budget_exceeded":
        if ended.over_ms > IN_PLACE_MS:
            row.wrong.append(f"{ended.how} {ended.over_ms:.0f} ms late")
    elif state in IN_PLACE:
        row.over_in_place.append(ended.over_ms)
    else:
        row.over_renewed.append(ended.over_ms)


def judge(row: Row) -> None:
    for over, most in ((row.over_in_place, IN_PLACE_MS), (row.over_renewed, RENEWED_MS)):
        if over and max(over) > most:
            late = sum(one > most for one in over)
            row.wrong.append(f"{late} of {len(over)} more than {most:.0f} ms late")
    for what, more in row.grown.items():
        if what != "memory_mb" or more > MORE_MEMORY_MB:
            row.wrong.append(f"{what} +{more:g}")


# -- what there is -------------------------------------------------------------------------------


def resources(browser: Browser, *, like: dict[str, float] | None = None) -> dict[str, float]:
    """Counts of what is there, in the end no more than ``like`` if that comes to pass."""
    until = time.monotonic() + SETTLE_S
    while True:
        found = counted(browser)
        settled = like is not None and all(found[k] <= like[k] for k in found if k != "memory_mb")
        if like is None or settled or time.monotonic() > until:
            return found
        time.sleep(0.1)  # processes end when they do


def counted(browser: Browser) -> dict[str, float]:
    held = asdict(inventory(browser))
    held["tasks"] = len(held["tasks"])
    gc.collect()
    return {
        **held,
        "threads": threading.active_count(),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "processes": len(browser_processes(browser)),
        "memory_mb": round(memory_mb(), 1),
    }


def memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# -- telling -------------------------------------------------------------------------------------


def summary(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[max(0, round(len(ordered) * 0.95) - 1)],
        "max": ordered[-1],
    }


def told(values: list[float]) -> str:
    if not values:
        return f"{'':>23}"
    return "".join(f"{figure:>7.0f} " for figure in summary(values).values()).rstrip()


def tell(row: Row) -> None:
    over = [*row.over_in_place, *row.over_renewed]
    ends = ", ".join(f"{count} {how}" for how, count in row.ends.items())
    print(f"{row.name:<36}{told(over):<24}{told(row.next_ms):<24}  {ends}", flush=True)
    for wrong in dict.fromkeys(row.wrong):
        print(f"{'':<6}MISSED: {wrong}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--times", type=int, default=20, help="each kind so often in a row")
    parser.add_argument("--only", default="", help="these kinds, by name, with commas between")
    parser.add_argument("--without-heavy", action="store_true")
    asked = parser.parse_args()
    only = set(filter(None, asked.only.split(",")))
    unknown = only - {hang.name for hang in HANGS}
    if unknown:
        parser.error(f"no such kind: {', '.join(unknown)}")
    hangs = [
        hang
        for hang in HANGS
        if (not only or hang.name in only) and not (asked.without_heavy and hang.heavy)
    ]
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cpus, load {load:.1f}; {len(hangs)} kinds, {asked.times} times each\n")
    print(f"{'ms':<36}{'over: median p95 max':<24}{'next: median p95 max':<24}  ended")
    stage = Stage()
    rows = []
    try:
        with served() as here:
            for hang in hangs:
                rows.append(measure(hang, asked.times, stage, here))
                tell(rows[-1])
    finally:
        stage.close()
    missed = [row.name for row in rows if row.wrong]
    print(f"\n{len(rows) - len(missed)} of {len(rows)} kinds reached every figure.")
    if asked.json is not None:
        result = {"load_before": load, "times": asked.times, "kinds": [asdict(row) for row in rows]}
        asked.json.write_text(json.dumps(result, indent=2) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
