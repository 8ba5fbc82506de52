"""Run all of Tabwarden's benchmarks: ``python -m bench``, or ``make bench``.

python -m bench --list
python -m bench --quick
python -m bench --only evaluate dialogs --html report.html --json report.json
python -m bench --against HEAD~20
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import signal
import sys
from pathlib import Path

from bench import ROOT
from bench.catalogue import NAMES, bench_named
from bench.guard import guard, record
from bench.machine import machine, versions
from bench.report import Run, html, put_into
from bench.rivals import install
from bench.runner import run
from bench.telling import verdict_line

REPORT = Path("bench-report.html")
FIGURES = Path("bench-report.json")
PUBLISHED = ROOT / "docs" / "benchmarks.md"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Compare Tabwarden with raw CDP, Playwright, MCP servers and other tools.",
        epilog="Each bench can also run alone: python -m bench.evaluate --help",
    )
    parser.add_argument("--list", action="store_true", help="only list the benches")
    parser.add_argument(
        "--quick", action="store_true", help="few rounds and small pages; takes minutes"
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=NAMES)
    parser.add_argument("--json", type=Path, default=FIGURES, help="every number (%(default)s)")
    parser.add_argument("--html", type=Path, default=REPORT, help="to read (%(default)s)")
    parser.add_argument(
        "--doc", type=Path, help="also write the figures into this page, between its marks"
    )
    parser.add_argument(
        "--no-rivals", action="store_true", help="do not install or start other tools"
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, help="multiply the number of rounds by this"
    )
    parser.add_argument(
        "--from", type=Path, dest="past", help="load a past run; with --only, repeat these benches"
    )
    parser.add_argument(
        "--against",
        nargs="?",
        const="",
        metavar="REV",
        help="compare this checkout's speed with another commit, by default the one that "
        "bench/base.toml records, and do nothing else",
    )
    return parser


def main() -> int:
    parser = arguments()
    asked = parser.parse_args()
    for option, path in (("--doc", asked.doc), ("--from", asked.past)):
        if path is not None and not path.is_file():
            parser.error(f"{option}: the file {path} does not exist")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    if asked.list:
        for name in NAMES:
            bench = bench_named(name)
            print(f"{name:<15}{bench.title}; {len(bench.figures)} figures to reach")
        return 0
    if asked.against is not None:
        return guard(asked.against or None, quick=asked.quick)
    past = Run(Run.now(), _command(), {}, {})
    if asked.past is not None:
        past = Run.of_json(json.loads(asked.past.read_text("utf-8")))
        if asked.only is None:
            return _tell(past, asked)
    if not asked.no_rivals:
        print("Looking for other tools, and installing missing ones ...", flush=True)
        install()
    made = Run(Run.now(), _command(), machine(), asyncio.run(versions()))
    if asked.no_rivals:
        made.skipped["rivals"] = "--no-rivals"
    options = ["--scale", str(asked.scale)]
    options += ["--quick"] if asked.quick else []
    options += ["--no-rivals"] if asked.no_rivals else []
    before = {found.name: found for found in past.benches}
    for name in asked.only or NAMES:
        print(f"\n-- {name}", flush=True)
        before[name] = run(bench_named(name), options, quick=asked.quick)
        made.benches = [before[name] for name in NAMES if name in before]
        _write(made, asked)  # so that the results are saved in any case
    if asked.doc is not None and asked.only is None and asked.doc.samefile(PUBLISHED):
        record(made.commit)
    return _tell(made, asked)


def _command() -> str:
    return shlex.join(["python", "-m", "bench", *sys.argv[1:]])


def _write(made: Run, asked: argparse.Namespace) -> None:
    asked.json.write_text(json.dumps(made.to_json(), indent=1) + "\n", "utf-8")
    asked.html.write_text(html(made), "utf-8")
    if asked.doc is not None:
        put_into(asked.doc, made)


def _tell(made: Run, asked: argparse.Namespace) -> int:
    _write(made, asked)
    print("\n== All figures")
    for verdict in made.verdicts:
        print(verdict_line(verdict))
    for found in made.failed:
        print(f"FAILED   {found.title}: {found.failed}")
    print(f"\n{asked.html} and {asked.json} were written.")
    return 1 if made.missed or made.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
