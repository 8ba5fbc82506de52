"""Page: a tab, its keyboard and mouse, and its events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error

from judges.playwright_shim.emitting import Emitter
from judges.playwright_shim.frames import Frame
from judges.playwright_shim.outside import FREE, Shim, only_known, outside
from judges.playwright_shim.requests import Log
from judges.playwright_shim.values import as_playwright, matches, millis, told

if TYPE_CHECKING:
    from judges.playwright_shim.browsers import BrowserContext

CONSOLE = frozenset({"console", "pageerror"})
REQUESTS = frozenset({"request", "response", "requestfinished", "requestfailed"})
EVENTS = (
    frozenset(
        {"dialog", "popup", "download", "filechooser", "close", "crash", "load", "framenavigated"}
    )
    | CONSOLE
    | REQUESTS
)
_LEVELS = {"warn": "warning"}


class Page(Emitter):
    def __init__(self, context: BrowserContext, tab_id: str) -> None:
        super().__init__()
        self._context, self._tab_id, self._browser = context, tab_id, context._browser
        self._main = Frame(self, None)
        self._frames: dict[str, Frame] = {}
        self._closed = False
        self._timeout: float | None = None
        self._size: dict[str, int] | None = None
        self._log = Log(self)
        self._last_url = ""
        self._attaching = asyncio.Lock()
        self.local_storage = WebStorage(self, "local")
        self.session_storage = WebStorage(self, "session")
        self.keyboard = Keyboard(self)
        self.mouse = Mouse(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(Frame, name):
            return super().__getattr__(name)
        return getattr(self._main, name)

    # -- state ------------------------------------------------------------------------------

    def _tree(self) -> Any:
        return self._browser.state.frame_trees.get(self._tab_id) or _NO_FRAMES

    def _frame(self, frame_id: str) -> Frame:
        top = self._tree().top
        if top and top.frame_id == frame_id:
            return self._main
        return self._frames.setdefault(frame_id, Frame(self, frame_id))

    @property
    def main_frame(self) -> Frame:
        return self._main

    @property
    def frames(self) -> list[Frame]:
        return [self._main, *(self._frame(one.frame_id) for one in self._tree().children)]

    def frame(self, name: str | None = None, url: Any = None) -> Frame | None:
        for one in self.frames:
            if (name is None or one.name == name) and matches(one.url, url):
                return one
        return None

    @property
    def url(self) -> str:
        return str(self._main.url)

    @property
    def context(self) -> BrowserContext:
        return self._context

    @property
    def viewport_size(self) -> Any:
        return self._size

    def is_closed(self) -> bool:
        return self._closed

    async def opener(self) -> Page | None:
        tab = next((one for one in self._browser.state.tabs if one.tab_id == self._tab_id), None)
        return self._context._pages.get(tab.opener_tab_id or "") if tab else None

    def set_default_timeout(self, timeout: float) -> None:
        self._timeout = timeout

    def set_default_navigation_timeout(self, timeout: float) -> None:
        self._timeout = timeout

    def _limit(self, timeout: float | None) -> float | None:
        for one in (timeout, self._timeout, self._context._timeout):
            if one is not None:
                return millis(one)
        return None

    # -- calls ------------------------------------------------------------------------------

    async def _done(self, call: Awaitable[Any], *, raw: bool = False) -> Any:
        """Await a call. If a dialog interrupts it, wait until the test has answered."""
        if raw:
            done = await call
        else:
            with as_playwright():
                done = await call
        if getattr(done, "interrupted", False):
            await self._context._answered()
        await self._poll()
        return done

    async def _poll(self) -> None:
        """Report entries of the console and the network log to the test's listeners."""
        if self._closed:
            return
        if self._listens(CONSOLE) or self._context._listens(CONSOLE):
            lines = await told(self._browser.console(clear=True, tab_id=self._tab_id))
            for line in lines.value:
                if line["source"] == "exception":
                    self._emit("pageerror", Error(line["text"]))
                else:
                    message = ConsoleMessage(self, line)
                    self._emit("console", message)
                    self._context._emit("console", message)
        if self._listens(REQUESTS):
            await self._log.read()

    # -- navigation -------------------------------------------------------------------------

    async def goto(
        self,
        url: str,
        timeout: float | None = None,
        wait_until: str | None = None,
        referer: str | None = None,
    ) -> Any:
        if referer:
            outside("options", "goto(referer=)")
        await self._done(
            self._browser.goto(
                url,
                wait_until=wait_until or "load",  # type: ignore[arg-type]
                tab_id=self._tab_id,
                timeout_ms=self._limit(timeout),
            )
        )
        return await self._log.document()

    async def reload(self, timeout: float | None = None, wait_until: str | None = None) -> Any:
        await self._done(self._browser.reload(tab_id=self._tab_id, timeout_ms=self._limit(timeout)))
        return await self._log.document()

    async def go_back(self, timeout: float | None = None, wait_until: str | None = None) -> Any:
        await self._done(self._browser.back(tab_id=self._tab_id, timeout_ms=self._limit(timeout)))
        return await self._log.document()

    async def go_forward(self, timeout: float | None = None, wait_until: str | None = None) -> Any:
        await self._done(
            self._browser.forward(tab_id=self._tab_id, timeout_ms=self._limit(timeout))
        )
        return await self._log.document()

    async def wait_for_load_state(
        self, state: str | None = None, timeout: float | None = None
    ) -> None:
        await self._done(
            self._browser.wait(
                load_state=state or "load",  # type: ignore[arg-type]
                tab_id=self._tab_id,
                timeout_ms=self._limit(timeout),
            )
        )

    async def wait_for_url(
        self, url: Any, timeout: float | None = None, wait_until: str | None = None
    ) -> None:
        if not isinstance(url, str):
            outside("waits", "wait_for_url(a pattern)")
        limit = self._limit(timeout)
        whole = url.replace("**", "*")
        await self._done(self._browser.wait(url=whole, tab_id=self._tab_id, timeout_ms=limit))
        if wait_until != "commit":
            await self.wait_for_load_state(wait_until, timeout=timeout)

    async def close(self, run_before_unload: bool | None = None, reason: str | None = None) -> None:
        if run_before_unload:
            outside("options", "close(run_before_unload=)")
        if not self._closed:
            self._last_url = self.url
            await told(self._browser.tabs("close", tab_id=self._tab_id))
            self._gone()

    def _gone(self) -> None:
        if not self._closed:
            self._closed = True
            self._context._pages.pop(self._tab_id, None)
            self._emit("close", self)

    # -- the rest ---------------------------------------------------------------------------

    async def set_viewport_size(self, viewport_size: Any) -> None:
        await self._done(
            self._browser.resize(
                viewport_size["width"], viewport_size["height"], tab_id=self._tab_id
            )
        )
        self._size = dict(viewport_size)

    async def emulate_media(self, **settings: Any) -> None:
        only_known("emulate_media", {k: v for k, v in settings.items() if k not in _MEDIA})
        given: dict[str, Any] = {
            name: "" if value == "null" else value for name, value in settings.items()
        }
        await self._done(self._browser.emulate(**given, tab_id=self._tab_id))

    async def set_extra_http_headers(self, headers: Any) -> None:
        await self._done(self._browser.emulate(headers=headers, tab_id=self._tab_id))

    async def screenshot(self, **options: Any) -> bytes:
        return await self._screenshot(**options)

    async def _screenshot(
        self,
        ref: str | None = None,
        type: str | None = None,  # noqa: A002 - Playwright's name
        path: Any = None,
        quality: int | None = None,
        clip: Any = None,
        full_page: bool = False,
        timeout: float | None = None,
        **others: Any,
    ) -> bytes:
        only_known("screenshot", {k: v for k, v in others.items() if k not in FREE})
        taken = await told(
            self._browser.screenshot(
                path,
                ref=ref,
                full_page=full_page,
                clip=clip,
                quality=quality,
                image_format=type or "png",  # type: ignore[arg-type]
                max_pixels=None,
                max_bytes=None,
                tab_id=self._tab_id,
                timeout_ms=self._limit(timeout),
            )
        )
        return taken.data

    async def pdf(self, path: Any = None, **options: Any) -> Any:
        only_known("pdf", options)
        done = await told(self._browser.pdf(as_bytes=True, tab_id=self._tab_id))
        if path is not None:
            await asyncio.to_thread(Path(path).write_bytes, done.value)
        return done.value


