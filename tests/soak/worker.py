"""The process under test: works, counts after each round, and reports growth."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from soak.field import Field
from soak.gauges import ALLOWED, Sample, by_type, sample, settled
from soak.judge import FEWEST, Verdict, judge, warmed_up
from soak.lanes import Lanes

from tabwarden.page.task import refs, values
from tabwarden.supervisor.core.handlers.network import log

_FEWEST_ROUNDS = FEWEST * 3 // 2
_MEMORIES = ((refs, "_KEPT", 300), (values, "_WORLDS", 20), (log, "NETWORK_RING", 50))
"""Long bounded histories, shortened so that they are full within the warm-up."""


def main() -> int:
    """Run the rounds; return 1 if something grew."""
    parser = argparse.ArgumentParser(prog="soak")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--field", required=True, help="JSON, by soak.__main__")
    parser.add_argument("--folder", type=Path, required=True, help="holds TMPDIR and the caches")
    given = parser.parse_args()
    for module, name, length in _MEMORIES:
        assert hasattr(module, name)
        setattr(module, name, length)
    samples, types = _soak(given)
    verdicts = [
        judge(name, warmed_up([one.as_dict()[name] for one in samples]), allowed)
        for name, allowed in ALLOWED.items()
    ]
    _tell(verdicts, types)
    if given.report is not None:
        given.report.write_text(json.dumps([one.as_dict() for one in samples], indent=1) + "\n")
    return int(any(one.grows for one in verdicts))


def _soak(given: argparse.Namespace) -> tuple[list[Sample], Counter[str]]:
    samples: list[Sample] = []
    files = given.folder / "files"
    files.mkdir()
    until = time.monotonic() + given.minutes * 60
    kept: Counter[str] = Counter()
    _print("round", *ALLOWED, "cpu_s", "wall_s")
    with Lanes(Field(**json.loads(given.field)), files, given.seed) as lanes:
        while time.monotonic() < until or len(samples) < _FEWEST_ROUNDS:
            began, cpu = time.monotonic(), _cpu_s()
            lanes.round()
            settled(given.folder)
            samples.append(sample(given.folder))
            spent = round(_cpu_s() - cpu, 1), round(time.monotonic() - began, 1)
            _print(len(samples), *samples[-1].as_dict().values(), *spent)
            if len(samples) <= max(2, len(samples) // 3):
                kept = by_type()
    return samples, by_type() - kept


def _tell(verdicts: list[Verdict], types: Counter[str]) -> None:
    for one in verdicts:
        words = "GROWS" if one.grows else "flat"
        _say(
            f"{one.name}: {words}, {one.slope:+.3g} a round, at least {one.rise:.4g} in all "
            f"(up to {one.allowed:g} is no leak)"
        )
        if one.grows and one.name == "objects":
            for name, count in types.most_common(8):
                _say(f"    {count:+d} {name}")


def _cpu_s() -> float:
    """The CPU time of this process and of its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _print(*columns: object) -> None:
    _say("".join(f"{column!s:>12}" for column in columns))


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
