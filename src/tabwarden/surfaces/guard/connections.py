"""Connections that have not yet shown a token: how many there may be, and for how long.

Uvicorn waits without end for the rest of a request's head or body. So clients without a token could
use up all connections, and the operator would get none.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tabwarden.surfaces.guard.principal import is_admitted
from tabwarden.surfaces.guard.timing import REQUEST_S

MOST_WAITING = 256
"""How many connections of a server may wait for a request. One more ends the oldest."""


class Connection(H11Protocol):
    """Ends unless each request comes whole within ``REQUEST_S``, or shows a token in that time.

    Args:
        waiting: the connections of this server that owe a request, the oldest first.
    """

    def __init__(self, *args: Any, waiting: dict[Connection, None], **named: Any) -> None:
        super().__init__(*args, **named)
        self._waiting = waiting
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._owe()

    def data_received(self, data: bytes) -> None:
        self._owe()
        super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_idle:
            self._owe_nothing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._owe_nothing()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._owe_nothing()
        super().connection_lost(exc)

    @property
    def _is_admitted(self) -> bool:
        """Whether a request runs that showed a token."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and is_admitted(cycle.scope)

    @property
    def _is_idle(self) -> bool:
        """Whether the last request is answered and no other one has begun. Uvicorn ends it then."""
        is_answered = self.cycle is not None and self.cycle.response_complete
        is_between = self.conn.their_state in (h11.IDLE, h11.DONE)
        return is_answered and is_between and not self.conn.trailing_data[0]

    def _owe(self) -> None:
        if self._deadline is not None:
            return
        self._deadline = self.loop.call_later(REQUEST_S, self._late)
        self._waiting[self] = None
        if len(self._waiting) > MOST_WAITING:
            oldest = next((one for one in self._waiting if not one._is_admitted), self)
            oldest.transport.abort()

    def _owe_nothing(self) -> None:
        self._waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        self._owe_nothing()
        if not self._is_admitted and not self._is_idle:
            self.transport.abort()
