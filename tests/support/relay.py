"""A CDP relay in front of a real browser: slow, stalled, broken or interfering."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import threading
import urllib.request
from collections.abc import Awaitable, Callable, Coroutine
from http import HTTPStatus
from types import TracebackType
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

__all__ = ["Relay"]

T = TypeVar("T")
Frame = str | bytes
Kept = Callable[[Frame], Awaitable[bool]]
"""Whether the relay keeps a frame to itself."""

_FIRST_OWN_ID = 1_000_000_000
"""The first command ID of the relay, which no client reaches."""


class Relay:
    """Stands at ``url`` for the browser on ``port``; its methods may be called from any thread.

    Args:
        port: the browser's debugging port.
        delay_ms: added to each frame each way, drawn from this range; order is kept.
        dismisses: answers every native dialog with "no" itself, before the client can, who sees
            the events all the same.
    """

    def __init__(
        self, port: int, *, delay_ms: tuple[float, float] = (0, 0), dismisses: bool = False
    ) -> None:
        self.connections = 0
        """How many clients were let in so far."""
        self.dismissed = 0
        """How many dialogs the relay answered."""
        self._browser = f"127.0.0.1:{port}"
        self._delay_ms = delay_ms
        self._dismisses = dismisses
        self._own_ids = itertools.count(_FIRST_OWN_ID)
        self._clients: list[ServerConnection] = []
        self._servers: list[Server] = []
        self._allowing: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        """The address to connect to."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Relay:
        self._thread.start()
        self._do(self._listen())
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # -- faults ------------------------------------------------------------------------------

    def cut(self) -> None:
        """Disconnect all clients at once, without a close handshake; accept new connections."""

        async def cut() -> None:
            for client in list(self._clients):
                client.transport.abort()

        self._do(cut())

    def cut_first(self) -> None:
        """Disconnect the first client, like a proxy that closes an old connection."""

        async def cut() -> None:
            self._clients[0].transport.abort()

        self._do(cut())

    def cut_last(self) -> None:
        """Disconnect the last client."""

        async def cut() -> None:
            self._clients[-1].transport.abort()

        self._do(cut())

    def refuse(self, seconds: float | None = None) -> None:
        """Reject new connections for this long or until ``allow``; open ones continue."""

        async def refuse() -> None:
            self._servers[-1].close(close_connections=False)
            if seconds is not None:
                again = self._loop.create_task
                self._allowing = self._loop.call_later(seconds, lambda: again(self._listen()))

        self._do(refuse())

    def allow(self) -> None:
        """Accept connections again."""
        self._do(self._listen())

    def stall(self) -> None:
        """Forward nothing more in either direction, and keep all sockets open."""
        self._loop.call_soon_threadsafe(self._flowing.clear)

    def flow(self) -> None:
        """End a stall: delayed frames arrive in order."""
        self._loop.call_soon_threadsafe(self._flowing.set)

    # -- listening ---------------------------------------------------------------------------

    async def _listen(self) -> None:
        if self._allowing is not None:
            self._allowing.cancel()
        if self._servers and self._servers[-1].is_serving():
            return
        server = await serve(
            self._serve, "127.0.0.1", self.port, process_request=self._tell,
            compression=None, max_size=None, ping_interval=None, close_timeout=1,
        )  # fmt: skip
        self._servers.append(server)
        self.port = server.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        if self._allowing is not None:
            self._allowing.cancel()
        self._servers[-1].close(close_connections=False)
        for client in list(self._clients):
            client.transport.abort()
        for server in self._servers:
            await server.wait_closed()

    async def _tell(self, client: ServerConnection, request: Request) -> Response | None:
        """The response to a plain HTTP request: the browser's own, with the relay's address."""
        if "Upgrade" in request.headers:
            return None
        page = await asyncio.to_thread(self._ask_browser, request.path)
        response = client.respond(HTTPStatus.OK, page.replace(self._browser, self.url[7:]))
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        return response

    def _ask_browser(self, path: str) -> str:
        with urllib.request.urlopen(f"http://{self._browser}{path}") as answer:
            return str(answer.read().decode())

    # -- forwarding --------------------------------------------------------------------------

    async def _serve(self, client: ServerConnection) -> None:
        self.connections += 1
        self._clients.append(client)
        path = client.request.path if client.request is not None else "/"
        upstream = f"ws://{self._browser}{path}"
        try:
            async with connect(
                upstream, compression=None, max_size=None, ping_interval=None,
                close_timeout=1, proxy=None,
            ) as browser:  # fmt: skip
                tasks = [self._loop.create_task(way) for way in self._ways(client, browser)]
                # When one side disconnects, the other is closed too.
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._clients.remove(client)
            client.transport.abort()

    def _ways(
        self, client: ServerConnection, browser: ClientConnection
    ) -> tuple[Coroutine[Any, Any, None], ...]:
        """Forwards frames between the two until one disconnects."""
        return (
            self._forward(client, browser, self._keep_none),
            self._forward(browser, client, lambda frame: self._meddle(browser, frame)),
        )

    async def _forward(self, source: Connection, sink: Connection, kept: Kept) -> None:
        """Forward frames in one direction, each after its delay and in order."""
        underway: asyncio.Queue[tuple[float, Frame]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, frame = await underway.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                await self._flowing.wait()
                await sink.send(frame)

        delivery = self._loop.create_task(deliver())
        delivery.add_done_callback(lambda _: source.transport.abort())
        try:
            async for frame in source:
                if not await kept(frame):
                    delay = random.uniform(*self._delay_ms) / 1000
                    underway.put_nowait((self._loop.time() + delay, frame))
        except ConnectionClosed:
            return
        finally:
            delivery.cancel()
            await asyncio.gather(delivery, return_exceptions=True)

    async def _keep_none(self, _: Frame) -> bool:
        return False

    async def _meddle(self, browser: ClientConnection, frame: Frame) -> bool:
        """Dismiss the dialog that the frame reports; return True for replies to the relay."""
        if not self._dismisses:
            return False
        told: dict[str, Any] = json.loads(frame)
        if told.get("id", 0) >= _FIRST_OWN_ID:
            return True
        if told.get("method") == "Page.javascriptDialogOpening":
            self.dismissed += 1
            no = {
                "id": next(self._own_ids), "method": "Page.handleJavaScriptDialog",
                "params": {"accept": False}, "sessionId": told.get("sessionId"),
            }  # fmt: skip
            await browser.send(json.dumps(no))
        return False

    def _do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(60)
