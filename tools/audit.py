"""Check every package in uv.lock, also development packages, for known vulnerabilities: ``make
audit``.

``uv audit`` asks OSV, which has PyPI's advisories. Findings fail the check. If the service can't be
reached, the check prints this and passes, because machines without the service must be able to
build.
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
    """Run the audit. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", default=os.environ.get("UV", "uv"), help="uv's program")
    parser.add_argument("--service-url", help="another OSV service")
    options = parser.parse_args()
    command = [options.uv, "audit", "--frozen", "--preview-features", _PREVIEW]
    if options.service_url:
        command += ["--service-url", options.service_url]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={"UV_HTTP_RETRIES": "1", **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, FOUND) and any(word in done.stderr for word in UNREACHABLE):
        print("audit: skipped, because the advisory service could not be reached.")
        return 0
    print(done.stdout, done.stderr, sep="", end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
