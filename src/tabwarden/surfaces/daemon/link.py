"""Link: a client's end of a connection to a daemon. Messages are JSON, one per line.

    client: {"token": ""}                       server: {"token", "build", "pid", "open", "options",
                                                "inbox"}
    client: {"op": "call", "tool", "arguments"} server: {"budget_ms"}, then {"answer"}
             (optional: "progress": true)       (between them {"progress"}, once per second)
    client: {"op": "control", "release"} or    server: {"answer"}
            {"op": "control", "id", "outcome"}
    client: {"op": "status"} or {"op": "stop"}  server: {"answer"}

Each connection carries one request. If a client closes its sending side, the daemon cancels the
call.
"""

from __future__ import annotations

import json
import socket
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from tabwarden.surfaces.daemon.doors import Door

    Message: TypeAlias = dict[str, Any]

_CHUNK = 1 << 18


class Link:
    """One connection to a daemon.

    Args:
        deadline: the time by which the daemon must answer, on the clock of ``time.monotonic()``.

    Raises:
        FileNotFoundError, ConnectionError: no daemon is running, or the daemon is ending.
        TimeoutError: a daemon is running but does not answer.
    """

    def __init__(self, door: Door, deadline: float) -> None:
        self._socket, token = door.knock(max(0.001, deadline - time.monotonic()))
        self._got = bytearray()
        try:
            ours, _, theirs = token.partition(".")
            self.send({"token": ours})
            hello = self.receive(deadline)
            if hello is None:
                raise ConnectionResetError("the daemon ended before it answered")
            if hello.pop("token", "") != theirs:
                raise ConnectionRefusedError("another program has the port of a daemon that ended")
        except BaseException:
            self.close()
            raise
        self.hello = hello

    def send(self, message: Message) -> None:
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, deadline: float) -> Message | None:
        """Return the next message; None if the daemon has closed the connection.

        Raises:
            TimeoutError: the deadline passed.
        """
        searched = 0
        while (end := self._got.find(b"\n", searched)) < 0:
            searched = len(self._got)
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise TimeoutError
            self._socket.settimeout(left_s)
            try:
                chunk = self._socket.recv(_CHUNK)
            except ConnectionError:
                return None
            if not chunk:
                return None
            self._got += chunk
        line = bytes(self._got[:end])
        del self._got[: end + 1]
        message: Message = json.loads(line)
        return message

    def give_up(self) -> None:
        """Cancel the call. The answer can still be received."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the daemon has already ended

    def wait_for_end(self, deadline: float) -> bool:
        """Wait until the daemon has ended. Return False if the deadline passes first."""
        try:
            while self.receive(deadline) is not None:
                pass
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self._socket.close()
