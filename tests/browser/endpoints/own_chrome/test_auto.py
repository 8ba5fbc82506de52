"""The user's own Chrome: found, used in a separate window, and left unchanged."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Literal

import pytest
from support.eventually import eventually_async
from support.home import PAGE, Home
from support.needs import needs, whole_chromium
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from tabwarden.actions import dispatch
from tabwarden.actions.sessions import session_of
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.endpoints.finding import offer_at
from tabwarden.endpoints.own_chrome import debug_chrome
from tabwarden.errors import Denied, EndpointUnreachable, InvalidArgument, LaunchFailed

pytestmark = pytest.mark.anyio
CONFIG = BrowserConfig()


def titles(browser: Browser) -> list[str]:
    return [tab.title for tab in browser.state.tabs]


async def persons_tabs() -> list[str]:
    """The tabs in the person's browser, as another client sees them."""
    async with Browser.connect("auto", context="shared") as witness:
        await eventually_async(lambda: all(titles(witness)))
        return titles(witness)


async def test_task_gets_a_separate_window_and_leaves_other_tabs_open(
    home: Home,
) -> None:
    with home.chrome() as chrome:
        async with Browser.connect("auto") as browser:
            assert browser.has_own_window
            assert [tab.url for tab in browser.state.tabs] == ["about:blank"]
            await browser.goto("data:text/html,<title>ours</title>")
            await browser.evaluate("void window.open('about:blank#popup', '_blank', 'noopener')")
            await eventually_async(lambda: len(browser.state.tabs) == 2)
            await browser.tabs("open", url="data:text/html,<title>second</title>")
            assert len(browser.state.tabs) == 3
            assert "mine" not in titles(browser)
            added = await browser.route("**/nothing", abort="failed")
            assert added.note.startswith("The route does not apply to shared workers")
            assert await persons_tabs() != ["mine"]  # the witness sees them all
        assert await persons_tabs() == ["mine"]
        assert chrome.poll() is None


async def test_close_waits_until_a_tab_with_a_slow_unload_handler_is_gone(home: Home) -> None:
    slow = "onunload = () => { const t = Date.now(); while (Date.now() - t < 300); }"
    with home.chrome():
        async with Browser.connect("auto") as browser:
            await browser.goto(f"data:text/html,<script>{slow}</script>")
        assert await persons_tabs() == ["mine"]


async def test_closing_the_last_tab_of_a_task_does_not_close_the_browser(home: Home) -> None:
    with home.chrome() as chrome:
        async with Browser.connect("auto") as browser:
            async with Browser.connect("auto", context="shared") as person:
                mine = next(tab for tab in person.state.tabs if tab.url == PAGE)
                await person.tabs("close", tab_id=mine.tab_id)
            assert len(browser.state.tabs) == 1
        assert len(await persons_tabs()) == 1
        assert chrome.poll() is None


async def test_shared_context_shows_the_persons_tabs(home: Home) -> None:
    with home.chrome():
        async with Browser.connect("auto:chrome?context=shared") as browser:
            assert [tab.url for tab in browser.state.tabs] == [PAGE]
            await browser.tabs("open")
        assert len(await persons_tabs()) == 2  # nothing was closed


async def test_task_uses_the_persons_logins(home: Home) -> None:
    with home.chrome():
        async with Browser.connect("auto", context="shared") as person:
            await person.cookies("set", name="login", value="yes", url="https://shop.example/")
        async with Browser.connect("auto") as browser:
            cookies = (await browser.cookies("list", url="https://shop.example/")).value
            assert [one["name"] for one in cookies] == ["login"]


async def test_raw_cdp_reaches_only_the_tasks_window(home: Home) -> None:
    with home.chrome():
        async with Browser.connect("auto", context="shared") as person:
            mine = person.state.tabs[0].target_id
        async with Browser.connect("auto") as browser:
            infos = (await browser.cdp("Target.getTargets")).value["targetInfos"]
            assert [one["targetId"] for one in infos] == [browser.state.tabs[0].target_id]
            for method, params in (
                ("Target.closeTarget", {"targetId": mine}),
                ("Target.createTarget", {"url": "about:blank"}),
                ("Browser.close", {}),
            ):
                with pytest.raises(Denied):
                    await browser.cdp(method, params)
        while await persons_tabs() != ["mine"]:  # noqa: ASYNC110 - Chrome closes the window later
            await asyncio.sleep(0.05)


