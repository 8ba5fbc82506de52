"""Playwright's stock trace viewer, from the PyPI package, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import playwright
from playwright.sync_api import Browser, Page

__all__ = ["Viewer", "opened"]

FILES = Path(playwright.__file__).parent / "driver/package/lib/vite/traceViewer"


class Viewer:
    """A trace in the viewer."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.locator(".action-title").first.wait_for()

    @property
    def actions(self) -> list[str]:
        """The titles of the actions, without their durations."""
        titles = self._page.locator(".action-title").all_inner_texts()
        return [one.partition("\n")[0] for one in titles]

    def choose(self, action: str) -> None:
        self._page.locator(".action-title", has_text=action).first.click()

    def tab(self, name: str) -> str:
        """The text of a tab's panel, such as "Log"."""
        self._page.get_by_role("tab", name=name).first.click()
        panel = self._page.get_by_role("tabpanel", name=name).last
        panel.wait_for()
        return panel.inner_text()

    def messages(self, socket: str) -> str:
        """The messages of a WebSocket, by its name in the request list."""
        self.tab("Network")
        self._page.get_by_text(socket).last.click()
        self._page.get_by_role("tab", name="Messages").click()
        rows = self._page.get_by_label("WebSocket messages")
        rows.wait_for()
        return rows.inner_text()

    @property
    def frames(self) -> int:
        """The images in the film strip."""
        strip = self._page.locator(".film-strip-frame")
        strip.first.wait_for()
        return strip.count()

    def snapshot_shows_picture(self) -> bool:
        """Whether the chosen action's page is an image that the browser can decode."""
        frame = self._page.frame_locator("iframe[name=snapshot]").first
        image = frame.locator("img")
        image.wait_for(state="attached")  # the viewer draws in one of two frames, and shows it then
        return bool(image.evaluate("async img => { await img.decode(); return img.naturalWidth }"))


@contextmanager
def opened(browser: Browser, trace: Path) -> Iterator[Viewer]:
    """Open a trace in the viewer."""

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return str(trace) if path.startswith("/trace.zip") else super().translate_path(path)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(FILES)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    here = f"http://localhost:{server.server_port}"
    page = browser.new_page()
    try:
        page.goto(f"{here}/index.html?trace={here}/trace.zip")
        yield Viewer(page)
    finally:
        page.close()
        server.shutdown()
        server.server_close()
