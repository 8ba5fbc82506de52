"""The door of the relay: connections that have not shown a ticket yet.

Without a limit, whoever reaches the port could use up the host's files with silent connections, and
no client would get in.
"""

from __future__ import annotations

import contextlib
import socket
from typing import Any

MOST_WAITING = 256
"""How many connections may wait without a ticket. One more ends the oldest."""


class Door(socket.socket):
    """A listening socket. It counts from ``accept`` on, before TLS, which a client may never
    begin."""

    _waiting: dict[Any, socket.socket]
    """By the client's address, the oldest first."""

    @classmethod
    def open(cls, address: str) -> Door:
        """Listen at any free port. Raise ``OSError`` if the address can't be used."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        door = cls(fileno=socket.create_server((address, 0), family=family).detach())
        door._waiting = {}
        return door

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection, as every socket does."""
        accepted, client = super().accept()
        self._waiting[client] = accepted
        if len(self._waiting) > MOST_WAITING:
            is_open = {who: one for who, one in self._waiting.items() if one.fileno() >= 0}
            self._waiting = is_open
            if len(is_open) > MOST_WAITING:
                with contextlib.suppress(OSError):  # the client has gone
                    is_open.pop(next(iter(is_open))).shutdown(socket.SHUT_RDWR)
        return accepted, client

    def admit(self, client: Any) -> None:
        """A client has shown its ticket: it waits no longer."""
        self._waiting.pop(client, None)
