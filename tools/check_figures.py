"""List the pages of the documentation with figures of an old commit. Fails only if a page with
figures names no commit.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = (
    "benchmarks.md", "chaos.md", "drivers.md", "duel.md", "fifty.md", "fleet.md", "fleet-scale.md",
    "live.md", "miniwob.md", "mutation.md", "playwright-tests.md", "switching.md",
)  # fmt: skip
"""The pages with measured figures."""
NAMED = re.compile(r"Figures of commit (\w+)")  # bench/page.py writes this line
OLD = 200
"""Number of later commits after which figures are old."""


def check(root: Path, old: int = OLD) -> list[str]:
    """Return a warning for each page whose figures are old.

    Raises:
        SystemExit: a page of figures names no commit.
    """
    warnings = []
    for page in sorted((root / "docs").glob("*.md")):
        name, commits = f"docs/{page.name}", NAMED.findall(page.read_text("utf-8"))
        if page.name in PAGES and not commits:
            raise SystemExit(f'{name}: say "Figures of commit ...", as bench/page.py does')
        for commit in commits:
            later = commits_since(root, commit)
            if later is None:
                warnings.append(f"{name}: unknown commit {commit}")
            elif later > old:
                warnings.append(f"{name}: its figures are {later} commits old")
    return warnings


def commits_since(root: Path, commit: str) -> int | None:
    """Return the number of commits after a commit; None if git does not know it, as in a shallow
    clone."""
    command = ["git", "-C", str(root), "rev-list", "--count", f"{commit}..HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return int(done.stdout) if done.returncode == 0 else None


if __name__ == "__main__":
    for warning in check(ROOT):
        print("warning:", warning)
