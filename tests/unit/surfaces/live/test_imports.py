"""A daemon's imports before a viewer connects."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
import tabwarden.surfaces.daemon.server
print(*(name for name in ("uvicorn", "starlette") if name in sys.modules))
"""


def test_daemon_does_not_import_the_http_server_at_startup() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
