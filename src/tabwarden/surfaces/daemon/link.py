"""Link, a client's connection to a daemon, and Door, the address at which clients connect.

The door is a Unix socket or, on Windows, a loopback port with a token in a file. Messages are JSON,
one per line:

    client: {"token": ""}                       server: {"token", "build", "pid", "open", "options",
                                                "inbox"}
             (optional: "build", "session",     or {"budget_ms"}, then a line STATUS STREAM LENGTH,
             "words": see cli/warm.py)          then the bytes for stdout (1) or stderr (2)
    client: {"op": "call", "tool", "arguments"} server: {"budget_ms"}, then {"answer"}
             (optional: "progress": true)       (between them {"progress"}, once per second)
    client: {"op": "control", "release"} or    server: {"answer"}
            {"op": "control", "id", "outcome"}
    client: {"op": "status"}, {"op": "live"} or  server: {"answer"}
            {"op": "stop"}

Each connection carries one request. If a client closes its sending side, the daemon cancels the
call.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from abc import ABC, abstractmethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Message: TypeAlias = dict[str, Any]

_BACKLOG = 64


class Door(ABC):
    """The address at which clients connect to a session's daemon."""

    def __init__(self, path: str) -> None:
        self.path = path

    @abstractmethod
    def knock(self, timeout_s: float) -> tuple[socket.socket, str]:
        """Connect to the daemon. Return the socket and the token. The token has two halves,
        separated by a dot. The client sends the first half. The daemon replies with the second
        half.

        Raises:
            FileNotFoundError, ConnectionRefusedError: no daemon is listening.
            TimeoutError: a process is listening but is not responding.
        """

    @abstractmethod
    def listen(self) -> tuple[socket.socket, str]:
        """Return a listening socket and the token; see ``knock``."""

    @abstractmethod
    def admits(self, peer: socket.socket) -> bool:
        """Whether the connected client is a process of this user."""

    def remove(self) -> None:
        """Remove the door, so that the next client starts a new daemon."""
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            pass


class UnixDoor(Door):
    """A Unix socket with mode 0600. The system also reports the peer's user."""

    def knock(self, timeout_s: float) -> tuple[socket.socket, str]:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(timeout_s)
        try:
            client.connect(self.path)
        except BlockingIOError:  # the daemon's queue of connections is full
            client.close()
            raise TimeoutError from None
        except BaseException:
            client.close()
            raise
        return client, ""

    def listen(self) -> tuple[socket.socket, str]:
        """See ``Door.listen``. Replaces the socket that a crashed daemon left."""
        self.remove()
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            server.bind(self.path)
        finally:
            os.umask(before)
        server.listen(_BACKLOG)
        return server, ""

    def admits(self, peer: socket.socket) -> bool:
        import struct

        if sys.platform == "linux":  # (pid, uid, gid)
            found = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            uid = struct.unpack("3i", found)[1]
        else:  # LOCAL_PEERCRED: (version, uid, ...)
            uid = struct.unpack_from("2I", peer.getsockopt(0, 1, 128))[1]
        return bool(uid == os.geteuid())


class LoopbackDoor(Door):
    """A loopback port. The port number and a token are in a file that only this user can read.

    Each side sends one half of the token, because another program could listen on the port of a
    killed daemon.
    """

    def knock(self, timeout_s: float) -> tuple[socket.socket, str]:
        with open(self.path, encoding="utf-8") as file:
            where = json.load(file)
        return socket.create_connection(("127.0.0.1", where["port"]), timeout_s), where["token"]

    def listen(self) -> tuple[socket.socket, str]:
        import secrets

        token = f"{secrets.token_urlsafe(32)}.{secrets.token_urlsafe(32)}"
        server = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        fresh = f"{self.path}.new"
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            json.dump({"port": server.getsockname()[1], "token": token}, file)
        os.replace(fresh, self.path)
        return server, token

    def admits(self, peer: socket.socket) -> bool:
        """Return True, because only this user can read the token."""
        _ = peer
        return True


def door_at(path: str) -> Door:
    return LoopbackDoor(path) if sys.platform == "win32" else UnixDoor(path)


_CHUNK = 1 << 18


class Link:
    """One connection to a daemon.

    Args:
        deadline: the time by which the daemon must respond, on the clock of ``time.monotonic()``.

    Raises:
        FileNotFoundError, ConnectionError: no daemon is running, or the daemon is exiting.
        TimeoutError: a daemon is running but is not responding.
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
                raise ConnectionRefusedError(
                    "another program is using the port of a daemon that ended"
                )
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
        """Cancel the call. The response can still be received."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the daemon has already exited

    def wait_for_end(self, deadline: float) -> bool:
        """Wait until the daemon has exited. Return False if the deadline passes first."""
        try:
            while self.receive(deadline) is not None:
                pass
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self._socket.close()
