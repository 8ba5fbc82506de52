"""Test features that switching users would miss, with each tool: ``python -m judges.switching``.

python -m judges.switching --only tabwarden playwright-mcp --trials mock har --verbose
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from rich.console import Console

from bench import ROOT
from bench.machine import versions
from bench.rivals import install_npm
from judges.switching.report import put_into, table
from judges.switching.ring import AT_ONCE, TOOLS, run
from judges.switching.stage import OWN, Stage
from judges.switching.trial import Outcome, Trial
from judges.switching.trials import TRIALS
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m judges.switching",
        description="What switchers would miss, tried with each tool that has it.",
    )
    parser.add_argument("--only", nargs="+", metavar="TOOL", choices=TOOLS, default=TOOLS)
    parser.add_argument("--trials", nargs="+", choices=TRIALS, default=[*TRIALS])
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="trials (%(default)s)")
    parser.add_argument("--verbose", action="store_true", help="print what the agents read")
    return parser


def main() -> int:
    asked = arguments().parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    console = Console()

    def tell(trial: Trial, tool: str, outcome: Outcome, stage: Stage | None) -> None:
        result = "done" if outcome.done else outcome.missing
        line = f"{trial.name}: {tool} {outcome.seconds:.1f} s, {outcome.calls} calls: {result}"
        console.print(line, highlight=False, markup=False)
        if asked.verbose and stage is not None:
            for text in (text for user in stage.users for text in user.answers):
                console.print("   " + text[:1500].replace("\n", "\n   "), markup=False)
            console.print(f"   told: {stage.told}", markup=False)

    installed = install_npm()
    browser = str(asyncio.run(choose(Budget(60_000))).path)
    trials = [TRIALS[name] for name in asked.trials]
    found = asyncio.run(run(trials, asked.only, browser, installed, tell, asked.at_once))
    text = table(found, trials, asked.only, asyncio.run(versions()))
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    if len(found) == len(TRIALS) * len(TOOLS):
        put_into(ROOT / "docs" / "switching.md", text)
    own = [outcome for (_, tool), outcome in found.items() if tool == OWN]
    return 0 if all(outcome.done for outcome in own) else 1


if __name__ == "__main__":
    raise SystemExit(main())
