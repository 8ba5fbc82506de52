"""``PulsePort``: receives the pulses from the hosts' watchdogs for the coordinator.

Pulses are datagrams that bypass Ray, because a call over Ray takes seconds on an overloaded
machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from tabwarden.errors import EndpointUnreachable
from tabwarden.fleet.coordinating.store import Superseded
from tabwarden.fleet.watchdog import LONGEST

_AT_ONCE = 50
"""How many datagrams to read before doing other work, even if they are not from a host. Reading
them takes some milliseconds.
"""
_ALL = 1_000
"""By default, Linux buffers fewer datagrams than this for a port."""


class PulsePort:
    """A UDP port on the running event loop.

    Args:
        take: called with each datagram; returns an awaitable for the reply, or None.
    """

    def __init__(self, address: str, take: Callable[[bytes], Awaitable[bytes] | None]) -> None:
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._answering: set[asyncio.Task[None]] = set()
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        try:
            self._socket.bind((address, 0))
        except OSError:
            self._socket.close()
            raise
        self.address = f"{address}:{self._socket.getsockname()[1]}"
        """``IP:PORT``."""
        self._loop.add_reader(self._socket, self._read, _AT_ONCE)

    def read(self) -> None:
        """Process all datagrams that have arrived."""
        self._read(_ALL)

    def _read(self, most: int) -> None:
        with contextlib.suppress(OSError):  # no more datagrams, or a closed sender
            for _ in range(most):
                data, sender = self._socket.recvfrom(LONGEST)
                taken = self._take(data)
                if taken is not None:
                    task = self._loop.create_task(self._answer(taken, sender))
                    self._answering.add(task)
                    task.add_done_callback(self._answering.discard)

    def close(self) -> None:
        """Stop listening. Safe to call twice."""
        self._loop.remove_reader(self._socket)
        self._socket.close()

    async def _answer(self, taken: Awaitable[bytes], sender: Any) -> None:
        with contextlib.suppress(
            OSError, EndpointUnreachable, Superseded
        ):  # then no address is correct
            self._socket.sendto(await taken, sender)
