"""Talks to ``tabwarden mcp`` over its standard streams, with the standard library only.

It needs nothing from Tabwarden's environment, so that the package can be checked with only a
Python.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

START_S = 300.0
"""Time limit for ``initialize``, because uv may have to download the dependencies first."""
CALL_S = 60.0


class Failed(Exception):
    """The checked package has a fault, which the text describes."""


class Server:
    """A server as a process. ``with Server(...) as server:`` stops it at the end."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
        self._errors = (folder / "stderr.txt").open("w+")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            text=True, env=dict(env), cwd=folder,
        )  # fmt: skip
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._last = 0

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()  # the server ends with its host
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._errors.close()

    def initialize(self) -> dict[str, Any]:
        """Initialize the session. Return the server's information about itself."""
        who = {"name": "judge", "version": "1"}
        told = self.ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who},
            START_S,
        )
        self._send({"method": "notifications/initialized"})
        return told

    def ask(
        self, method: str, params: Mapping[str, Any] | None = None, within_s: float = CALL_S
    ) -> dict[str, Any]:
        """Send a request. Return its result.

        Raises:
            Failed: there was an error, or no answer in time. The text has the end of the server's
                output.
        """
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params or {}})
        while True:
            try:
                line = self._lines.get(timeout=within_s)
            except queue.Empty:
                raise Failed(f"{method}: no answer in {within_s:.0f} s: {self._words()}") from None
            if not line:
                raise Failed(f"{method}: the server has ended: {self._words()}")
            told = json.loads(line)
            if told.get("id") != self._last:
                continue
            if "error" in told:
                raise Failed(f"{method}: {told['error']}")
            result: dict[str, Any] = told["result"]
            return result

    def call(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """Call a tool. Return its answer's text, and whether the answer is an error."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        texts = [part["text"] for part in result["content"] if part["type"] == "text"]
        return "\n".join(texts), bool(result.get("isError"))

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"the server has ended: {self._words()}") from None

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def _words(self) -> str:
        self._errors.flush()
        return Path(self._errors.name).read_text("utf-8")[-500:].strip()
