"""A relay that injects faults into WebSocket connections, per message or per byte."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Coroutine
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from support.eventually import eventually
from support.faulty.faults import Fault, Passing
from support.faulty.message import Message, read
from support.relay import Relay

__all__ = ["FaultyRelay"]

_OVERTAKE_S = 0.3
"""How long a reply waits to be overtaken if no other reply arrives."""
_APART_S = 1e-6
"""Keeps messages with the same due time in order."""
_OWN_IDS = 1_500_000_000


class FaultyRelay(Relay):
    """A relay with faults in it. ``arm`` them; each befalls the messages that it is about.

    Args:
        port: the browser's debugging port.
    """

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.fired: list[tuple[Fault, Message]] = []
        """What has befallen what so far."""
        self._armed: list[tuple[Fault, int]] = []
        self._news = threading.Condition()
        self._lines: list[_Line] = []

    def arm(self, *faults: Fault) -> None:
        """Arm these faults in addition to the armed ones."""
        with self._news:
            self._armed += [(fault, fault.times) for fault in faults]

    def disarm(self) -> None:
        """Disarm all faults; delayed messages arrive when they are due."""
        with self._news:
            self._armed.clear()

    def wait_answered(self, method: str) -> None:
        """Block until the browser has answered every such command of the clients."""
        eventually(lambda: not any(method in line.asked.values() for line in self._lines))

    def wait_fired(self, times: int = 1, timeout_s: float = 20) -> None:
        """Block until this many faults have happened in total."""
        with self._news:
            arrived = self._news.wait_for(lambda: len(self.fired) >= times, timeout_s)
        assert arrived, f"{len(self.fired)} of {times} faults happened"

    def detach(self, session_id: str) -> None:
        """Close a session of the client, as if the client had requested it."""
        params = {"sessionId": session_id}

        async def detach() -> None:
            for line in list(self._lines):
                await line.ask("Target.detachFromTarget", params)

        self._do(detach())

    def befalls(self, message: Message) -> Fault | None:
        """Take the armed fault that applies to a message."""
        with self._news:
            for place, (fault, left) in enumerate(self._armed):
                if fault.concerns(message):
                    self._armed[place] = (fault, left - 1)
                    if left == 1:
                        del self._armed[place]
                    self.fired.append((fault, message))
                    self._news.notify_all()
                    return fault
        return None

    def _ways(
        self, client: ServerConnection, browser: ClientConnection
    ) -> tuple[Coroutine[Any, Any, None], ...]:
        line = _Line(self, client, browser, self._flowing)
        self._lines = [one for one in self._lines if one.is_open] + [line]
        return line.carry_up(), line.carry_down()


class _Line:
    """One client's connection: its messages in transit, in both directions."""

    def __init__(
        self,
        relay: FaultyRelay,
        client: ServerConnection,
        browser: ClientConnection,
        flowing: asyncio.Event,
    ) -> None:
        self.is_open = True
        self._relay = relay
        self._client = client
        self._browser = browser
        self._flowing = flowing
        self.asked: dict[int, str] = {}
        self._up = _Outbox(browser, flowing, mask=True)
        self._down = _Outbox(client, flowing, mask=False)
        self._overtaken: list[tuple[str | None, Passing]] = []

    async def carry_up(self) -> None:
        await self._carry(self._client, self._up, is_command=True)

    async def carry_down(self) -> None:
        await self._carry(self._browser, self._down, is_command=False)

    async def ask(self, method: str, params: dict[str, Any]) -> None:
        """Send the relay's own command; its reply is not forwarded."""
        number = _OWN_IDS + len(self.asked)
        command = json.dumps({"id": number, "method": method, "params": params})
        with contextlib.suppress(ConnectionClosed):
            await self._browser.send(command)

    async def _carry(self, source: Connection, outbox: _Outbox, *, is_command: bool) -> None:
        delivery = asyncio.create_task(outbox.deliver())
        delivery.add_done_callback(lambda _: source.transport.abort())
        try:
            async for frame in source:
                message = read(frame, self.asked, is_command=is_command)
                if is_command or message.id is None or message.id < _OWN_IDS:
                    self._pass(message, outbox)
        except ConnectionClosed:
            return
        finally:
            self.is_open = False
            delivery.cancel()
            await asyncio.gather(delivery, return_exceptions=True)

    def _pass(self, message: Message, outbox: _Outbox) -> None:
        if outbox is self._down and message.kind == "event" and self._holds(message.session_id):
            self._let_go()  # browsers keep the order within a session
        fault = self._relay.befalls(message)
        for passing in [Passing(message.text)] if fault is None else fault.befall(message):
            if passing.overtaken:
                self._overtaken.append((message.session_id, passing))
                asyncio.get_running_loop().call_later(_OVERTAKE_S, self._let_go)
            else:
                way = self._down if passing.back else outbox
                way.put(passing, message.session_id)
        if message.kind == "reply" and any(s != message.session_id for s, _ in self._overtaken):
            self._let_go()

    def _holds(self, session_id: str | None) -> bool:
        return any(held == session_id for held, _ in self._overtaken)

    def _let_go(self) -> None:
        overtaken, self._overtaken = self._overtaken, []
        for session_id, passing in overtaken:
            self._down.put(passing, session_id)


class _Outbox:
    """One direction: in order within a session, each message when it is due."""

    def __init__(self, sink: Connection, flowing: asyncio.Event, *, mask: bool) -> None:
        self._sink = sink
        self._flowing = flowing
        self._mask = mask
        self._due: asyncio.Queue[Passing] = asyncio.Queue()
        self._last: dict[str | None, float] = {}

    def put(self, passing: Passing, session_id: str | None) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        at = max(now + passing.after_s, self._last.get(session_id, 0.0) + _APART_S)
        self._last[session_id] = at
        if passing.after_s == 0.0 and at <= now + _APART_S:
            self._due.put_nowait(passing)
        else:
            loop.call_at(at, self._due.put_nowait, passing)

    async def deliver(self) -> None:
        while True:
            passing = await self._due.get()
            await self._flowing.wait()
            if passing.cut_at is None:
                await self._sink.send(passing.text, text=True)
                continue
            frame = Frame(Opcode.TEXT, passing.text).serialize(mask=self._mask)
            self._sink.transport.write(frame[: passing.cut_at % len(frame)])
            self._sink.transport.abort()
            return
