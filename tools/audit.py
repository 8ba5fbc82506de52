"""Ask for known faults of every package in uv.lock, development's too: ``make audit``.

``uv audit`` asks OSV, which has PyPI's advisories. Findings fail; a service that can't be reached
is told, and passes: a machine without it must still be able to build.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOUND = 1
UNREACHABLE = ("error sending request", "Request failed", "timed out")
_PREVIEW = "audit-command"


def main() -> int:
    """Audit; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", default=os.environ.get("UV", "uv"), help="uv's program")
    parser.add_argument("--service-url", help="another OSV service")
    given = parser.parse_args()
    command = [given.uv, "audit", "--frozen", "--preview-features", _PREVIEW]
    if given.service_url:
        command += ["--service-url", given.service_url]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={"UV_HTTP_RETRIES": "1", **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, FOUND) and any(word in done.stderr for word in UNREACHABLE):
        print("audit: the advisory service could not be reached: nothing was asked, skipped.")
        return 0
    print(done.stdout, done.stderr, sep="", end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
