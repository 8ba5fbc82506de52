"""A page shows secrets in every way: no byte that leaves Tabwarden, by any surface, has one.

What goes to the page itself is not judged: it must have them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.mirror import Exits, calls, configuration, mirror
from support.site import Site

pytestmark = pytest.mark.threat
PROGRAM = Path(sys.executable).with_name("tabwarden")


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    with mirror() as site:
        yield site


def refs_in(outline: str) -> dict[str, str]:
    """Return the refs in an outline by the names of their elements."""
    found = re.findall(r'^ *\S+ "?([^"\n\[]+?)"? .*?\[?ref=(e\d+)|\b(e\d+)', outline, re.M)
    return {name: ref for name, ref, _ in found if name}


class Stdio:
    """``tabwarden mcp``, and each byte that it writes."""

    def __init__(self, config: Path, exits: Exits) -> None:
        self.exits = exits
        words = ["mcp", "--config", str(config), "--tools", "full", "--structured", "full"]
        self.process = subprocess.Popen(
            [PROGRAM, *words, "--log-level", "DEBUG", "--log-format", "json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(config.parent / "stderr").open("wb"),
            env=os.environ,
        )
        self.number = 0
        about = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self.ask("initialize", **about, clientInfo={"name": "t", "version": "1"})
        self.send(method="notifications/initialized")

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, name: str = "", /, **params: Any) -> dict[str, Any]:
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.exits.add(f"mcp {name or method}", line)
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self.number:
                return answer
        raise AssertionError("it ended")

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        tool = f"browser_{name}"
        answer = self.ask("tools/call", f"{name} {arguments}", name=tool, arguments=arguments)
        return answer["result"]

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)


def test_mcp_over_stdio(shop: Site, tmp_path: Path) -> None:
    exits = Exits()
    config = configuration(shop, tmp_path)
    server = Stdio(config, exits)
    opened = server.call("navigate", url=f"{shop.here}/", snapshot="full")
    import time
    print(opened["content"][0]["text"])
    refs = {}
    for line in opened["content"][0]["text"].splitlines():
        m = re.search(r'^\W*(?:(e\d+)) \w+ "(\w+)"', line) or None
        if m: refs[m[2]] = m[1]
    print(refs)
    for name, arguments in calls(shop, __import__("collections").defaultdict(lambda: "e1", refs)):
        t = time.time()
        r = server.call(name, **{"timeout_ms": 4000, **arguments})
        print(round(time.time() - t, 2), name, r.get("isError") and r["content"][0]["text"][:300])
    for uri in ("tabwarden://state", "tabwarden://live"):
        server.ask("resources/read", uri=uri)
    server.end()
    exits.add("log", (tmp_path / "stderr").read_bytes())
    exits.add_files(tmp_path / "trace_dir")
    exits.add_files(tmp_path / "output_dir")
    exits.add_files(tmp_path / "record")
    leaks = exits.leaks()
    for k, v in leaks.items():
        print("LEAK", k, "::", v)
    assert not leaks
