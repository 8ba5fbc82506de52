"""Run MiniWoB++ with one or more tools.

python -m judges.miniwob --tasks click-button --seeds 5
python -m judges.miniwob --tools tabwarden playwright-mcp --json miniwob.json --doc docs/miniwob.md
python -m judges.miniwob --seed-list 901 902 903 904 905
python -m judges.miniwob --from miniwob.json --doc docs/miniwob.md
"""

from __future__ import annotations

import argparse
import asyncio
import fnmatch
import json
import shutil
import signal
import sys
from pathlib import Path

from bench.page import origin
from bench.rivals import Installed, install
from judges.miniwob.report import markdown, terminal
from judges.miniwob.run import Played, play
from judges.miniwob.tasks import MINIWOB, task_names
from judges.miniwob.tools.catalogue import TOOLS

OWN = ("tabwarden", "tabwarden-mcp")


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m judges.miniwob")
    parser.add_argument("--tools", nargs="+", choices=list(TOOLS), default=["tabwarden"])
    parser.add_argument("--tasks", nargs="+", metavar="NAME", help="names or patterns: click-*")
    parser.add_argument("--seeds", type=int, default=5, help="how many seeds (%(default)s)")
    parser.add_argument("--first-seed", type=int, default=1, help="the first of them")
    parser.add_argument("--seed-list", nargs="+", type=int, metavar="N", help="these seeds")
    parser.add_argument("--browser", default=shutil.which("chromium"), help="%(default)s")
    parser.add_argument("--json", type=Path, help="write the episodes here; adds to what it has")
    parser.add_argument("--doc", type=Path, help="put the results into this page")
    parser.add_argument(
        "--from", type=Path, nargs="+", dest="past", help="only report these episodes"
    )
    parser.add_argument("--trace", action="store_true", help="print each episode's acts")
    return parser


def seeds_of(asked: argparse.Namespace) -> list[int]:
    return asked.seed_list or list(range(asked.first_seed, asked.first_seed + asked.seeds))


async def run(asked: argparse.Namespace) -> list[Played]:
    names = task_names()
    if asked.tasks:
        names = [one for one in names if any(fnmatch.fnmatch(one, like) for like in asked.tasks)]
    done: list[Played] = []
    here = origin()
    for tool in asked.tools:
        try:
            async for played in play(
                tool, names, seeds_of(asked), asked.browser, trace=asked.trace
            ):
                played.origin = here
                done.append(played)
                print(line(played), flush=True)
        except FileNotFoundError as missing:
            print(f"{tool}: {missing}")
    return done


def line(played: Played) -> str:
    wrong = f"  {played.wrong} on a wrong element" if played.wrong else ""
    return (
        f"{'ok  ' if played.solved else 'FAIL'} {played.tool} {played.task} {played.seed}"
        f"  {played.calls} calls {played.characters} characters {played.seconds:.1f} s"
        f"{wrong}  {played.why}"
    )


def read(path: Path) -> list[Played]:
    return [Played(**one) for one in json.loads(path.read_text("utf-8"))]


def main() -> int:
    parser = arguments()
    asked = parser.parse_args()
    if not asked.browser:
        parser.error("--browser: there is no chromium on the path")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("ended"))
    if asked.past:
        done = [one for path in asked.past for one in read(path)]
    else:
        if any(tool not in OWN for tool in asked.tools):
            install()
        done = asyncio.run(run(asked))
    if asked.json:
        new = {(one.tool, one.task, one.seed) for one in done}
        old = read(asked.json) if asked.json.exists() else []
        done = [one for one in old if (one.tool, one.task, one.seed) not in new] + done
        asked.json.write_text(json.dumps([one.to_json() for one in done], indent=0) + "\n")
    tools = [tool for tool in TOOLS if any(one.tool == tool for one in done)]
    print("\n" + terminal(done, tools))
    if asked.doc:
        seeds = sorted({one.seed for one in done})
        versions = ", ".join(
            [MINIWOB, *(f"{name} {it}" for name, it in Installed.here().versions().items())]
        )
        page = asked.doc.read_text("utf-8")
        asked.doc.write_text(markdown(page, done, tools, seeds, versions), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
