"""Fifty tabs open dialogs at the same moment; each gets its own answer."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any, get_args

import pytest
from support.eventually import eventually_async
from support.site import Site

from tabwarden import Browser
from tabwarden.config import BrowserConfig

TABS = 50
BRIDGES = get_args(BrowserConfig.model_fields["dialog_bridge"].annotation)
CHANNELS = {"auto": "debugger"}

# The server delays them until all tabs are open.
ASKING = """<script>
fetch("/go").then(() => { window.got = prompt("I am " + location.hostname, "nothing") });
</script>"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("bridge", "at_once"),
    [
        ("auto", 10),
        *(pytest.param(one, 10, marks=pytest.mark.long) for one in BRIDGES if one != "auto"),
        pytest.param("native", TABS, marks=pytest.mark.long),
    ],
)
def test_fifty_open_dialogs_each_get_their_own_answer(
    bridge: Any, at_once: int, site: Site
) -> None:
    go = threading.Event()

    def hold(handler: BaseHTTPRequestHandler) -> None:
        go.wait(60)
        handler.send_response(200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    async def run() -> None:
        config = BrowserConfig(dialog_bridge=bridge, dialog_policy="must_respond")
        async with Browser.launch(config=config) as browser:
            # Fifty sites: tabs on one site may share a process, where one dialog blocks them all.
            urls = [site.there.replace("//", f"//tab{n}.") + "/" for n in range(TABS)]
            opened = await asyncio.gather(*(browser.tabs("open", url=url) for url in urls))
            tabs = [result.tab_id for result in opened]
            assert len(set(tabs)) == TABS
            assert browser.state.pending_dialogs == ()

            go.set()
            await eventually_async(lambda: len(browser.state.pending_dialogs) == TABS)
            dialogs = browser.state.pending_dialogs
            assert len({dialog.id for dialog in dialogs}) == TABS
            assert {dialog.channel for dialog in dialogs} == {CHANNELS.get(bridge, bridge)}
            asked = {dialog.tab_id: dialog.message for dialog in dialogs}
            assert asked == {tab: f"I am tab{n}.localhost" for n, tab in enumerate(tabs)}
            assert f"{TABS} dialogs waiting" in browser.state_message()

            # Not in the order in which they opened, and several at a time.
            mixed = dialogs[::2] + dialogs[1::2]
            for first in range(0, TABS, at_once):
                answers = (
                    browser.dialog("accept", f"for {dialog.tab_id}", dialog_id=dialog.id)
                    for dialog in mixed[first : first + at_once]
                )
                for answered in await asyncio.gather(*answers):
                    assert answered.value["closed_by"] == "agent"
            assert browser.state.pending_dialogs == ()
            got = await asyncio.gather(*(browser.evaluate("got", tab_id=tab) for tab in tabs))
            assert [result.value for result in got] == [f"for {tab}" for tab in tabs]

    site.page("/", ASKING)
    site.pages["/go"] = hold
    try:
        asyncio.run(run())
    finally:
        go.set()