_MEDIA = ("media", "color_scheme", "reduced_motion")


class _NoFrames:
    top = None
    children = ()


_NO_FRAMES = _NoFrames()


class WebStorage(Shim):
    def __init__(self, page: Page, area: Literal["local", "session"]) -> None:
        self._page, self._area = page, area

    async def _do(self, mode: Literal["get", "set", "delete", "clear"], **given: Any) -> Any:
        call = self._page._browser.storage(
            mode, area=self._area, **given, tab_id=self._page._tab_id
        )
        return (await self._page._done(call)).value

    async def items(self) -> list[dict[str, str]]:
        return list((await self._do("get", values=True))["items"])

    async def get_item(self, name: str) -> str | None:
        return next((one["value"] for one in await self.items() if one["name"] == name), None)

    async def set_item(self, name: str, value: str) -> None:
        await self._do("set", key=name, value=value)

    async def remove_item(self, name: str) -> None:
        await self._do("delete", key=name)

    async def clear(self) -> None:
        await self._do("clear")


class Keyboard(Shim):
    def __init__(self, page: Page) -> None:
        self._page = page

    async def press(self, key: str, delay: float | None = None) -> None:
        only_known("keyboard.press", {"delay": delay})
        await self._page._done(
            self._page._browser.press(
                key.replace("ControlOrMeta", "Control"), tab_id=self._page._tab_id
            )
        )

    async def type(self, text: str, delay: float | None = None) -> None:
        only_known("keyboard.type", {"delay": delay})
        await self._page._done(
            self._page._browser.type(text, slowly=True, tab_id=self._page._tab_id)
        )

    async def insert_text(self, text: str) -> None:
        await self._page._done(self._page._browser.type(text, tab_id=self._page._tab_id))


