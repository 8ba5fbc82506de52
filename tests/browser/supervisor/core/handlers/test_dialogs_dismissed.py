"""A browser in which another client dismisses every native dialog at once."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from support.eventually import eventually
from support.site import Site
from websockets.asyncio.client import connect

from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser


class Dismisser:
    """A second CDP client on every page, which dismisses each dialog immediately."""

    def __init__(self, port: int) -> None:
        about = urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version").read()
        self._url = json.loads(about)["webSocketDebuggerUrl"]
        self.dismissed = 0
        self._attached = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Dismisser:
        self._thread.start()
        assert self._attached.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._work.cancel)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        self._work = self._loop.create_task(self._dismiss())
        try:
            self._loop.run_until_complete(self._work)
        except asyncio.CancelledError:
            return

    async def _dismiss(self) -> None:
        async with connect(self._url, compression=None, max_size=None) as socket:
            number = 0

            async def send(method: str, params: dict[str, Any], session: str | None = None) -> None:
                nonlocal number
                number += 1
                message = {"id": number, "method": method, "params": params}
                await socket.send(json.dumps(message | ({"sessionId": session} if session else {})))

            auto = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
            await send("Target.setAutoAttach", auto)
            async for text in socket:
                told = json.loads(text)
                if told.get("method") == "Target.attachedToTarget":
                    await send("Page.enable", {}, told["params"]["sessionId"])
                    self._attached.set()
                if told.get("method") == "Page.javascriptDialogOpening":
                    self.dismissed += 1
                    no = {"accept": False}
                    await send("Page.handleJavaScriptDialog", no, told["sessionId"])


@pytest.fixture
def dismisser(port: int) -> Iterator[Dismisser]:
    with Dismisser(port) as dismisser:
        yield dismisser


@pytest.mark.parametrize("policy", ["", "default-src 'none'; connect-src 'none'"])
def test_debugger_bridge_delivers_all_answers_beside_a_client_that_dismisses_dialogs(
    policy: str,
    port: int,
    dismisser: Dismisser,
    site: Site,
) -> None:
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    config = BrowserConfig(dialog_bridge="debugger")
    with Browser.connect(f"http://127.0.0.1:{port}", config=config) as browser:
        browser.goto(site.page("/", f"{meta}<p>page</p>"))
        for number in range(20):
            ask = f"setTimeout(() => {{ window.got = prompt('Number?') }}, 0); {number}"
            browser.evaluate(ask)
            eventually(lambda: browser.state.pending_dialogs)
            browser.dialog("accept", prompt_text=str(number))
            assert browser.evaluate("got").value == str(number)
        assert dismisser.dismissed == 0


def test_native_dialog_closed_by_another_client_is_reported_as_closed_remotely(
    port: int,
    dismisser: Dismisser,
    site: Site,
) -> None:
    config = BrowserConfig(dialog_bridge="native")
    with Browser.connect(f"http://127.0.0.1:{port}", config=config) as browser:
        browser.goto(site.page("/", "page"))
        browser.evaluate("setTimeout(() => { window.got = confirm('Sure?') }, 0); 0")
        eventually(lambda: browser.state.recent_dialogs)
        assert browser.state.recent_dialogs[0].closed_by == "remote"
        assert dismisser.dismissed == 1
        assert browser.evaluate("got").value is False
