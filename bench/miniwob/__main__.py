"""Run MiniWoB++ with one or more tools.

python -m bench.miniwob --tasks click-button --seeds 5
python -m bench.miniwob --tools tabwarden playwright-mcp --json miniwob.json --doc docs/miniwob.md
python -m bench.miniwob --seed-list 901 902 903 904 905
"""

from __future__ import annotations

import argparse
import asyncio
import fnmatch
import json
import shutil
from pathlib import Path

from bench.miniwob.oracles import ORACLES
from bench.miniwob.run import Played, play
from bench.miniwob.tasks import task_names
from bench.miniwob.tools.catalogue import TOOLS


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.miniwob")
    parser.add_argument("--tools", nargs="+", choices=list(TOOLS), default=["tabwarden"])
    parser.add_argument("--tasks", nargs="+", metavar="NAME", help="names or patterns: click-*")
    parser.add_argument("--seeds", type=int, default=5, help="how many seeds (%(default)s)")
    parser.add_argument("--first-seed", type=int, default=1, help="the first of them")
    parser.add_argument("--seed-list", nargs="+", type=int, metavar="N", help="these seeds")
    parser.add_argument("--browser", default=shutil.which("chromium") or "")
    parser.add_argument("--json", type=Path, help="add the episodes to this file")
    parser.add_argument("--trace", action="store_true", help="print each episode's acts")
    return parser


async def run(asked: argparse.Namespace) -> list[Played]:
    seeds = asked.seed_list or list(range(asked.first_seed, asked.first_seed + asked.seeds))
    names = task_names()
    if asked.tasks:
        names = [one for one in names if any(fnmatch.fnmatch(one, like) for like in asked.tasks)]
    else:
        names = [one for one in names if one in ORACLES]
    done: list[Played] = []
    for tool in asked.tools:
        async for played in play(tool, names, seeds, asked.browser, trace=asked.trace):
            done.append(played)
            print(
                f"{'ok  ' if played.solved else 'FAIL'} {tool} {played.task} {played.seed}"
                f"  {played.calls} calls {played.characters} characters {played.seconds:.1f} s"
                f"{'  WRONG ' + str(played.wrong) if played.wrong else ''}  {played.why}",
                flush=True,
            )
    return done


def main() -> int:
    asked = arguments().parse_args()
    done = asyncio.run(run(asked))
    for tool in asked.tools:
        tasks: dict[str, list[Played]] = {}
        for played in done:
            if played.tool == tool:
                tasks.setdefault(played.task, []).append(played)
        solved = [task for task, all_of in tasks.items() if all(one.solved for one in all_of)]
        print(f"{tool}: {len(solved)} of {len(tasks)} tasks solved with every seed")
        if unsolved := sorted(set(tasks) - set(solved)):
            print("  not:", " ".join(unsolved))
    if asked.json:
        asked.json.write_text(json.dumps([one.to_json() for one in done], indent=0) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
