"""Listeners of pages and contexts, and the blocks that wait for an event (``expect_popup``)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Collection
from types import TracebackType
from typing import Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from judges.playwright_shim.outside import Shim, outside

_POLLED_S = 0.05
_BY_EVENT = {
    "worker": "scripts",
    "websocket": "requests",
    "route": "requests",
    "serviceworker": "scripts",
}


class Emitter(Shim):
    """A page or a context."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        self._running: list[asyncio.Future[Any]] = []

    def _known(self, event: str) -> None:
        from judges.playwright_shim.browsers import CONTEXT_EVENTS, BrowserContext
        from judges.playwright_shim.pages import EVENTS

        if event not in (CONTEXT_EVENTS if isinstance(self, BrowserContext) else EVENTS):
            outside(_BY_EVENT.get(event, "events"), f"event {event}")

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        self._known(event)
        self._listeners.setdefault(event, []).append(handler)
        if event.startswith("re") and (log := getattr(self, "_log", None)) is not None:
            log.start()
        if event == "dialog":
            self._hold_dialogs()

    def once(self, event: str, handler: Callable[..., Any]) -> None:
        def first(*args: Any) -> Any:
            self._listeners[event].remove(first)
            return handler(*args)

        self.on(event, first)

    def remove_listener(self, event: str, handler: Callable[..., Any]) -> None:
        self._listeners[event].remove(handler)

    def _hold_dialogs(self) -> None:
        from judges.playwright_shim.browsers import BrowserContext

        context: Any = self if isinstance(self, BrowserContext) else self._context
        context._hold_dialogs_of_pages()

    def _listens(self, events: Collection[str]) -> bool:
        return any(self._listeners.get(event) for event in events)

    def _emit(self, event: str, value: Any) -> None:
        for handler in list(self._listeners.get(event, ())):
            takes = len(inspect.signature(handler).parameters)
            result = handler(value) if takes else handler()
            if inspect.isawaitable(result):
                self._later(result)

    def _later(self, result: Any) -> None:
        self._running.append(asyncio.ensure_future(result))

    # -- waiting for one event --------------------------------------------------------------

    def expect_event(
        self, event: str, predicate: Callable[..., Any] | None = None, timeout: float | None = None
    ) -> Expecting:
        return Expecting(self, event, predicate, timeout)

    async def wait_for_event(
        self, event: str, predicate: Callable[..., Any] | None = None, timeout: float | None = None
    ) -> Any:
        waiting = Expecting(self, event, predicate, timeout)
        await waiting.__aenter__()
        return await waiting.ended()

    def expect_popup(self, predicate: Any = None, timeout: float | None = None) -> Expecting:
        return Expecting(self, "popup", predicate, timeout)

    def expect_page(self, predicate: Any = None, timeout: float | None = None) -> Expecting:
        return Expecting(self, "page", predicate, timeout)

    def expect_download(self, predicate: Any = None, timeout: float | None = None) -> Expecting:
        return Expecting(self, "download", predicate, timeout)

    def expect_file_chooser(self, predicate: Any = None, timeout: float | None = None) -> Expecting:
        return Expecting(self, "filechooser", predicate, timeout)

    def expect_console_message(
        self, predicate: Any = None, timeout: float | None = None
    ) -> Expecting:
        return Expecting(self, "console", predicate, timeout)

    def expect_request(self, wanted: Any, timeout: float | None = None) -> Expecting:
        return Expecting(self, "request", _of_url(wanted), timeout)

    def expect_response(self, wanted: Any, timeout: float | None = None) -> Expecting:
        return Expecting(self, "response", _of_url(wanted), timeout)

    def expect_request_finished(
        self, predicate: Any = None, timeout: float | None = None
    ) -> Expecting:
        return Expecting(self, "requestfinished", predicate, timeout)

    def expect_navigation(
        self, url: Any = None, wait_until: str | None = None, timeout: float | None = None
    ) -> Expecting:
        from judges.playwright_shim.values import matches

        page: Any = self
        return Expecting(
            self,
            "framenavigated",
            lambda frame: frame is page.main_frame and matches(frame.url, url),
            timeout,
            after=lambda _: page._log.document(),
        )


def _of_url(wanted: Any) -> Callable[[Any], bool]:
    from judges.playwright_shim.values import matches

    return wanted if callable(wanted) else lambda one: matches(one.url, wanted)


class Expecting:
    """``async with page.expect_event(...) as info``; ``await info.value``."""

    def __init__(
        self,
        of: Emitter,
        event: str,
        predicate: Callable[..., Any] | None,
        timeout: float | None,
        after: Callable[[Any], Any] | None = None,
    ) -> None:
        of._known(event)
        self._of, self._event, self._predicate, self._after = of, event, predicate, after
        if predicate is not None and inspect.iscoroutinefunction(predicate):
            outside("events", "a predicate that is awaited")
        limit = getattr(of, "_limit", lambda given: given)(timeout)
        self._timeout = 10.0 if limit is None else (limit or 60_000) / 1000
        self._future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    @property
    def value(self) -> asyncio.Future[Any]:
        return self._future

    def is_done(self) -> bool:
        return self._future.done()

    async def __aenter__(self) -> Expecting:
        self._of.on(self._event, self._happened)
        return self

    def _happened(self, value: Any) -> None:
        if self._future.done():
            return
        try:
            if self._predicate is None or self._predicate(value):
                self._future.set_result(value)
        except Exception as error:  # a predicate of the test
            self._future.set_exception(error)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            await self.ended()

    async def ended(self) -> Any:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._timeout
        poll = getattr(self._of, "_poll", None)
        while not self._future.done():
            if loop.time() > end:
                self._future.cancel()
                waited = f"Timeout {self._timeout * 1000:g}ms exceeded"
                raise Late(f"{waited} while waiting for event {self._event!r}")
            if self._event != "close" and getattr(self._of, "_closed", False):
                self._future.cancel()
                raise Error("Target page, context or browser has been closed")
            if poll is not None:
                await poll()
            await asyncio.wait([self._future], timeout=_POLLED_S)
        value = self._future.result()
        if self._after is not None:
            value = await self._after(value)
            self._future = loop.create_future()
            self._future.set_result(value)
        return value
