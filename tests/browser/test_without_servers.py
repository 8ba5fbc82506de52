"""The library in an environment that has neither the MCP SDK nor a server, or an old SDK."""

from __future__ import annotations

import subprocess
import sys

ABSENT = (
    "import sys\nfor name in 'mcp mcp_types starlette uvicorn'.split(): sys.modules[name] = None\n"
)
DIALOG = """
from tabwarden.sync import Browser
with Browser.launch() as browser:
    browser.navigate("data:text/html,<title>t</title>")
    print(browser.evaluate("6 * 7"))
"""


def test_a_browser_works_without_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ABSENT + DIALOG], capture_output=True, text=True, timeout=60
    )
    assert "42" in done.stdout, done.stderr