class Mouse(Shim):
    def __init__(self, page: Page) -> None:
        self._page = page
        self._at = (0.0, 0.0)

    async def move(self, x: float, y: float, steps: int | None = None) -> None:
        only_known("mouse.move", {"steps": steps})
        self._at = (x, y)
        await self._page._done(self._page._browser.hover(x=x, y=y, tab_id=self._page._tab_id))

    async def click(
        self, x: float, y: float, button: str = "left", click_count: int = 1, **others: Any
    ) -> None:
        only_known("mouse.click", others)
        self._at = (x, y)
        await self._page._done(
            self._page._browser.click(
                x=x,
                y=y,
                button=button,  # type: ignore[arg-type]
                count=click_count,
                tab_id=self._page._tab_id,
            )
        )

    async def dblclick(self, x: float, y: float, **options: Any) -> None:
        await self.click(x, y, click_count=2, **options)

    async def wheel(self, delta_x: float, delta_y: float) -> None:
        x, y = self._at
        for delta, less, more in ((delta_x, "left", "right"), (delta_y, "up", "down")):
            if delta:
                await self._page._done(
                    self._page._browser.scroll(
                        less if delta < 0 else more,  # type: ignore[arg-type]
                        abs(delta),
                        x=x,
                        y=y,
                        tab_id=self._page._tab_id,
                    )
                )


class ConsoleMessage(Shim):
    def __init__(self, page: Page, line: Any) -> None:
        self.page, self.text = page, line["text"]
        self.type = _LEVELS.get(line["level"], line["level"])
        self.location = {"url": line["url"], "lineNumber": line["line"]}

    def __str__(self) -> str:
        return str(self.text)
