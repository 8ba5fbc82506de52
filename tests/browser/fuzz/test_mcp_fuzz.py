"""The MCP server answers or ignores any client input, and keeps running."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from browser.surfaces.http.client import TOKEN
from browser.surfaces.mcp.host import serving_mcp
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.hostile_text import HOSTILE

METHODS = [
    "ping", "tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe",
    "resources/unsubscribe", "prompts/list", "logging/setLevel", "completion/complete",
    "notifications/initialized", "notifications/cancelled", "notifications/progress", "nope", "",
]  # fmt: skip
FIELDS = ["name", "arguments", "uri", "requestId", "progressToken", "_meta", "level", "cursor", "x"]
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 9) | st.just(10**40),
        HOSTILE,
        st.sampled_from(["browser_tabs", "browser_nope", "browser_snapshot", "tabwarden://state"]),
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)
    ),
    max_leaves=5,
)
PARAMS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=3)
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "fuzz", "version": "1"},
}


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """One line of valid, nearly valid or invalid JSON-RPC."""
    about: dict[str, Any] = {"jsonrpc": "2.0", "method": draw(st.sampled_from(METHODS))}
    about["id"] = draw(st.sampled_from([7, "7", None, 1.5, [], {}, -1, True, 10**40]))
    if draw(st.booleans()):
        about["params"] = draw(PARAMS | VALUES)
    for gone in draw(st.sets(st.sampled_from(["jsonrpc", "method", "id"]), max_size=2)):
        del about[gone]
    about |= draw(st.dictionaries(st.sampled_from(["jsonrpc", "result", "error", "id"]), VALUES))
    said = json.dumps(draw(st.sampled_from([about, about, [about, about]])))
    line = said.encode()
    match draw(st.sampled_from(["whole", "whole", "cut", "bytes", "deep", "long", "two"])):
        case "cut":
            line = line[: draw(st.integers(0, len(line)))]
        case "bytes":
            line = draw(st.binary(max_size=40)) + line
        case "deep":
            line = b'{"a":' * 30_000
        case "long":
            line = line + b" " * 3_000_000
        case "two":
            line = line + line
    return line.replace(b"\n", b" ").replace(b"\r", b" ")


class Line:
    """``tabwarden mcp`` over raw bytes on its standard input and output."""

    def __init__(self) -> None:
        command = [str(Path(sys.executable).with_name("tabwarden")), "mcp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._said: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._pings = 0
        self.ask("initialize", HELLO)
        self.say(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put(b"")

    def say(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request that succeeds, and check all earlier output on the way."""
        self._pings += 1
        wanted = f"ask-{self._pings}"
        self.say(json.dumps({"jsonrpc": "2.0", "id": wanted, "method": method, "params": params})
                 .encode())  # fmt: skip
        while True:
            line = self._said.get(timeout=200)
            assert line, f"it ended with {self.process.wait(5)}"
            told: dict[str, Any] = json.loads(line)
            assert told["jsonrpc"] == "2.0"
            if told.get("id") == wanted:
                assert "result" in told, told
                return told

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            assert self.process.wait(60) == 0
        finally:
            self._reader.join(10)
            self.process.stdout.close()


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.close()


@pytest.mark.timeout(600)
@searched(40, slow=True)
@given(said=st.lists(messages(), min_size=1, max_size=4))
@pytest.mark.long
def test_mcp_server_survives_any_input_on_stdin(line: Line, said: list[bytes]) -> None:
    for one in said:
        line.say(one)
    answer = line.ask("tools/call", {"name": "browser_tabs", "arguments": {"mode": "nope"}})
    assert answer["result"]["isError"]
    assert "mode" in answer["result"]["content"][0]["text"]


@pytest.fixture(scope="module")
def http() -> Iterator[httpx2.Client]:
    with serving_mcp() as server:
        shown = {
            "Authorization": f"Bearer {TOKEN}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        with httpx2.Client(
            base_url=server.url.removesuffix("/mcp"), headers=shown, timeout=60, trust_env=False
        ) as client:
            yield client


@pytest.mark.timeout(600)
@searched(30, slow=True)
@given(body=messages(), method=st.sampled_from(["POST", "POST", "POST", "PUT", "DELETE"]),
       session=st.none() | st.sampled_from(["x", "0" * 32, "é"]))  # fmt: skip
@pytest.mark.long
def test_mcp_server_survives_any_http_request(
    http: httpx2.Client, body: bytes, method: str, session: str | None
) -> None:
    headers = {} if session is None else {"Mcp-Session-Id": session.encode()}
    answer = http.request(method, "/mcp", content=body, headers=headers)
    assert answer.status_code < 500, answer.text
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    begun = http.post("/mcp", json=hello)
    assert begun.status_code == 200
    http.delete("/mcp", headers={"Mcp-Session-Id": begun.headers["mcp-session-id"]})
    bare = http.request(method, "/mcp", content=body, headers={"Authorization": "Bearer no"})
    assert bare.status_code == 401
