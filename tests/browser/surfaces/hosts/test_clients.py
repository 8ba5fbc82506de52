"""Hosts' own programs, from npm, start us after ``tabwarden mcp --setup HOST --write``.

They are looked for in folders of their own, as each is 100 to 400 MB and no part of this project.
``make judge-hosts`` installs them first. They run with an empty home and without an account.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from platformdirs import user_cache_path
from support.needs import lack

PROGRAM = Path(sys.executable).with_name("tabwarden")
FOLDER = user_cache_path("tabwarden-tests") / "hosts"
MODULES = FOLDER / "node_modules"
PACKAGES = {
    "claude-code": "@anthropic-ai/claude-code@2.1.332",
    "codex": "@openai/codex@0.171.0",
    "gemini-cli": "@google/gemini-cli@0.61.0",
    "opencode": "opencode-ai@1.18.33",
}
PROGRAMS = {
    "claude-code": "@anthropic-ai/claude-code-linux-x64/claude",
    "codex": "@openai/codex/bin/codex.js",
    "gemini-cli": "@google/gemini-cli/bundle/gemini.js",
    "opencode": "opencode-linux-x64/bin/opencode",
}

# They start node or a large program, and gemini gives a server 5 s: no other tests run meanwhile.
pytestmark = pytest.mark.calm


class Home:
    """A home folder that contains only one host's settings."""

    def __init__(self, host: str, folder: Path) -> None:
        self.program = MODULES / PROGRAMS[host]
        if not self.program.exists():
            lack("hosts", PACKAGES[host])
        keep = {"PATH": os.environ["PATH"], "TERM": "dumb", "LANG": "C.UTF-8"}
        self.env = {**keep, "HOME": str(folder), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        self.folder = folder
        setting_up = [PROGRAM, "mcp", "--setup", host, "--write", "--tools", "storage"]
        subprocess.run(setting_up, env=self.env, check=True, timeout=60, capture_output=True)

    def run(self, *words: str, said: str | None = None) -> str:
        """The output of the host's program."""
        node = ["node"] if self.program.suffix == ".js" else []
        done = subprocess.run(
            [*node, self.program, *words], input=said, capture_output=True, text=True,
            timeout=100, check=False, env=self.env, cwd=self.folder,
            stdin=subprocess.DEVNULL if said is None else None,
        )  # fmt: skip
        return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("host", "says"),
    [("claude-code", "Connected"), ("gemini-cli", "- Connected"), ("opencode", "connected")],
)
def test_mcp_host_lists_tabwarden_as_connected(host: str, says: str, tmp_path: Path) -> None:
    home = Home(host, tmp_path)
    told = home.run("mcp", "list")
    first = next((line for line in told.splitlines() if "tabwarden" in line), "")
    assert str(PROGRAM) in told
    if host == "gemini-cli" and "Disconnected" in first:
        lack("fast-machine", "gemini gives a server 5 s to start")
    assert says in first


def test_codex_lists_the_browser_tools(tmp_path: Path) -> None:
    home = Home("codex", tmp_path)
    assert {"browser_navigate", "browser_cookies"} <= {*ask_codex(home)}


def ask_codex(home: Home) -> dict[str, Any]:
    """The tools that Codex' app server received from us."""
    me = {"clientInfo": {"name": "test", "version": "1"}}
    with subprocess.Popen(
        ["node", home.program, "app-server"], env=home.env, cwd=home.folder, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as codex:  # fmt: skip
        assert codex.stdin is not None
        assert codex.stdout is not None
        for number, method, params in ((1, "initialize", me), (2, "mcpServerStatus/list", {})):
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            codex.stdin.write(json.dumps(asked) + "\n")
            codex.stdin.flush()
            lines = map(json.loads, codex.stdout)
            told = next(line for line in lines if line.get("id") == number)
        codex.terminate()
    (server,) = told["result"]["data"]
    tools: dict[str, Any] = server["tools"]
    return tools