async def test_supervisor_replaces_a_hung_tab_in_the_tasks_window(home: Home) -> None:
    with home.chrome():
        async with Browser.connect("auto") as browser:
            await browser.goto("data:text/html,<title>ours</title>")
            tab = browser.state.tabs[0]
            supervisor = browser._task.supervisor
            from tabwarden.supervisor.core.state.inputs import ReplaceTab

            supervisor.loop.call_soon_threadsafe(supervisor.feed, ReplaceTab(tab.tab_id))
            await eventually_async(
                lambda: (
                    [t.tab_id for t in browser.state.tabs if t.target_id != tab.target_id]
                    == [tab.tab_id]
                )
            )
            assert (await browser.evaluate("document.title")).value == "ours"
        assert await persons_tabs() == ["mine"]


async def test_auto_endpoint_requests_a_browser_name_if_two_browsers_run(home: Home) -> None:
    with home.chrome(), home.chrome("microsoft-edge"):
        with pytest.raises(InvalidArgument) as refused:
            await Browser.connect("auto")
        assert "`auto:chrome`" in refused.value.message
        assert "`auto:edge`" in refused.value.message
        assert refused.value.data["field"] == "endpoint"
        async with Browser.connect("auto:edge") as browser:
            assert browser.is_open


@pytest.mark.parametrize(
    ("version", "words"),
    [("156.0", "chrome://inspect/#remote-debugging"), ("130.0", "--remote-debugging-port=9222")],
)
async def test_auto_endpoint_reports_a_stale_debugging_port_file(
    home: Home, version: str, words: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    home.left_behind(port, version=version)
    with pytest.raises(EndpointUnreachable) as refused:
        await Browser.connect("auto")
    assert "nothing listens" in refused.value.message
    assert words in refused.value.hint


async def test_auto_endpoint_reports_that_no_browser_is_debuggable(home: Home) -> None:
    with pytest.raises(EndpointUnreachable, match="No running browser on this computer"):
        await Browser.connect("auto")
    with pytest.raises(InvalidArgument) as refused:
        await Browser.connect("auto:crome")
    assert refused.value.data["nearest"] == "chrome"
    with pytest.raises(InvalidArgument, match="option"):
        await Browser.connect("auto:?tabs=all")


async def test_auto_endpoint_reports_that_another_program_uses_the_port(home: Home) -> None:
    def refuse(_: ServerConnection, __: Request) -> Response:
        return Response(200, "OK", _headers(), b"hello")

    async with serve(_nothing, "127.0.0.1", 0, process_request=refuse) as server:
        home.left_behind(next(iter(server.sockets)).getsockname()[1])
        with pytest.raises(EndpointUnreachable, match="another program"):
            await Browser.connect("auto")


# -- the server that asks the person -------------------------------------------------------------


def _headers() -> object:
    from websockets.datastructures import Headers

    return Headers({"Content-Length": "5"})


async def _nothing(_: ServerConnection) -> None:
    pass


@asynccontextmanager
async def asking(home: Home, person: Literal["allows", "refuses", "sleeps"]) -> AsyncIterator[Path]:
    """Chrome's chrome://inspect server: WebSocket only, and only if the person allows it."""
    file = home.profile() / "DevToolsActivePort"
    port, path = file.read_text().split()
    ended = asyncio.Event()

    async def ask(connection: ServerConnection, request: Request) -> Response | None:
        if request.path != path:
            return connection.respond(HTTPStatus.NOT_FOUND, "")
        if person == "sleeps":
            await ended.wait()
        return connection.respond(HTTPStatus.FORBIDDEN, "") if person == "refuses" else None

    async def relay(client: ServerConnection) -> None:
        async with connect(f"ws://127.0.0.1:{port}{path}", max_size=None) as browser:

            async def onward() -> None:
                async for frame in client:
                    await browser.send(frame)
                await browser.close()

            going = asyncio.create_task(onward())
            async for frame in browser:
                await client.send(frame)
            await going

    async with serve(relay, "127.0.0.1", 0, process_request=ask, max_size=None) as server:
        file.write_text(f"{next(iter(server.sockets)).getsockname()[1]}\n{path}")
        yield file
        ended.set()
        server.close(close_connections=True)


async def test_auto_endpoint_connects_to_a_server_that_offers_only_websocket(home: Home) -> None:
    with home.chrome():
        async with asking(home, "allows"), Browser.connect("auto") as browser:
            assert (await browser.evaluate("6 * 7")).value == 42


async def test_connect_times_out_if_the_person_does_not_respond_to_the_prompt(home: Home) -> None:
    with home.chrome():
        async with asking(home, "sleeps"):
            with pytest.raises(EndpointUnreachable) as refused:
                await Browser.connect("auto", timeout_ms=1500)
        assert refused.value.data["waits_for"] == "person"
        assert "1500 ms" in refused.value.message


async def test_connect_fails_if_the_person_refuses_debugging(home: Home) -> None:
    with home.chrome():
        async with asking(home, "refuses"):
            with pytest.raises(EndpointUnreachable, match="did not allow"):
                await Browser.connect("auto")


# -- the action, and the debug browser -----------------------------------------------------------


async def test_browser_connect_without_a_url_finds_the_persons_chrome(home: Home) -> None:
    session = session_of(CONFIG)
    nowhere = await dispatch(session, CONFIG, "browser_connect", {})
    assert nowhere.data["error"]["code"] == "endpoint_unreachable"
    with home.chrome() as chrome:
        connected = await dispatch(session, CONFIG, "browser_connect", {})
        assert not connected.is_error, connected.text
        left = await dispatch(session, CONFIG, "browser_disconnect", {})
        assert "tabs that this task opened are closed" in left.text
        async with asyncio.timeout(60):  # the browser closes the task's tab a little later
            while await persons_tabs() != ["mine"]:  # noqa: ASYNC110 - no event reports it
                await asyncio.sleep(0.1)
        assert chrome.poll() is None
    both = await dispatch(session, CONFIG, "browser_connect", {"launch": True, "url": "auto"})
    assert both.data["error"]["data"]["field"] == "url"
    await session.close()


async def test_auto_launch_reuses_the_debug_browser_and_keeps_it_open(home: Home) -> None:
    async with Browser.connect("auto:launch") as first:
        pid = await _pid()
        await first.cookies("set", name="login", value="yes", url="https://shop.example/")
    try:
        async with Browser.connect("auto:launch") as second:
            assert await _pid() == pid
            assert len((await second.cookies("list", url="https://shop.example/")).value) == 1
    finally:
        os.kill(pid, signal.SIGKILL)


@needs("chromium")  # headless shells do not lock the profile
async def test_auto_launch_fails_if_the_debug_profile_is_in_use(home: Home) -> None:
    home.browser = whole_chromium()
    profile = home.folder / "data/tabwarden/debug-chrome"
    profile.parent.mkdir(parents=True)
    profile.symlink_to(home.profile())
    with home.chrome():
        (profile / "DevToolsActivePort").unlink()  # as if it had no debugging
        with pytest.raises(LaunchFailed, match="Another browser is using the profile"):
            await Browser.connect("auto:launch")


async def _pid() -> int:
    """The debug browser's process ID, as the browser reports it."""
    offer = await offer_at(debug_chrome.DEBUGGING_PORT, Budget(5_000))
    async with connect(offer.ws_url) as wire:
        await wire.send(json.dumps({"id": 1, "method": "SystemInfo.getProcessInfo"}))
        infos = json.loads(await wire.recv())["result"]["processInfo"]
    return next(int(one["id"]) for one in infos if one["type"] == "browser")
