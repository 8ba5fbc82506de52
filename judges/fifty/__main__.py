"""Run fifty agents on this machine, with one tool after the other.

python -m judges.fifty --agents 5 --minutes 1
python -m judges.fifty --doc docs/fifty.md --json fifty.json
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.machine import machine, versions
from bench.page import around
from bench.rivals import Installed, install_npm
from judges.fifty.meter import adopt_orphans, end_all
from judges.fifty.ring import run
from judges.fifty.table import FROM, Report, as_json, markdown, put_into
from judges.fifty.tools import OWN, TOOLS
from judges.fifty.work import kind_of
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m judges.fifty",
        description="Agents at work on this machine, with one tool after the other.",
    )
    parser.add_argument("--agents", type=_count, default=50, help="at once (%(default)s)")
    parser.add_argument("--minutes", type=_minutes, default=10.0, help="of work (%(default)s)")
    parser.add_argument("--only", nargs="+", metavar="TOOL", choices=TOOLS, default=[*TOOLS])
    parser.add_argument("--doc", type=_page, help="write the table into this page")
    parser.add_argument("--json", type=_file, help="write all numbers to this file")
    return parser


def _count(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")


def _minutes(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if 0 < number < math.inf:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")


def _page(text: str) -> Path:
    try:
        around(Path(text), FROM)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return Path(text)


def _file(text: str) -> Path:
    if Path(text).is_dir() or not Path(text).absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a file in an existing folder")
    return Path(text)


def main() -> int:
    asked = arguments().parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    adopt_orphans()
    installed = Installed.here() if asked.only == [OWN] else install_npm()
    browser = str(asyncio.run(choose(Budget(60_000))).path)
    report = Report(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        agents=asked.agents,
        minutes=asked.minutes,
        machine=machine(),
        versions=asyncio.run(versions()),
        results=[],
        absent={},
    )
    for tool in asked.only:
        print(f"{tool}: {asked.agents} agents, {asked.minutes:g} minutes", flush=True)
        _measure(tool, report, browser, installed)
        # After each tool, so that what ends a run loses only the tool at work.
        if asked.json is not None:
            asked.json.write_text(json.dumps(as_json(report), indent=1) + "\n", "utf-8")
        if asked.doc is not None:
            put_into(asked.doc, report)
    print(markdown(report))
    whole = all(one.agents == asked.agents for one in report.results)
    return 0 if whole and not report.absent else 1


def _measure(tool: str, report: Report, browser: str, installed: Installed) -> None:
    """Measure a tool and add the result to the report. If that fails, add the reason."""
    try:
        result = asyncio.run(run(tool, report.agents, report.minutes, browser, installed))
    except FileNotFoundError as error:
        report.absent[tool] = str(error)
    except Exception as error:
        report.absent[tool] = kind_of(error)
    else:
        report.results.append(result)
        result.left = end_all()
    finally:
        end_all()


if __name__ == "__main__":
    raise SystemExit(main())
