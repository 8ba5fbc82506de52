"""A host cancels a running call, gets its progress, or disconnects."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler
from typing import Any

import anyio
import mcp_types as types
import pytest
from browser.surfaces.mcp.host import CANCELLED_MS, Host, hosting
from support.pace import long_before
from support.site import Site
from support.telling import THEN_HANG, tell_when_begun

pytestmark = pytest.mark.anyio

LATER = f"setTimeout(() => {THEN_HANG}, 0)"
BUTTON = f'<button onclick="{THEN_HANG}">Go</button>'

Begun = Callable[[], Awaitable[object]]


@pytest.fixture
def begun(site: Site) -> Begun:
    """Wait until a page has reported that it hangs."""
    told = threading.Event()

    tell_when_begun(site, told.set)

    async def wait() -> None:
        assert await anyio.to_thread.run_sync(told.wait, 60)
        told.clear()

    return wait


@pytest.fixture
def silent(site: Site) -> Iterator[tuple[str, Begun]]:
    """A URL that never responds, and a function that waits for its first request."""
    asked, over = threading.Event(), threading.Event()

    def keep(_: BaseHTTPRequestHandler) -> None:
        asked.set()
        over.wait(60)

    site.pages["/silent"] = site.pages["/silent/json/version"] = keep

    async def wait() -> None:
        assert await anyio.to_thread.run_sync(asked.wait, 60)

    yield f"{site.here}/silent", wait
    over.set()


async def works_at_once(host: Host, url: str) -> None:
    """The next calls work long before the earlier calls' budgets end."""
    with long_before(CANCELLED_MS / 1000):
        text, data = await host.call("browser_evaluate", script="1 + 1")
        # (A canceled reload may already have been in progress.)
        assert data["value"] == 2 or data["status"] == "interrupted", text
        await host.call("browser_navigate", url=url)
        assert 'button "Go"' in (await host.call("browser_snapshot"))[0]


async def test_mcp_cancel_stops_a_running_script(host: Host, site: Site, begun: Begun) -> None:
    url = site.page("/", BUTTON)
    await host.call("browser_navigate", url=url)
    for script in (THEN_HANG, f"new Promise(() => {LATER})"):
        await host.cancelled("browser_evaluate", begun, script=script)
        await works_at_once(host, url)


@pytest.mark.long
async def test_mcp_cancel_of_a_pending_promise_keeps_the_page(host: Host, site: Site) -> None:
    url = site.page("/", BUTTON)
    await host.call("browser_navigate", url=url)
    await host.call("browser_evaluate", script="window.mark = 5")
    running = partial(host.call, "browser_evaluate", script="document.title")
    await host.cancelled("browser_evaluate", running, script="new Promise(() => {})")
    assert (await host.call("browser_evaluate", script="mark"))[1]["value"] == 5


async def test_mcp_cancel_stops_a_navigation_to_an_unresponsive_server(
    host: Host, site: Site, silent: tuple[str, Begun]
) -> None:
    url = site.page("/", BUTTON)
    await host.call("browser_navigate", url=url)
    nowhere, asked = silent
    await host.cancelled("browser_navigate", asked, url=nowhere)
    await works_at_once(host, url)


async def test_mcp_cancel_stops_a_click_whose_handler_never_returns(
    host: Host, site: Site, begun: Begun
) -> None:
    url = site.page("/", BUTTON)
    await host.call("browser_navigate", url=url)
    await host.cancelled("browser_click", begun, ref=await host.ref('"Go"'))
    await works_at_once(host, url)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_snapshot", {}),
        ("browser_screenshot", {"full_page": True}),
        ("browser_wait", {"text": "never there"}),
        ("browser_reload", {}),
        ("browser_press", {"key": "a"}),
        ("browser_type", {"text": "abc"}),
        ("browser_hover", {"x": 5, "y": 5}),
    ],
)
async def test_mcp_cancel_stops_any_action_on_a_hung_page(
    tool: str, arguments: dict[str, Any], host: Host, site: Site, begun: Begun
) -> None:
    url = site.page("/", BUTTON)
    await host.call("browser_navigate", url=url)
    await host.call("browser_evaluate", script=LATER)
    await begun()
    # A later request that needs no page is answered: by then the call is running.
    running = partial(host.call, "browser_tabs")
    await host.cancelled(tool, running, **arguments)
    await works_at_once(host, url)


@pytest.mark.long
async def test_mcp_server_ignores_the_cancellation_of_a_finished_or_unknown_call(
    host: Host, site: Site
) -> None:
    await host.call("browser_navigate", url=site.page("/", BUTTON))
    for request_id in (1, 2, 999, "nonsense"):
        late = types.CancelledNotification(
            params=types.CancelledNotificationParams(request_id=request_id)
        )
        await host.client.session.send_notification(late)
    await works_at_once(host, site.here + "/")


@pytest.mark.long
async def test_mcp_cancel_during_launch_leaves_no_browser_behind(silent: tuple[str, Begun]) -> None:
    nowhere, asked = silent
    async with hosting("--endpoint", nowhere) as host:
        await host.cancelled("browser_navigate", asked, url="about:blank")
        error = await host.fail("browser_navigate", url="about:blank", timeout_ms=300)
        assert error["code"] in ("budget_exceeded", "endpoint_unreachable")


@pytest.mark.long
async def test_long_call_sends_progress_to_a_host_that_requests_it(host: Host, site: Site) -> None:
    await host.call("browser_navigate", url=site.page("/", BUTTON))
    told: list[tuple[float, float | None, str | None]] = []
    enough = anyio.Event()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))
        if len(told) == 2:
            enough.set()

    async def call() -> None:
        await host.client.call_tool(
            "browser_evaluate",
            {"script": "new Promise(() => {})", "timeout_ms": 60_000},
            progress_callback=progress,
        )

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await enough.wait()
        group.cancel_scope.cancel()
    (first, total, message), (second, _, _) = told
    assert 500 < first < second < 60_000
    assert total == 60_000
    assert message is not None
    assert "60000 ms" in message


async def test_short_call_sends_no_progress(host: Host, site: Site) -> None:
    told: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    await host.call("browser_navigate", url=site.page("/", BUTTON))
    await host.client.call_tool("browser_evaluate", {"script": "1"}, progress_callback=progress)
    assert told == []
