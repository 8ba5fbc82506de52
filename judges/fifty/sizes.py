"""Measures tasks by their kind of work: ``python -m judges.fifty.sizes --doc docs/fleet.md``.

Agents of one ``tabwarden serve`` work as in ``judges.fifty``, on pages of several kinds.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from bench.page import put
from bench.rivals import Installed
from judges.fifty.meter import adopt_orphans, end_all
from judges.fifty.ring import Result, run
from judges.fifty.tools import OWN
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose

_BEGIN, _END = "<!-- python -m judges.fifty.sizes writes from here -->", "<!-- to here -->"
_TEXT = "<p>" + "The quick brown fox jumps over the lazy dog. " * 40
_APP = """<div id=rows></div><script>
  const rows = Array.from({length: 4000}, (_, n) => ({n, words: "x".repeat(500) + n}));
  const list = document.querySelector("#rows");
  list.innerHTML = rows.map((row) => `<div><span>${row.n}</span> <button>Open</button></div>`)
    .join("");
  setInterval(() => {
    rows.sort(() => Math.random() - 0.5);
    for (let n = 0; n < 200; n++) list.children[n].firstChild.textContent = rows[n].n;
  }, 500);
</script>"""
_MEDIA = """<canvas width=1280 height=720></canvas><script>
  const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
  const draw = (at) => {
    for (let n = 0; n < 300; n++) {
      pen.fillStyle = `hsl(${(at / 10 + n) % 360} 80% 50%)`;
      pen.fillRect((at / 5 + n * 37) % 1280, (n * 53) % 720, 60, 60);
    }
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
</script>"""
KINDS = {
    "a form and a list": "",
    "long text (200 kB)": _TEXT * 110,
    "an app: 4,000 rows, changes twice a second": _APP,
    "moving pictures: a canvas at 60 frames/s": _MEDIA,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m judges.fifty.sizes", description=__doc__)
    parser.add_argument("--agents", type=int, default=8, help="at once (%(default)s)")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each kind (%(default)s)")
    parser.add_argument("--doc", type=Path, help="write the table into this page")
    asked = parser.parse_args()
    adopt_orphans()
    browser = str(asyncio.run(choose(Budget(60_000))).path)
    rows = []
    for kind, more in KINDS.items():
        work = run(OWN, asked.agents, asked.minutes, browser, Installed.here(), more)
        try:
            rows.append(_row(kind, asyncio.run(work)))
        finally:
            end_all()
        print(rows[-1], flush=True)
    table = _table(rows, asked.agents, asked.minutes)
    print(table)
    if asked.doc is not None:
        put(asked.doc, _BEGIN, table, end=_END)


def _row(kind: str, result: Result) -> str:
    failures = sum(result.log.failures.values())
    return (
        f"| {kind} | {result.mb_per_agent:.0f} MB | {result.cpu_s_per_agent_minute:.1f} s"
        f" | {result.log.rounds} | {failures} |"
    )


def _table(rows: list[str], agents: int, minutes: float) -> str:
    return "\n".join([
        f"{agents} agents for {minutes:g} minutes each.",
        "",
        "| pages | memory per task | processor per task and minute | rounds | failures |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ])  # fmt: skip


if __name__ == "__main__":
    main()
