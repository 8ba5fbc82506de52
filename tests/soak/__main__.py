"""``make soak``: an hour of mixed work on real Chromium, after which nothing may have grown.

``MINUTES=3 make soak`` is what the tests run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from soak.field import standing

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose


def main() -> int:
    """Start the field, run the worker in it, and exit with its status."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1, help="for the order of the work")
    parser.add_argument("--report", type=Path, help="write the samples there, as JSON")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as outside,
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as inside,
        standing(Path(outside)) as field,
    ):
        command = [
            sys.executable, "-m", "soak.worker", f"--minutes={given.minutes}",
            f"--seed={given.seed}", f"--field={json.dumps(asdict(field))}", f"--folder={inside}",
        ]  # fmt: skip
        if given.report is not None:
            command.append(f"--report={given.report.resolve()}")
        return subprocess.run(command, env=_environment(Path(inside)), check=False).returncode


def _environment(folder: Path) -> dict[str, str]:
    """Put temporary files and caches in a countable folder; use the same browser as outside."""
    (folder / "tmp").mkdir()
    tests = str(Path(__file__).resolve().parent.parent)
    return {
        **os.environ,
        "PYTHONPATH": tests,
        "TABWARDEN_CHROME": str(asyncio.run(choose(Budget(60_000))).path),
        "TMPDIR": str(folder / "tmp"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


if __name__ == "__main__":
    sys.exit(main())
