"""What importing the API costs: nothing that only some endpoints need."""

from __future__ import annotations

import subprocess
import sys


def test_whoever_launches_a_browser_imports_no_client_of_the_network() -> None:
    code = "import sys, tabwarden.sync;print({'httpx2', 'websockets'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
