"""Compares this checkout with another commit: all rows, and again those that were slower."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from support.site import Site

from bench.actions import PAGE
from bench.guard.compare import Compared
from bench.guard.measuring import AGAIN, ALL, PLANS, QUICK_AGAIN, QUICK_ALL, Comparison
from bench.guard.recorded import Base, recorded
from bench.guard.trees import built, commit_of, is_changed
from bench.leftovers import end_leftovers, marked
from bench.snapshots import big
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose

__all__ = ["guard"]

CONFIRMATIONS = 2
"""With only one, a commit lost to itself in 1 of 10 runs on a machine with a load of 10."""


def guard(revision: str | None, *, quick: bool) -> int:
    """Compare this checkout with a revision. Return the exit status 1 if a row has lost, or could
    not be measured here.

    Args:
        revision: by default the recorded commit, if git has it; otherwise nothing is compared.
        quick: measure for a shorter time.
    """
    base = recorded() if revision is None else Base(revision, {})
    try:
        base = base._replace(commit=commit_of(base.commit))
    except ValueError as error:
        if revision is None:
            print(
                f"Nothing to compare: git does not have {base.commit} here, the commit that "
                "bench/base.toml records. A shallow clone and a folder without .git lack it."
            )
            return 0
        raise SystemExit(f"--against {revision}: {error}") from error
    if revision is None and not is_changed(base.commit):
        print(f"Nothing to compare: src is as in {base.commit[:8]}, which bench/base.toml records.")
        return 0
    mark = marked()
    try:
        with built(base.commit) as (own, other):
            return asyncio.run(_compare(own, other, base, quick=quick))
    finally:
        end_leftovers(mark)


async def _compare(own: Path, other: Path, base: Base, *, quick: bool) -> int:
    browser = str((await choose(Budget(60_000))).path)
    with Site() as site:
        for path, body in {
            "/actions": PAGE,
            "/big": big(1000),
            "/tiny0": "0",
            "/tiny1": "1",
        }.items():
            site.page(path, body)
        comparison = Comparison(own, other, base, browser, site.here)
        found = await comparison.measure(PLANS, QUICK_ALL if quick else ALL)
        _tell(f"This checkout against {base.commit[:8]}", found)
        slower = [row for row, compared in found.items() if compared.is_slower]
        extent = QUICK_AGAIN if quick else AGAIN
        for _ in range(CONFIRMATIONS):
            if slower:
                again = await comparison.measure(slower, extent)
                _tell("The slower rows, measured again", again)
                slower = [row for row, compared in again.items() if compared.has_lost]
            if slower and len(again[slower[0]].ratios) < extent.generations:
                print(f"The machine is too busy to confirm that these lost: {', '.join(slower)}")
                slower = []
    for row, why in comparison.left_out.items():
        print(f"left out {row}: {base.commit[:8]} is {why}")
    for row, why in comparison.failed.items():
        print(f"FAILED   {row}: {why}")
    for row in slower:
        print(f"LOST     {row}: {again[row].ratio:.2f} times the time of {base.commit[:8]}")
    if not slower:
        print("No row has lost.")
    return 1 if slower or comparison.failed else 0


def _tell(title: str, found: dict[str, Compared]) -> None:
    print(f"\n{title}, median ms\n{'':<30}{'before':>10}{'now':>10}{'ratio':>8}  (95 % interval)")
    for row, compared in found.items():
        print(compared.line(row))
    sys.stdout.flush()
