"""MCP Inspector's command line, from npm, speaks to us over both transports.

It is looked for in a folder of its own, as it is 300 MB and no part of this project.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from browser.surfaces.http.client import TOKEN
from browser.surfaces.mcp.host import serving_mcp
from platformdirs import user_cache_path
from support.needs import needs
from support.site import Site

FOLDER = user_cache_path("tabwarden-tests") / "inspector"
TOOLS = FOLDER / "node_modules/.bin"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"

pytestmark = needs("inspector")


def inspect(*arguments: str) -> dict[str, Any]:
    """The Inspector's output for one request; it must report no invalid schema."""
    done = subprocess.run(
        [TOOLS / "mcp-inspector", "--cli", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False,
        env={**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "errors" not in done.stderr or ": 0 errors" in done.stderr, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_mcp_inspector_lists_tools_and_schemas_over_stdio() -> None:
    command = str(Path(sys.executable).with_name("tabwarden"))
    tools = inspect(command, "mcp", "--structured", "full", "--method", "tools/list")["tools"]
    shown = {tool["name"]: tool for tool in tools}
    assert shown["browser_snapshot"]["annotations"]["readOnlyHint"] is True
    assert shown["browser_snapshot"]["outputSchema"]["type"] == "object"


def test_mcp_inspector_calls_a_tool_and_reads_a_resource_over_http(site: Site) -> None:
    url = site.page("/", "page", title="Inspected")
    with serving_mcp() as server:
        reach = (server.url, "--transport", "http", "--header", f"Authorization: Bearer {TOKEN}")
        navigate = ("--tool-name", "browser_navigate", "--tool-arg", f"url={url}")
        called = inspect(*reach, "--method", "tools/call", *navigate)
        assert called["structuredContent"]["title"] == "Inspected"
        assert called["content"][0]["text"].splitlines()[-1].startswith("[Browser: ")
        read = inspect(*reach, "--method", "resources/read", "--uri", "tabwarden://state")
        assert json.loads(read["contents"][0]["text"])["open"] is False, "another session's"
