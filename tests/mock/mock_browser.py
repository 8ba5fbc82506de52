"""A mock browser: it speaks enough CDP to be supervised, and misbehaves on demand.

For what real Chromium can't be made to show: replies that never come, come twice or for nobody,
events in the wrong order, a socket that dies in the middle of a call. Everything that a real
browser can show is tested with one (``tests/browser``).
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.protocol import State

__all__ = ["MockBrowser", "Received", "Refused"]

Answer = Callable[["Received"], Any]


NEVER: dict[str, Any] = {"never": "answered"}
"""Returned by one of ``MockBrowser.answers``: this command gets no reply."""


class Refused(Exception):
    """Raised by an answer: the command gets an error reply."""


@dataclass(frozen=True)
class Received:
    """A received command."""

    id: int
    method: str
    params: dict[str, Any]
    session_id: str | None


@dataclass
class Tab:
    """A page target: its id is ``T1``, its session ``S1``, and so on."""

    number: int
    url: str = "about:blank"
    dialog: dict[str, Any] | None = None
    loads: int = 0
    context: str = "DEFAULT-CONTEXT"

    @property
    def target_id(self) -> str:
        return f"T{self.number}"

    @property
    def session_id(self) -> str:
        return f"S{self.number}"

    def info(self) -> dict[str, Any]:
        return {
            "targetId": self.target_id, "type": "page", "title": f"Tab {self.number}",
            "url": self.url, "attached": True, "canAccessOpener": False,
            "browserContextId": self.context,
        }  # fmt: skip

    def frame(self) -> dict[str, Any]:
        return {
            "id": self.target_id, "loaderId": f"L{self.loads}", "url": self.url,
            "domainAndRegistry": "", "securityOrigin": self.url, "mimeType": "text/html",
            "secureContextType": "Secure", "crossOriginIsolatedContextType": "NotIsolated",
            "gatedAPIFeatures": [],
        }  # fmt: skip


@dataclass
class MockBrowser:
    """``with MockBrowser(tabs=2) as browser: Browser.connect(browser.url)``."""

    tabs: int = 1
    silent: set[str] = field(default_factory=set)
    """Commands without a reply: a method, or ``"S2 Page.enable"`` for one session."""
    answers: dict[str, Answer] = field(default_factory=dict)
    """Methods with a custom reply."""
    untold: set[str] = field(default_factory=set)
    """Methods whose events are not sent."""
    flood: int = 0
    """The number of console events of the first page before each of the browser's own replies."""
    isolates: bool = False
    """Whether isolated worlds are created on request."""
    received: list[Received] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self.pages = {n: Tab(n) for n in range(1, self.tabs + 1)}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: Server | None = None
        self._peer: ServerConnection | None = None
        self._news = threading.Condition()

    # -- controls for tests -------------------------------------------------------------------

    def event(self, method: str, params: dict[str, Any], session_id: str | None = None) -> None:
        """Send an event."""
        self.send(_message(method=method, params=params, session_id=session_id))

    def send(self, message: str | bytes) -> None:
        """Send any message."""
        self._run(self._send(message))

    def drop(self) -> None:
        """Cut the connection, without a closing handshake."""
        assert self._peer is not None
        self._loop.call_soon_threadsafe(self._peer.transport.abort)

    def open_dialog(self, tab: int, kind: str = "confirm", message: str = "Sure?") -> None:
        """A page calls ``confirm()``."""
        page = self.pages[tab]
        page.dialog = {
            "url": page.url, "frameId": page.target_id, "message": message, "type": kind,
            "hasBrowserHandler": False, "defaultPrompt": "",
        }  # fmt: skip
        self.event("Page.javascriptDialogOpening", page.dialog, page.session_id)

    def close_dialog(self, tab: int, *, accepted: bool = False) -> None:
        """Another client answers a dialog."""
        page = self.pages[tab]
        page.dialog = None
        told = {"frameId": page.target_id, "result": accepted, "userInput": ""}
        self.event("Page.javascriptDialogClosed", told, page.session_id)

    def wait_for(self, method: str, times: int = 1) -> Received:
        """Block until a command has arrived this many times; return the last one."""
        with self._news:
            arrived: list[Received] = []

            def enough() -> bool:
                arrived[:] = [one for one in self.received if one.method == method]
                return len(arrived) >= times

            assert self._news.wait_for(enough, 60), f"{method} did not come {times} times"
            return arrived[-1]

    @property
    def url(self) -> str:
        """Its WebSocket address."""
        assert self._server is not None
        port = next(iter(self._server.sockets)).getsockname()[1]
        return f"ws://127.0.0.1:{port}/devtools/browser/mock"

    # -- lifecycle ----------------------------------------------------------------------------

    def __enter__(self) -> MockBrowser:
        self._thread.start()
        self._server = self._run(self._listen())
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> Server:
        return await serve(
            self._serve,
            "127.0.0.1",
            0,
            max_size=None,
            compression=None,
            process_request=self._admit,
        )

    def _admit(self, peer: ServerConnection, request: Request) -> Response | None:
        """Allow one client at a time, like some providers; Tabwarden then opens no guard."""
        _ = request
        if self._peer is not None and self._peer.state is State.OPEN:
            return peer.respond(503, "one client at a time")
        return None

    async def _stop(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    def _run(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(60)

    # -- CDP ----------------------------------------------------------------------------------

    async def _serve(self, peer: ServerConnection) -> None:
        self._peer = peer
        self.connections += 1
        async for text in peer:
            told = json.loads(text)
            command = Received(
                told["id"], told["method"], told.get("params", {}), told.get("sessionId")
            )
            await self._answer(command)
            with self._news:
                self.received.append(command)
                self._news.notify_all()

    async def _answer(self, command: Received) -> None:
        # A renderer that runs none of our scripts runs none at all.
        method = command.method.replace("Runtime.callFunctionOn", "Runtime.evaluate")
        if {method, f"{command.session_id} {method}"} & self.silent:
            return
        answer = self.answers.get(command.method, self._usual)
        try:
            result = answer(command)
        except Refused as refused:
            error = {"code": -32000, "message": str(refused)}
            await self._send(_message(id=command.id, error=error, session_id=command.session_id))
            return
        if result is NEVER:
            return
        for event in self._events_before(command):
            await self._send(event)
        await self._send(_message(id=command.id, result=result, session_id=command.session_id))

    async def _send(self, message: str | bytes) -> None:
        assert self._peer is not None
        await self._peer.send(message)

    def _loaded_pages(self) -> list[str]:
        return [page.session_id for page in self.pages.values() if page.loads]

    def _page(self, command: Received) -> Tab:
        page = self.pages.get(int((command.session_id or "S1")[1:]))
        if page is None:
            raise Refused("Not a page")
        return page

    def _usual(self, command: Received) -> dict[str, Any]:
        match command.method:
            case "Browser.getVersion":
                return {
                    "protocolVersion": "1.3", "product": "Mock/1.0", "revision": "",
                    "userAgent": "", "jsVersion": "",
                }  # fmt: skip
            case "Page.getFrameTree":
                return {"frameTree": {"frame": self._page(command).frame()}}
            case "Runtime.evaluate" | "Runtime.callFunctionOn":
                return {"result": {"type": "number", "value": 2, "description": "2"}}
            case "Page.navigate":
                page = self._page(command)
                page.loads, page.url = page.loads + 1, command.params["url"]
                return {"frameId": page.target_id, "loaderId": f"L{page.loads}"}
            case "Page.handleJavaScriptDialog":
                if self._page(command).dialog is None:
                    raise Refused("No dialog is showing")
            case "Target.getTargets":
                return {"targetInfos": [page.info() for page in self.pages.values()]}
            case "Target.getTargetInfo":
                wanted = command.params["targetId"]
                return {"targetInfo": self.pages[int(wanted[1:])].info()}
            case "Target.createTarget":
                page = Tab(len(self.pages) + 1, command.params["url"])
                page.context = command.params.get("browserContextId", page.context)
                self.pages[page.number] = page
                return {"targetId": page.target_id}
        return {}

    def _events_before(self, command: Received) -> Iterable[str]:
        """The events that the browser sends before its reply."""
        if command.method in self.untold:
            return
        match command.method:
            case "Target.setAutoAttach" if command.session_id is None:
                yield from (_attached(page) for page in self.pages.values())
            case "Browser.getVersion":
                line = {"type": "log", "args": [], "executionContextId": 1, "timestamp": 0}
                told = _message(method="Runtime.consoleAPICalled", params=line, session_id="S1")
                yield from [told] * self.flood
            case "Page.createIsolatedWorld" if self.isolates:
                yield _world(self._page(command), command.params["worldName"])
            case "Target.createTarget":
                yield _attached(list(self.pages.values())[-1])
            case "Runtime.enable" if int((command.session_id or "S0")[1:]) in self.pages:
                yield _world(self._page(command))
            case "Target.closeTarget":
                told = {"targetId": command.params["targetId"]}
                yield _message(method="Target.targetDestroyed", params=told)
            case "Page.navigate":
                page = self._page(command)
                frame = {"frame": page.frame(), "type": "Navigation"}
                yield _message(
                    method="Page.frameNavigated", params=frame, session_id=page.session_id
                )
                yield _world(page)
                yield from _loaded(page)
            case "Page.setLifecycleEventsEnabled" if command.session_id in self._loaded_pages():
                yield from _loaded(self._page(command))
            case "Page.handleJavaScriptDialog" if (page := self._page(command)).dialog:
                page.dialog = None
                told = {
                    "frameId": page.target_id,
                    "result": command.params["accept"],
                    "userInput": command.params.get("promptText", ""),
                }
                yield _message(
                    method="Page.javascriptDialogClosed", params=told, session_id=page.session_id
                )


def _attached(page: Tab) -> str:
    about = {
        "sessionId": page.session_id,
        "targetInfo": page.info(),
        "waitingForDebugger": True,
    }
    return _message(method="Target.attachedToTarget", params=about)


def _loaded(page: Tab) -> Iterable[str]:
    for name in ("DOMContentLoaded", "load"):
        about = {
            "frameId": page.target_id, "loaderId": f"L{page.loads}", "name": name, "timestamp": 1,
        }  # fmt: skip
        yield _message(method="Page.lifecycleEvent", params=about, session_id=page.session_id)


def _world(page: Tab, name: str = "") -> str:
    """The main world of a page's document, or an isolated world by its name."""
    kind = "isolated" if name else "default"
    about = {"frameId": page.target_id, "isDefault": not name, "type": kind}
    context = {
        "id": page.loads + 1 + 1000 * bool(name), "name": name, "origin": page.url,
        "uniqueId": f"{page.target_id}.{page.loads}{name}", "auxData": about,
    }  # fmt: skip
    told = {"context": context}
    return _message(
        method="Runtime.executionContextCreated", params=told, session_id=page.session_id
    )


def _message(*, session_id: str | None = None, **about: Any) -> str:
    return json.dumps(about | ({"sessionId": session_id} if session_id else {}))
