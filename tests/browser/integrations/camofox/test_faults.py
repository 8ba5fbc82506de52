"""An unavailable, slow, full or foreign Camofox server gives a typed error in time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from support.camofox import CamofoxServer, camofox_server, require_camofox
from support.pace import in_time
from support.site import Site

from tabwarden.errors import (
    BrowserGone,
    EndpointUnreachable,
    InvalidArgument,
    NotSupported,
    TabwardenError,
    UnknownRef,
)
from tabwarden.integrations.camofox import CamofoxBrowser

pytestmark = pytest.mark.anyio
Reply = tuple[int, object]


@contextmanager
def recorded(replies: Callable[[str, str], Reply | None]) -> Iterator[str]:
    """A server with responses recorded from Camofox; None means no response at all."""
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = replies(self.command, self.path.partition("?")[0])
            if reply is None:
                ended.wait(30)
                return
            told = reply[1]
            body = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(reply[0])
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):  # the client may have disconnected
                self.wfile.write(body)

        do_POST = do_DELETE = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"camofox:http://127.0.0.1:{server.server_address[1]}"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()


def healthy(path: str) -> Reply:
    if path == "/health":
        return 200, {"ok": True, "engine": "camoufox"}
    if path == "/tabs":
        return 200, {"running": True, "tabs": []}
    return (200, {"ok": True}) if path.startswith("/sessions/") else (404, {"error": "Not found"})


async def failed(endpoint: str) -> TabwardenError:
    with pytest.raises(TabwardenError) as caught:
        async with CamofoxBrowser.connect(endpoint, timeout_ms=1500):
            pass
    return caught.value


async def test_connect_fails_if_no_camofox_server_is_listening() -> None:
    error = await failed("camofox:http://127.0.0.1:9")
    assert error.code == "endpoint_unreachable"
    assert "npx @askjo/camofox-browser" in error.hint


@pytest.mark.parametrize("answer", [(200, {"Browser": "Chrome/156"}), (404, {}), (200, "hi")])
async def test_connect_rejects_a_server_that_is_not_camofox(answer: Reply) -> None:
    with recorded(lambda *_: answer) as endpoint:
        error = await failed(endpoint)
    assert error.code == "endpoint_unreachable"
    assert "not a Camofox server" in error.message


async def test_connect_to_an_unresponsive_server_ends_within_its_budget() -> None:
    with recorded(lambda *_: None) as endpoint, in_time(1.5):
        assert (await failed(endpoint)).code == "budget_exceeded"


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        ((429, {"error": "Maximum tabs per session reached"}), "endpoint_unreachable", "is full"),
        ((503, {"error": "Maximum concurrent sessions reached"}), "endpoint_unreachable", "full"),
        ((503, {"error": "Browser launch timeout"}), "endpoint_unreachable", "unavailable"),
        ((502, {"error": "SSL certificate error", "code": "ssl_error"}), "page_unreachable",
         "can't be loaded"),
        ((500, {"error": "Internal server error"}), "endpoint_unreachable", "HTTP 500"),
        (None, "budget_exceeded", "1000 ms"),
    ],
)  # fmt: skip
async def test_goto_reports_that_the_server_cannot_open_a_tab(
    reply: Reply | None, code: str, words: str
) -> None:
    def replies(method: str, path: str) -> Reply | None:
        return reply if (method, path) == ("POST", "/tabs") else healthy(path)

    with recorded(replies) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            with in_time(1.0), pytest.raises(TabwardenError, match=words) as caught:
                await browser.goto("http://shop.example/", timeout_ms=1000)
            assert caught.value.code == code


TAB = {"tabId": "a", "url": "http://shop.example/", "title": "Shop"}


def one_tab(**others: object) -> Callable[[str, str], Reply | None]:
    """A server with one tab; ``POST_tabs_a_press={...}`` sets another response with status 200."""

    opened: list[object] = []

    def replies(method: str, path: str) -> Reply | None:
        name = f"{method}{path.replace('/', '_')}"
        if name == "POST_tabs":
            opened.append(TAB)
        if name in others:
            other = others[name]
            return other if isinstance(other, tuple) else (200, other)  # type: ignore[return-value]
        known: dict[str, object] = {
            "POST_tabs": TAB, "GET_tabs": {"tabs": opened[:1]},
            "POST_tabs_a_navigate": {"ok": True},
            "GET_tabs_a_downloads": {"downloads": []}, "DELETE_tabs_a": {"ok": True},
            "POST_tabs_a_press": {"ok": True},
            "GET_tabs_a_snapshot": {"url": TAB["url"], "snapshot": '- button "Buy" [e1]'},
        }  # fmt: skip
        return (200, known[name]) if name in known else healthy(path)

    return replies


@pytest.mark.parametrize(
    ("answers", "does"),
    [
        ({"POST_tabs": {}}, "goto"),
        ({"POST_tabs": {"tabId": 7}}, "goto"),
        ({"POST_tabs": [1]}, "goto"),
        ({"GET_tabs_a_snapshot": {"snapshot": 5, "hasMore": True}}, "snapshot"),
        ({"GET_tabs_a_snapshot": {"snapshot": "", "hasMore": True, "nextOffset": "x"}}, "snapshot"),
        ({"GET_tabs_a_snapshot": b" " * (64 * 1024 * 1024 + 1)}, "snapshot"),
        ({"GET_tabs_a_downloads": {"downloads": [3]}}, "wait"),
        ({"GET_tabs_a_downloads": {"downloads": [{"id": "d", "bytes": "x"}]}}, "wait"),
    ],
    ids=range(8),
)
async def test_malformed_camofox_response_raises_endpoint_unreachable(
    answers: dict[str, object], does: str
) -> None:
    with recorded(one_tab(**answers)) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:

            async def do() -> None:
                await browser.goto("http://shop.example/")
                await (browser.snapshot() if does == "snapshot" else browser.wait(download=True))

            with pytest.raises(EndpointUnreachable, match="is not a Camofox server"):
                await do()


@pytest.mark.parametrize(
    "tabs",
    [{"tabs": "x"}, {"tabs": [None]}, {"tabs": [{"tabId": 1}]}, b"[" * 100_000],
    ids=["text", "null", "number", "deep"],
)
async def test_goto_works_despite_a_malformed_tab_list(tabs: object) -> None:
    with recorded(one_tab()) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            await browser.goto("http://shop.example/")
    with recorded(one_tab(GET_tabs=tabs)) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            assert (await browser.goto("http://shop.example/")).tab_id == "t1"


async def test_closing_an_already_closed_tab_succeeds() -> None:
    gone = (404, {"error": "Tab not found"})
    with recorded(one_tab(DELETE_tabs_a=gone)) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            await browser.tabs("open")
            left = (await browser.tabs("close")).value
            assert "t1" not in [tab["tab_id"] for tab in left]


async def test_browser_forgets_refs_and_outline_of_a_closed_tab() -> None:
    listed: list[object] = [TAB]
    with recorded(one_tab(GET_tabs={"tabs": listed})) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            await browser.goto("http://shop.example/")
            ref = (await browser.snapshot()).ref("Buy")
            listed.clear()
            assert (await browser.tabs()).value == []
            with pytest.raises(UnknownRef):
                await browser.snapshot(ref=ref)
            assert browser._reader._last == {}


@pytest.mark.long
async def test_tabs_action_shows_current_urls_while_the_servers_tab_list_hangs() -> None:
    now = {"tabId": "a", "url": "http://shop.example/next"}
    replies = one_tab(GET_tabs_a_stats=now, POST_tabs_a_evaluate={"ok": True, "result": "Next"})
    opened = threading.Event()

    def hanging(method: str, path: str) -> Reply | None:
        if opened.is_set() and (method, path) == ("GET", "/tabs"):
            return None
        return replies(method, path)

    with recorded(hanging) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            await browser.goto("http://shop.example/")
            opened.set()
            (tab,) = (await browser.tabs()).value
            assert (tab["url"], tab["title"]) == (now["url"], "Next")


async def test_goto_reports_the_pages_http_error_status() -> None:
    """The server calls 5xx a failure of ``navigate``, but not of opening a tab."""
    failing = (502, {"error": "Destination server returned HTTP 503",
                     "code": "destination_unavailable"})  # fmt: skip
    answers = {"POST_tabs": {**TAB, "httpStatus": 503}, "POST_tabs_a_navigate": failing}
    with recorded(one_tab(**answers)) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            for _ in range(2):
                went = await browser.goto("http://shop.example/")
                assert went.note == "The server replied 503."
                assert went.navigation == "new_document"


async def test_downloads_keep_their_ids_across_snapshots() -> None:
    many = [{"id": f"d{n}", "bytes": 1} for n in range(30)]
    with recorded(one_tab(GET_tabs_a_downloads={"downloads": many})) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            for _ in range(3):
                await browser.goto("http://shop.example/")
                ids = [one["id"] for one in (await browser.snapshot()).downloads]
                assert ids == [f"dl-{n}" for n in range(11, 31)]


async def test_camofox_browser_disables_dialog_support_after_the_plugin_disappears() -> None:
    with recorded(one_tab(GET_tabwarden={"plugin": "tabwarden"})) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            async with asyncio.timeout(60):
                while browser.capabilities.answer_dialogs:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            with pytest.raises(NotSupported):
                await browser.dialog("accept")


@pytest.mark.parametrize(
    ("suffix", "context"), [("", "shared"), ("", "window"), ("?user=ann", "own")]
)
def test_camofox_browser_rejects_unsupported_context_modes(suffix: str, context: Any) -> None:
    with pytest.raises(NotSupported) as caught:
        CamofoxBrowser.connect(f"camofox:http://127.0.0.1:9{suffix}", context=context)
    assert caught.value.data["field"] == "context"


async def test_action_on_a_crashed_tab_raises_target_crashed() -> None:
    def replies(method: str, path: str) -> Reply | None:
        if (method, path) == ("POST", "/tabs"):
            return 200, {"tabId": "a", "url": "http://shop.example/"}
        if path == "/tabs/a/navigate":
            return 200, {"ok": True}
        if path == "/tabs/a/press":
            return 410, {"error": "Page crashed.", "code": "page_crashed"}
        if path == "/tabs" and method == "GET":
            return 200, {"tabs": [{"tabId": "a", "url": "http://shop.example/", "title": ""}]}
        return healthy(path)

    with recorded(replies) as endpoint:
        async with CamofoxBrowser.connect(endpoint) as browser:
            await browser.goto("http://shop.example/")
            with pytest.raises(TabwardenError, match="crashed") as caught:
                await browser.press("Enter")
            assert caught.value.code == "target_crashed"


@pytest.mark.parametrize("endpoint", ["camofox:ftp://x", "camofox:http://", "camofox:http://u:p@h"])
def test_connect_rejects_an_invalid_camofox_address(endpoint: str) -> None:
    with pytest.raises(InvalidArgument, match="not a server's address") as caught:
        CamofoxBrowser.connect(endpoint)
    assert caught.value.data["field"] == "endpoint"


@pytest.fixture
def keyed() -> Iterator[CamofoxServer]:
    require_camofox()
    with camofox_server(environment={"CAMOFOX_ACCESS_KEY": "right"}) as server:
        yield server


async def test_camofox_browser_requires_the_right_key_and_reopens_after_a_server_restart(
    keyed: CamofoxServer, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the real server: an incorrect key, the right key, and a server that restarts."""
    url = site.page("/", "<button>Go</button>")
    monkeypatch.setenv("CAMOFOX_URL", keyed.url)
    monkeypatch.setenv("CAMOFOX_ACCESS_KEY", "wrong")
    refused = await failed("camofox:")
    assert "refused the key" in refused.message
    assert "CAMOFOX_ACCESS_KEY" in refused.hint
    assert "wrong" not in str(refused)
    monkeypatch.setenv("CAMOFOX_ACCESS_KEY", "right")
    async with CamofoxBrowser.connect("camofox:") as browser:
        await browser.goto(url)
        ref = (await browser.snapshot()).ref("Go")
        keyed.kill()
        with pytest.raises(EndpointUnreachable, match="can't be reached"):
            await browser.click(ref)
        keyed.start()
        with pytest.raises(BrowserGone) as caught:
            await browser.click(ref)
        assert "Open" in caught.value.hint
        await browser.goto(url)
        assert (await browser.snapshot()).ref("Go") != ref, "a ref is not used again"
