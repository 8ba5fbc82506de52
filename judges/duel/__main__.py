"""Compare all installed tools on six pages: ``python -m judges.duel``, or ``make duel``.

python -m judges.duel --only tabwarden playwright-mcp --bouts timer loop
python -m judges.duel --rounds 3 --svg docs/duel.svg
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from bench.machine import versions
from bench.rivals import install
from judges.duel.agent import Agent
from judges.duel.bouts import BOUTS
from judges.duel.duelists import DUELISTS, OWN
from judges.duel.judging import Verdict, together
from judges.duel.picture import Card, picture
from judges.duel.report import put_into
from judges.duel.ring import run
from judges.duel.table import table
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose

BY_FUNCTION = {bout.fight.__name__: bout for bout in BOUTS}


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m judges.duel",
        description="Compare all installed tools on six pages that block agents.",
    )
    parser.add_argument("--only", nargs="+", metavar="TOOL", choices=DUELISTS, default=DUELISTS)
    parser.add_argument("--bouts", nargs="+", choices=BY_FUNCTION, default=[*BY_FUNCTION])
    parser.add_argument(
        "--rounds", type=int, default=1, help="number of rounds of all bouts (%(default)s)"
    )
    parser.add_argument("--svg", type=Path, help="write the image to this file")
    parser.add_argument("--doc", type=Path, help="write the table into this page")
    parser.add_argument("--json", type=Path, help="write all results to this file")
    parser.add_argument("--verbose", action="store_true", help="print the tools' answers")
    return parser


def main() -> int:
    asked = arguments().parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    console = Console()

    def tell(name: str, bout: str, verdict: Verdict, agent: Agent) -> None:
        console.print(f"{bout}: {name} {verdict.line}", highlight=False)
        for read in agent.reads if asked.verbose else ():
            mark = "!" if read.failed else " "
            text = " ".join(read.text.split())[:400]
            console.print(f"   {mark}{read.seconds:6.2f} s  {read.call}: {text}", markup=False)

    console.print("Looking for the tools, and installing missing ones ...")
    installed = install("browser-use")
    browser = str(asyncio.run(choose(Budget(60_000))).path)
    bouts = [BY_FUNCTION[name] for name in asked.bouts]
    found, absent = asyncio.run(run(asked.only, bouts, browser, installed, asked.rounds, tell))
    card = Card(
        tools=tuple(asked.only),
        bouts=tuple(bout.name for bout in bouts),
        verdicts={key: together(verdicts) for key, verdicts in found.items()},
        absent=absent,
        versions=asyncio.run(versions()),
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        rounds=asked.rounds,
    )
    console.print(table(card))
    whole = len(found) == len(DUELISTS) * len(BOUTS)
    if not whole and (asked.svg or asked.doc):
        console.print(
            "The image and the page were not written, because this was not the whole duel."
        )
    if whole and asked.svg is not None:
        asked.svg.write_text(picture(card), "utf-8")
    if whole and asked.doc is not None:
        put_into(asked.doc, card)
    if asked.json is not None:
        told = [
            {"tool": tool, "bout": bout, "rounds": [asdict(one) for one in verdicts]}
            for (tool, bout), verdicts in found.items()
        ]
        about = {"versions": card.versions, "date": card.date, "absent": absent, "found": told}
        asked.json.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    own = [verdict for (tool, _), verdict in card.verdicts.items() if tool == OWN]
    return 0 if all(verdict.won for verdict in own) else 1


if __name__ == "__main__":
    raise SystemExit(main())
