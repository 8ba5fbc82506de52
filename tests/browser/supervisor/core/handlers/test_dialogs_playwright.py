"""Beside a Playwright client without a dialog listener, which dismisses native dialogs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from types import TracebackType
from typing import Any, TypeVar

import pytest
from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import async_playwright
from support.asking import (
    BRIDGES_AND_POLICIES,
    answer_all,
    asking_page,
)
from support.eventually import eventually, eventually_async
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser

T = TypeVar("T")


class Rival:
    """Playwright, connected over CDP, on its own loop and thread."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}"
        self._loop = asyncio.new_event_loop()
        self._connected = threading.Event()
        self._thread = threading.Thread(target=self._run, name="playwright", daemon=True)

    def __enter__(self) -> Rival:
        self._thread.start()
        assert self._connected.wait(60)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join(30)
        assert not self._thread.is_alive()

    def title_of(self, url: str) -> str:
        """The title of the page at ``url``, read by Playwright, which controls that page too."""
        return self._do(self._title_of(url))

    async def _title_of(self, url: str) -> str:
        (context,) = self._browser.contexts
        # An existing page sends no event
        pages = await eventually_async(lambda: [p for p in context.pages if p.url == url])
        return str(await pages[0].title())

    def _do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(60)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._stay())

    async def _stay(self) -> None:
        self._done = asyncio.Event()
        async with async_playwright() as playwright:
            self._browser: PlaywrightBrowser = await playwright.chromium.connect_over_cdp(self._url)
            self._connected.set()
            await self._done.wait()
            await self._browser.close()


@pytest.fixture
def rival(port: int) -> Iterator[Rival]:
    with Rival(port) as rival:
        yield rival


@pytest.mark.parametrize(("bridge", "policy"), BRIDGES_AND_POLICIES)
@pytest.mark.long
def test_bridge_delivers_all_answers_beside_a_playwright_client(
    bridge: Any, policy: str, port: int, rival: Rival, site: Site
) -> None:
    config = BrowserConfig(dialog_bridge=bridge)
    with Browser.connect(f"http://127.0.0.1:{port}", config=config) as browser:
        browser.tabs("open")  # what the agent opens, only the agent answers
        url = site.page("/", asking_page(policy), title="Both of us")
        browser.goto(url)
        assert rival.title_of(url) == "Both of us"
        browser.evaluate("setTimeout(ask, 0, 1, 20); 0")
        values = answer_all(browser, 20)
        assert browser.evaluate("got").value == values
        assert {dialog.closed_by for dialog in browser.state.recent_dialogs} == {"agent"}
        assert rival.title_of(url) == "Both of us"


@pytest.mark.long
def test_native_dialogs_dismissed_by_playwright_are_reported_as_closed_remotely(
    port: int, rival: Rival, site: Site
) -> None:
    config = BrowserConfig(dialog_bridge="native")
    with Browser.connect(f"http://127.0.0.1:{port}", config=config) as browser:
        browser.tabs("open")  # what the agent opens, only the agent answers
        url = site.page("/", asking_page(""), title="Both of us")
        browser.goto(url)
        assert rival.title_of(url) == "Both of us"
        browser.evaluate("setTimeout(ask, 0, 1, 3); 0")
        eventually(lambda: len(browser.state.recent_dialogs) >= 3)
        assert [d.closed_by for d in browser.state.recent_dialogs] == ["remote"] * 3
        assert browser.evaluate("got").value == [None] * 3
