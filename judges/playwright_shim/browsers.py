"""Playwright, BrowserType, Browser and BrowserContext."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Any

import tabwarden
from judges.playwright_shim.emitting import Emitter
from judges.playwright_shim.outside import Shim, only_known, outside
from judges.playwright_shim.pages import Page
from judges.playwright_shim.prompts import Dialog, Download, FileChooser, until
from judges.playwright_shim.values import told
from tabwarden.config import BrowserConfig
from tabwarden.events import (
    DialogOpened,
    DownloadProgress,
    FileChooserOpened,
    NavigationSettled,
    PopupOpened,
    TabClosed,
    TabOpened,
    TargetCrashed,
)

CONTEXT_EVENTS = frozenset({"page", "dialog", "console", "close"})
_VIEWPORT = {"width": 1280, "height": 720}
_EMULATED = {
    "user_agent": "user_agent",
    "locale": "locale",
    "timezone_id": "timezone",
    "geolocation": "geolocation",
    "offline": "offline",
    "extra_http_headers": "headers",
    "color_scheme": "color_scheme",
    "reduced_motion": "reduced_motion",
}
"""Playwright's options of contexts, as ``emulate`` names them."""
_OWN_OPTIONS = frozenset(
    {*_EMULATED, "viewport", "no_viewport", "permissions", "storage_state", "accept_downloads"}
)


