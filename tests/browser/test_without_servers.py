"""The library in an environment without the MCP SDK and a web server."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
for name in ("mcp", "mcp_types", "starlette", "uvicorn"):
    sys.modules[name] = None
from tabwarden.sync import Browser
with Browser.launch() as browser:
    browser.goto("data:text/html,<title>t</title>")
    print(browser.evaluate("6 * 7").value, browser.evaluate("confirm('Sure?')").status)
    browser.dialog("accept")
"""


def test_browser_works_without_the_mcp_sdk_and_web_server_packages() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.stdout.split() == ["42", "interrupted"], done.stderr
