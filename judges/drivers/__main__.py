"""Compare drivers for two vendors' browser toolsets: ``python -m judges.drivers``.

python -m judges.drivers --quick
python -m judges.drivers --driver stagehand --contract openai --only members hang-click
python -m judges.drivers --doc docs/drivers.md
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Sequence, Set
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from bench.machine import versions
from bench.page import put
from bench.rivals import install
from judges.drivers.process import PRODUCTS
from judges.drivers.ring import CONTRACTS, MEMBERS, Findings, run
from judges.drivers.scenes import QUICK, SCENES, Note
from judges.drivers.table import markdown

OWN = "tabwarden"
BROWSER = "/usr/bin/chromium"
"""Stagehand's driver is an extension, which headless shells can't load."""
FROM = "<!-- python -m judges.drivers writes from here -->"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m judges.drivers",
        description="Play the same calls through drivers for Anthropic's and OpenAI's toolsets.",
    )
    names = [MEMBERS, *SCENES]
    parser.add_argument("--driver", nargs="+", choices=PRODUCTS, default=PRODUCTS)
    parser.add_argument("--contract", nargs="+", choices=CONTRACTS, default=[*CONTRACTS])
    parser.add_argument("--only", nargs="+", metavar="SCENE", choices=names, help=", ".join(names))
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--browser", default=BROWSER, help="a whole Chromium (%(default)s)")
    parser.add_argument("--doc", type=Path, help="write the tables into this page")
    parser.add_argument("--json", type=Path, help="write all notes to this file")
    parser.add_argument(
        "--known", type=Path, help="take drivers that are not run from this file of --json"
    )
    return parser


def main(words: Sequence[str] | None = None) -> int:
    asked = arguments().parse_args(words)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    console = Console()

    def tell(one: Findings, name: str, notes: list[Note]) -> None:
        for note in notes:
            mark = {True: "+", False: "-", None: " "}[note.good]
            line = f"{mark} {one.product} ({one.contract}) {name}: {note.text}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)

    installed = install("browser-use", "stagehand")
    names = asked.only or ([*QUICK] if asked.quick else [MEMBERS, *SCENES])
    found = run(asked.driver, asked.contract, names, asked.browser, installed, tell)
    if asked.known is not None:
        found += _known(asked.known, {(one.product, one.contract) for one in found})
    text = markdown(found)
    console.print(Markdown(text))
    whole = not asked.only and not asked.quick and len(found) == len(PRODUCTS) * len(CONTRACTS)
    if asked.doc is not None:
        if whole:
            put(asked.doc, FROM, f"{_versions(asked.browser)}\n\n{text}")
        else:
            console.print("The page was not written, because this was not the whole comparison.")
    if asked.json is not None:
        asked.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n", "utf-8")
    return 1 if any(one.absent for one in found if one.product == OWN) else 0


def _known(file: Path, run: Set[tuple[str, str]]) -> list[Findings]:
    """Return the drivers of an earlier run that were not run again."""
    return [
        Findings(**{**one, "notes": [Note(**note) for note in one["notes"]]})
        for one in json.loads(file.read_text("utf-8"))
        if (one["product"], one["contract"]) not in run
    ]


def _versions(browser: str) -> str:
    known = asyncio.run(versions())
    done = subprocess.run([browser, "--version"], capture_output=True, text=True, check=True)
    return (
        f"Chromium {done.stdout.split()[1]}, Tabwarden {known['tabwarden'].split()[0]}, "
        f"stagehand-claude-sdk and stagehand-openai-sdk {known.get('stagehand', '?')}, browser-use "
        f"{known.get('browser-use', '?')}."
    )


if __name__ == "__main__":
    raise SystemExit(main())
