"""A host that writes raw messages, for behavior that no well-behaved client has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Server:
    """``tabwarden mcp`` over raw input, for behavior that no well-behaved client has."""

    def __init__(self, *arguments: str, handshake: bool = True, **variables: str) -> None:
        command = [str(Path(sys.executable).with_name("tabwarden")), "mcp", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
        )
        self._last_id = 0
        if handshake:
            self.ask("initialize", HELLO)
            self.say("notifications/initialized", {})

    def say(self, method: str, params: dict[str, Any], **more: Any) -> None:
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def begin(self, tool: str, **arguments: Any) -> int:
        self._last_id += 1
        self.say("tools/call", {"name": tool, "arguments": arguments}, id=self._last_id)
        return self._last_id

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._last_id += 1
        self.say(method, params, id=self._last_id)
        return self.answer(self._last_id)

    def answer(self, request_id: object) -> dict[str, Any]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            told: dict[str, Any] = json.loads(line)
            if told.get("id") == request_id:
                return told
        raise AssertionError("the server ended")

    def until(self, request_id: object) -> list[dict[str, Any]]:
        """Return the messages up to the answer of a request."""
        assert self.process.stdout is not None
        heard: list[dict[str, Any]] = []
        while not heard or heard[-1].get("id") != request_id or "method" in heard[-1]:
            heard.append(json.loads(self.process.stdout.readline()))
        return heard

    def hang_up(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def ended(self) -> int:
        return self.process.wait(20)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.__exit__(None, None, None)
