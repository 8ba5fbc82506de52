"""Faults on a fleet of three machines with real browsers: ``make fleet-chaos``.

    PYTHONPATH=tests python -m support.fleet_chaos [--deaths N] [--kinds KIND ...] [--seed S]
        [--agents N] [--json FILE] [--home FOLDER]

Exit status 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from support.fleet_chaos.cluster import Cluster
from support.fleet_chaos.faults import KINDS
from support.fleet_chaos.machines import enclosing, is_enclosed, why_not
from support.fleet_chaos.report import as_json, as_text, is_broken
from support.fleet_chaos.rounds import Run


def main() -> int:
    asked = _asked()
    if not is_enclosed():
        if why := why_not():
            sys.exit(f"this system can't make machines of namespaces: {why}")
        again = [sys.executable, "-m", "support.fleet_chaos", *sys.argv[1:]]
        os.execvp("unshare", enclosing(again))
    home = Path(tempfile.mkdtemp(prefix="tw-fleet-chaos-", dir=asked.home))
    cluster = Cluster(home)
    cluster.join_all()
    run, left = Run(cluster, asked.agents, asked.seed), None
    try:
        for number in range(asked.deaths):
            for kind in asked.kinds:
                one = run.round(kind)
                mark = "BROKEN " if is_broken(one) else ""
                print(f"{number + 1} {mark}{one}", file=sys.stderr, flush=True)
        left = run.down()
    finally:
        calls = sum("call" in one for one in run.agents.said)
        report = as_json(asked.seed, run.rounds, calls, left)
        print(as_text(report), flush=True)
        if asked.json is not None:
            asked.json.write_text(json.dumps(report, indent=1) + "\n")
        cluster.lose_power()
    return 1 if report["broken"] or left else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fleet-chaos", description=__doc__)
    parser.add_argument("--deaths", type=int, default=3, help="of each kind")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agents", type=int, default=6)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path, help="where to keep the machines' files")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
