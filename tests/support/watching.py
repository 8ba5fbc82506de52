"""A live view in this process, with agents' browsers on their own loop, and viewers."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

from websockets.sync.client import ClientConnection, connect

from support.eventually import eventually
from tabwarden.browser import Browser
from tabwarden.surfaces.live.app import OwnServer
from tabwarden.surfaces.live.live import Live, Scope
from tabwarden.surfaces.live.registry import Server
from tabwarden.surfaces.live.viewer import packed, unpacked
from tabwarden.sync import Browser as SyncBrowser

__all__ = ["Agents", "RawViewer", "Watched", "open_view"]

T = TypeVar("T")


class Agents:
    """A loop in a thread, like a server's, and an agent's browser on it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.browser: Browser = self.call(_launched())

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        return self.begin(work).result(60)

    def close(self) -> None:
        self.call(self.browser.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


async def _launched() -> Browser:
    return await Browser.launch()


class _Session:
    """The parts of a session that the live view uses."""

    def __init__(self, browser: Browser) -> None:
        self.current: Browser | None = browser


class Watched:
    """A live view that serves during the block."""

    def __init__(
        self,
        agents: Agents,
        tasks: dict[str, Browser] | None = None,
        others: Callable[[], Awaitable[list[Server]]] | None = None,
    ) -> None:
        self.agents = agents
        self.tasks: dict[str, Any] = {
            name: _Session(browser)
            for name, browser in (tasks or {"agent": agents.browser}).items()
        }
        self.live = Live("these tests", lambda: dict(self.tasks), others or _nobody)
        self._server = OwnServer(self.live)

    def __enter__(self) -> Watched:
        self.url = self.agents.call(self._server.start())
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.agents.call(self._server.stop())

    def link(self, **scope: Any) -> str:
        return self.live.link(Scope(**{"name": "Ann", **scope}))


async def _nobody() -> list[Server]:
    return []


def open_view(viewer: SyncBrowser, link: str) -> None:
    """Open a link in a viewer's browser, and wait until the page shows a task."""
    viewer.goto(link)
    eventually(lambda: viewer.evaluate("document.querySelectorAll('canvas').length").value)


class RawViewer:
    """A program that acts as a viewer: it reads the socket's messages one by one."""

    def __init__(self, watched: Watched, **hello: Any) -> None:
        self.pictures = 0
        self.last_size = 0
        self._socket: ClientConnection = connect(
            f"{watched.url.replace('http', 'ws')}/live/socket",
            additional_headers={"Authorization": f"Bearer {watched.live.key}"},
            compression=None,
            proxy=None,
        )
        self.send({"type": "hello", **hello})

    def send(self, message: dict[str, Any]) -> None:
        self._socket.send(json.dumps(message))

    def send_raw(self, message: str | bytes) -> None:
        self._socket.send(message)

    def send_part(self, about: dict[str, Any], data: bytes) -> None:
        self._socket.send(packed(about, data))

    def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until a message fits, and return it."""
        while True:
            message = self._socket.recv(60)
            if isinstance(message, bytes):
                self.pictures += 1
                self.last_size = len(message)
                told, _ = unpacked(message)
            else:
                told = json.loads(message)
            if fits(told):
                return told

    def rest(self, for_s: float) -> None:
        """Read the remaining messages, until none has arrived for this long."""
        try:
            while True:
                self.pictures += isinstance(self._socket.recv(for_s), bytes)
        except TimeoutError:
            pass

    def close(self) -> None:
        self._socket.close()