class Playwright(Shim):
    """What ``async_playwright()`` gives."""

    def __init__(self) -> None:
        self.chromium = BrowserType()
        self.firefox = self.webkit = self.chromium

    async def __aenter__(self) -> Playwright:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Do nothing: each browser is closed by its fixture."""

    async def start(self) -> Playwright:
        outside("playwright", "async_playwright().start()")


class BrowserType(Shim):
    name = "chromium"

    async def launch(self, **options: Any) -> Browser:
        only_known("launch", {k: v for k, v in options.items() if k != "headless"})
        folder = tempfile.mkdtemp()
        config = BrowserConfig(
            upload_dir=Path("/"),
            download_dir=Path(folder),
            dialog_policy="auto_dismiss",
            record_network=True,
            allow_private_networks=True,
            allow_file_urls=True,
            transport="port",
        )
        launched = await tabwarden.Browser.launch(config=config)
        return Browser(launched, config)


class Browser(Shim):
    browser_type = BrowserType()

    def __init__(self, launched: tabwarden.Browser, config: BrowserConfig) -> None:
        self._launched, self._config = launched, config
        self.contexts: list[BrowserContext] = []

    def is_connected(self) -> bool:
        return self._launched.is_open

    async def new_context(self, **options: Any) -> BrowserContext:
        unknown = {k: v for k, v in options.items() if k not in _OWN_OPTIONS}
        if any(value is not None for value in unknown.values()):
            outside("contexts", f"new_context({', '.join(unknown)}=)")
        own = await told(
            tabwarden.Browser.connect(self._launched.address, context="own", config=self._config)
        )
        context = BrowserContext(self, own, options)
        self.contexts.append(context)
        await context._set_up(options)
        return context

    async def new_page(self, **options: Any) -> Page:
        context = await self.new_context(**options)
        return await context.new_page()

    async def close(self, **_: Any) -> None:
        for context in list(self.contexts):
            await context.close()
        await told(self._launched.close())
        shutil.rmtree(str(self._config.download_dir), ignore_errors=True)


class BrowserContext(Emitter):
    def __init__(self, browser: Browser, own: tabwarden.Browser, options: dict[str, Any]) -> None:
        super().__init__()
        self.browser, self._browser = browser, own
        self._pages: dict[str, Page] = {}
        self._timeout: float | None = None
        self._spare: str | None = own.state.active_tab_id
        self._size = options.get("viewport", _VIEWPORT) if not options.get("no_viewport") else None
        self._downloads: set[str] = set()
        self._making = self._closed = False
        loop = asyncio.get_running_loop()

        def on_event(event: Any) -> None:
            loop.call_soon_threadsafe(self._on_event, event)

        self._watch = own.events(callback=on_event)

    async def _set_up(self, options: dict[str, Any]) -> None:
        given = {
            ours: options[name] for name, ours in _EMULATED.items() if options.get(name) is not None
        }
        if given:
            await told(self._browser.emulate(**given))
        if options.get("permissions"):
            await self.grant_permissions(options["permissions"])
        state = options.get("storage_state")
        if isinstance(state, str | Path):
            outside("contexts", "storage_state from a path")
        if state:
            await told(self._browser.load_storage_state(state))

    @property
    def pages(self) -> list[Page]:
        return list(self._pages.values())

    def set_default_timeout(self, timeout: float) -> None:
        self._timeout = timeout

    def set_default_navigation_timeout(self, timeout: float) -> None:
        self._timeout = timeout

    # -- pages ------------------------------------------------------------------------------

    async def new_page(self) -> Page:
        if self._spare is not None:
            tab_id, self._spare = self._spare, None
        else:
            before = {one.tab_id for one in self._browser.state.tabs}
            self._making = True
            opened = await told(self._browser.tabs("open"))
            self._making = False
            tab_id = next(one["tab_id"] for one in opened.value if one["tab_id"] not in before)
        page = self._page(tab_id)
        if self._size:
            await page.set_viewport_size(self._size)
        return page

    def _page(self, tab_id: str) -> Page:
        if tab_id not in self._pages:
            self._pages[tab_id] = Page(self, tab_id)
            self._emit("page", self._pages[tab_id])
        return self._pages[tab_id]

    async def close(self, reason: str | None = None) -> None:
        if self._browser.is_open:
            self._watch.close()
            await told(self._browser.close())
            self.browser.contexts.remove(self)
            for page in list(self._pages.values()):
                page._gone()
            self._closed = True
            self._emit("close", self)

    async def _poll(self) -> None:
        for page in self.pages:
            await page._poll()

    def _on_event(self, event: Any) -> None:
        if not self._browser.is_open or event.tab_id == self._spare:
            return
        page = self._pages.get(event.tab_id)
        if isinstance(event, PopupOpened):
            self._later(self._opened(event.tab_id, event.opener_tab_id))
        elif isinstance(event, TabOpened):
            self._later(self._opened(event.tab_id, ""))
        elif isinstance(event, DialogOpened):
            dialog = Dialog(self, event.tab_id, event.dialog)
            if page is not None:
                page._emit("dialog", dialog)
            self._emit("dialog", dialog)
        elif page is not None:
            self._happened(page, event)

    def _happened(self, page: Page, event: Any) -> None:
        if isinstance(event, FileChooserOpened):
            page._emit("filechooser", FileChooser(page, event.chooser))
        elif isinstance(event, DownloadProgress) and event.download.id not in self._downloads:
            self._downloads.add(event.download.id)
            page._emit("download", Download(page, event.download))
        elif isinstance(event, NavigationSettled):
            frame = page._frame(event.frame_id)
            page._emit("framenavigated", frame)
            if frame is page.main_frame:
                page._emit("load", page)
        elif isinstance(event, TabClosed):
            page._gone()
        elif isinstance(event, TargetCrashed) and not event.is_oopif:
            page._emit("crash", page)

    async def _opened(self, tab_id: str, opener_tab_id: str) -> None:
        """Report a new tab once it has its first document, as Playwright does."""
        own = self._browser

        def ready() -> bool:
            tab = next((one for one in own.state.tabs if one.tab_id == tab_id), None)
            return tab is None or (tab.status == "ready" and bool(tab.url))

        await until(lambda: not own.is_open or ready())
        if own.is_open and tab_id != self._spare and not (self._making and not opener_tab_id):
            popup = self._page(tab_id)
            opener = self._pages.get(opener_tab_id)
            if opener is not None:
                opener._emit("popup", popup)

    # -- dialogs ----------------------------------------------------------------------------

    def _hold_dialogs_of_pages(self) -> None:
        """Let dialogs wait for the test. Before, they are dismissed, as in Playwright."""
        held = self._browser.config.model_copy(update={"dialog_policy": "must_respond"})
        self._browser.configure(held)

    async def _answered(self) -> None:
        """Wait until the test has answered all dialogs."""
        await until(lambda: not self._browser.state.pending_dialogs)

    # -- cookies, storage, emulation --------------------------------------------------------

    async def cookies(self, urls: Any = None) -> list[dict[str, Any]]:
        if isinstance(urls, list) and len(urls) > 1:
            outside("options", "cookies(several urls)")
        url = urls[0] if isinstance(urls, list) and urls else urls or None
        read = await told(self._browser.cookies("list", url=url, values=True))
        return [
            {
                "name": one["name"],
                "value": one["value"],
                "domain": one["domain"],
                "path": one["path"],
                "expires": -1 if one["expires"] is None else one["expires"],
                "httpOnly": one["http_only"],
                "secure": one["secure"],
                "sameSite": one["same_site"] or "Lax",
            }
            for one in read.value
        ]

    async def add_cookies(self, cookies: Any) -> None:
        for one in cookies:
            given = {
                ours: one[name]
                for name, ours in (
                    ("name", "name"), ("value", "value"), ("url", "url"), ("domain", "domain"),
                    ("path", "path"), ("expires", "expires"), ("httpOnly", "http_only"),
                    ("secure", "secure"), ("sameSite", "same_site"),
                )
                if one.get(name) is not None and not (name == "expires" and one[name] == -1)
            }  # fmt: skip
            await told(self._browser.cookies("set", **given))

    async def clear_cookies(self, **filters: Any) -> None:
        if any(value is not None and not isinstance(value, str) for value in filters.values()):
            outside("options", "clear_cookies(a pattern)")
        if filters.get("path"):
            outside("options", "clear_cookies(path=)")
        given = {name: value for name, value in filters.items() if value is not None}
        await told(self._browser.cookies("delete" if given else "clear", **given))

    async def storage_state(self, path: Any = None, **others: Any) -> Any:
        if path is not None or any(others.values()):
            outside("options", "storage_state(path=)")
        return await told(self._browser.storage_state())

    async def grant_permissions(self, permissions: list[str], origin: str | None = None) -> None:
        for one in permissions:
            await told(self._browser.permission(one, "granted", origin=origin))

    async def set_geolocation(self, geolocation: Any = None) -> None:
        await told(self._browser.emulate(geolocation=geolocation or {}))

    async def set_offline(self, offline: bool) -> None:
        await told(self._browser.emulate(offline=offline))

    async def set_extra_http_headers(self, headers: Any) -> None:
        await told(self._browser.emulate(headers=headers))
