"""The door of a daemon: a Unix socket; on Windows a port of loopback, with a token in a file."""

from __future__ import annotations

import json
import os
import socket
import sys
from abc import ABC, abstractmethod

__all__ = ["Door", "LoopbackDoor", "UnixDoor", "door_at"]


_BACKLOG = 64


class Door(ABC):
    """How clients reach the daemon of a session, and it them."""

    def __init__(self, path: str) -> None:
        self.path = path

    @abstractmethod
    def knock(self, timeout_s: float) -> tuple[socket.socket, str]:
        """Connect; the socket, and the token to show first.

        Raises:
            FileNotFoundError, ConnectionRefusedError: nobody is there.
            TimeoutError: somebody is, and has not answered.
        """

    @abstractmethod
    def listen(self) -> tuple[socket.socket, str]:
        """Open it: a listening socket, and the token that clients must show."""

    @abstractmethod
    def admits(self, peer: socket.socket) -> bool:
        """Whether who connected is this user."""

    def remove(self) -> None:
        """Take it away: who comes now starts another daemon."""
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            pass


class UnixDoor(Door):
    """A Unix socket of mode 0600. The peer's user is asked of the system too."""

    def knock(self, timeout_s: float) -> tuple[socket.socket, str]:
        """See ``Door.knock``."""
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(timeout_s)
        try:
            client.connect(self.path)
        except BlockingIOError:  # as many wait as may: it takes none of them
            client.close()
            raise TimeoutError from None
        except BaseException:
            client.close()
            raise
        return client, ""

    def listen(self) -> tuple[socket.socket, str]:
        """See ``Door.listen``. What a crashed daemon left there is replaced."""
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
        """See ``Door.admits``. Linux tells it by SO_PEERCRED (pid, uid, gid), macOS by
        LOCAL_PEERCRED (a version, then the uid)."""
        import struct

        if sys.platform == "linux":
            found = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            uid = struct.unpack("3i", found)[1]
        else:
            uid = struct.unpack_from("2I", peer.getsockopt(0, 1, 128))[1]
        return bool(uid == os.geteuid())


class LoopbackDoor(Door):
    """A port of loopback. Its number and a token are in a file that only this user can read."""

    def knock(self, timeout_s: float) -> tuple[socket.socket, str]:
        """See ``Door.knock``."""
        with open(self.path, encoding="utf-8") as file:
            where = json.load(file)
        return socket.create_connection(("127.0.0.1", where["port"]), timeout_s), where["token"]

    def listen(self) -> tuple[socket.socket, str]:
        """See ``Door.listen``."""
        import secrets

        token = secrets.token_urlsafe(32)
        server = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        fresh = f"{self.path}.new"
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            json.dump({"port": server.getsockname()[1], "token": token}, file)
        os.replace(fresh, self.path)
        return server, token

    def admits(self, peer: socket.socket) -> bool:
        """See ``Door.admits``: the token tells."""
        _ = peer
        return True


def door_at(path: str) -> Door:
    """The door that this system has."""
    return LoopbackDoor(path) if sys.platform == "win32" else UnixDoor(path)
