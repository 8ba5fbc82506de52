"""Write the duration of ``make test`` from ``tests/minutes.txt`` into the pages that mention it.
``--check`` fails if a page is stale.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "AGENTS.md")
TIME = re.compile(r"about \d+ minutes on two cores")


def run() -> None:
    """Write the pages, or check them."""
    minutes = int((ROOT / "tests/minutes.txt").read_text())
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        made, count = TIME.subn(f"about {minutes} minutes on two cores", text)
        if count != 1:
            raise SystemExit(
                f'{page} says "{TIME.pattern}" {count} times, but should contain it once'
            )
        if "--check" not in sys.argv[1:]:
            (ROOT / page).write_text(made, "utf-8")
        elif made != text:
            raise SystemExit(f"{page} is stale: run make generate")


if __name__ == "__main__":
    run()
