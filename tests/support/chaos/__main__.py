"""Random actions against random faults on a real Chromium: ``make chaos``, docs/chaos.md.

    PYTHONPATH=tests python -m support.chaos [--seed S] [--faults N] [--seconds S] [--from N]
        [--only KIND,KIND] [--json FILE] [--plan]

The seed says all that is done; when it is done is up to the machine. Exit status 1 when a promise
was broken. Each such step can be taken again: ``--seed S --from N --faults 1``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import logging
import secrets
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from support.chaos.harms import HARMS
from support.chaos.plan import Step, plan
from support.chaos.report import as_json, as_text
from support.chaos.run import Outcome, Run
from support.metronome import metronome

_TELL_EVERY_S = 15.0


def main(arguments: list[str] | None = None) -> int:
    asked = _asked(arguments)
    seed = asked.seed if asked.seed is not None else secrets.randbelow(1_000_000)
    print(f"seed {seed}", flush=True)
    only = frozenset(filter(None, asked.only.split(",")))
    if only - set(HARMS):
        sys.exit(f"no such kind: {', '.join(only - set(HARMS))}; there are: {', '.join(HARMS)}")
    steps = itertools.islice(plan(seed, only=only), asked.first - 1, asked.first - 1 + asked.faults)
    if asked.plan:
        print(*steps, sep="\n")
        return 0
    logging.disable(logging.CRITICAL)  # the calls report the faults
    with metronome() as beat:
        report = _taken(Run(beat), steps, seed, asked.seconds)
    print(as_text(report))
    if asked.json is not None:
        asked.json.write_text(json.dumps(report, indent=2) + "\n")
    return 1 if report["broken"] else 0


def _taken(run: Run, steps: Iterable[Step], seed: int, seconds: float) -> dict[str, Any]:
    """Take them, and tell of the broken ones as they come; the report, of those that were taken
    when it was interrupted, too."""
    outcomes = list[Outcome]()
    began = told = time.monotonic()
    try:
        for step in steps:
            if time.monotonic() - began > seconds:
                break
            outcomes.append(outcome := run.take(step))
            if outcome.broken:
                print(f"seed {seed} BROKEN {step}: {outcome.ended} {outcome.words[:300]}")
                print(*(f"    {words}" for words in outcome.broken), sep="\n", flush=True)
            if time.monotonic() - told > _TELL_EVERY_S:
                told = time.monotonic()
                print(f"{len(outcomes)} faults, {told - began:.0f} s", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        left = run.close()
    if left and outcomes:
        outcomes[-1].broken += left
    return as_json(seed, outcomes, time.monotonic() - began)


def _asked(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--faults", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no longer than that")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first step's number")
    parser.add_argument("--only", default="", help="these kinds of fault, with commas between")
    parser.add_argument("--json", type=Path, help="write the report here, too")
    parser.add_argument("--plan", action="store_true", help="print what would be done")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
