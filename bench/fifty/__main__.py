"""Fifty agents at work on this machine, with one tool after the other.

python -m bench.fifty --agents 5 --minutes 1
python -m bench.fifty --doc docs/fifty.md --json fifty.json
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.fifty.meter import adopt_orphans
from bench.fifty.ring import run
from bench.fifty.table import Report, as_json, markdown, put_into
from bench.fifty.tools import OWN, TOOLS
from bench.machine import machine, versions
from bench.rivals import Installed, install_npm
from tabwarden.budget import Budget
from tabwarden.endpoints import choose


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.fifty",
        description="Agents at work on this machine, with one tool after the other.",
    )
    parser.add_argument("--agents", type=int, default=50, help="at once (%(default)s)")
    parser.add_argument("--minutes", type=float, default=10.0, help="of work (%(default)s)")
    parser.add_argument("--only", nargs="+", metavar="TOOL", choices=TOOLS, default=[*TOOLS])
    parser.add_argument("--doc", type=Path, help="write the table into this page")
    parser.add_argument("--json", type=Path, help="write every number here")
    return parser


def main() -> int:
    asked = arguments().parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    adopt_orphans()
    installed = Installed.here() if asked.only == [OWN] else install_npm()
    browser = str(asyncio.run(choose(Budget(60_000))).path)
    results, absent = [], {}
    for tool in asked.only:
        print(f"{tool}: {asked.agents} agents, {asked.minutes:g} minutes", flush=True)
        try:
            results.append(asyncio.run(run(tool, asked.agents, asked.minutes, browser, installed)))
        except FileNotFoundError as error:
            absent[tool] = str(error)
    report = Report(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        agents=asked.agents,
        minutes=asked.minutes,
        machine=machine(),
        versions=asyncio.run(versions()),
        results=results,
        absent=absent,
    )
    print(markdown(report))
    if asked.doc is not None:
        put_into(asked.doc, report)
    if asked.json is not None:
        asked.json.write_text(json.dumps(as_json(report), indent=1) + "\n", "utf-8")
    return 0 if all(one.agents == asked.agents for one in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
