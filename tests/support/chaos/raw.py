"""A second client, for the view of a newly attached client."""

from __future__ import annotations

import itertools
import json
import urllib.request
from types import TracebackType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

__all__ = ["RawClient", "Refusal"]

_ANSWER_S = 5.0


class Refusal(Exception):
    """The browser returned an error or no reply."""


class RawClient:
    """A connection to the browser on ``port`` that uses none of our code except the socket."""

    def __init__(self, port: int) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version", timeout=10) as page:
            url = json.load(page)["webSocketDebuggerUrl"]
        self._socket = connect(url, max_size=None, compression=None, proxy=None, close_timeout=1)
        self._ids = itertools.count(1)

    def __enter__(self) -> RawClient:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._socket.close()

    def call(
        self, method: str, params: dict[str, Any] | None = None, session_id: str | None = None
    ) -> dict[str, Any]:
        """Send a command and wait a few seconds for its reply."""
        number = next(self._ids)
        command: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session_id is not None:
            command["sessionId"] = session_id
        try:
            self._socket.send(json.dumps(command))
            while (told := json.loads(self._socket.recv(timeout=_ANSWER_S))).get("id") != number:
                pass
        except TimeoutError:
            raise Refusal(f"{method}: no answer") from None
        except ConnectionClosed as closed:
            raise Refusal(f"{method}: the browser has closed the connection: {closed}") from None
        if "error" in told:
            raise Refusal(f"{method}: {told['error']['message']}")
        return dict(told["result"])

    def targets(self, *kinds: str) -> list[dict[str, Any]]:
        """The targets of these types."""
        every = [{"type": kind} for kind in kinds]
        return list(self.call("Target.getTargets", {"filter": every})["targetInfos"])
