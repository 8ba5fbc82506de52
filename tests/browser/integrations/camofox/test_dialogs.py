"""A Camofox server with our plugin gives the same dialog guarantees."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest
from support.camofox import CamofoxServer, camofox_server, require_camofox
from support.pace import in_time, long_before
from support.site import Site

from tabwarden import events
from tabwarden.config import BrowserConfig
from tabwarden.errors import DialogPending, FrameNotFound, JsError, NoDialog, TabwardenError
from tabwarden.integrations.camofox import CamofoxBrowser

pytestmark = pytest.mark.anyio
ASKS = """<h1>Asks</h1>
<button onclick="document.title = 'said ' + confirm('Sure?')">Confirm</button>
<button onclick="document.title = 'said ' + prompt('Name?', 'Ann')">Prompt</button>
<button onclick="alert(1); document.title = 'said ' + confirm('Again?')">Twice</button>
<iframe src=/inner title=Inner></iframe>"""


@pytest.fixture(scope="module")
def plugged() -> Iterator[CamofoxServer]:
    require_camofox()
    with camofox_server(plugin=True) as server:
        yield server


@pytest.fixture
async def browser(plugged: CamofoxServer, site: Site) -> AsyncIterator[CamofoxBrowser]:
    site.page(
        "/inner",
        "<button onclick=\"parent.document.title = 'in ' + confirm('In?')\">Ask in</button>",
    )
    url = site.page("/", ASKS, title="Asks")
    async with CamofoxBrowser.connect(f"camofox:{plugged.url}") as browser:
        await browser.goto(url)
        yield browser


async def ask(browser: CamofoxBrowser, name: str) -> str:
    """Click an element; return the ID of the dialog that interrupts the click."""
    with long_before(20):
        clicked = await browser.click((await browser.snapshot()).ref(name), timeout_ms=20_000)
    assert clicked.interrupted
    assert clicked.by is not None
    return str(clicked.by["dialog"]["id"])


async def titled(browser: CamofoxBrowser, title: str) -> None:
    async with asyncio.timeout(60):
        while (await browser.tabs()).title != title:  # noqa: ASYNC110 - a page tells nobody
            await asyncio.sleep(0.1)


async def test_plugin_adds_the_dialog_tool_and_the_frame_tree(browser: CamofoxBrowser) -> None:
    assert browser.capabilities.actions is not None
    assert "dialog" in browser.capabilities.actions
    shown = await browser.snapshot()
    assert shown.unknown == ()
    assert shown.frame_tree["top"]["url"].endswith("/")
    assert [one["url"].rpartition("/")[2] for one in shown.frame_tree["children"]] == ["inner"]


@pytest.mark.parametrize("accept", [True, False])
async def test_confirm_blocks_the_page_until_the_agent_answers(
    browser: CamofoxBrowser, accept: bool
) -> None:
    dialog_id = await ask(browser, "Confirm")
    behind = await browser.snapshot()
    assert behind.stale
    assert f'Dialog {dialog_id} is waiting in tab t1: confirm "Sure?"' in behind.text
    assert 'button "Confirm"' in behind.text, "the last known outline"
    assert behind.pending_dialogs[0]["message"] == "Sure?"
    with in_time(0.0), pytest.raises(DialogPending):
        await browser.press("Enter")
    assert "1 dialog waiting" in browser.state_message()
    closed = (await browser.dialog("accept" if accept else "dismiss")).value
    assert (closed["accepted"], closed["closed_by"]) == (accept, "agent")
    await titled(browser, f"said {str(accept).lower()}")
    with pytest.raises(NoDialog):
        await browser.dialog("accept")
    assert (await browser.snapshot()).recent_dialogs[0]["id"] == dialog_id


async def test_prompt_receives_the_agents_text_or_its_default(browser: CamofoxBrowser) -> None:
    await ask(browser, "Prompt")
    await browser.dialog("accept", "Bob")
    await titled(browser, "said Bob")
    await ask(browser, "Prompt")
    await browser.dialog("accept")
    await titled(browser, "said Ann")


async def test_agent_answers_successive_dialogs_and_a_dialog_in_a_frame(
    browser: CamofoxBrowser,
) -> None:
    await ask(browser, "Twice")
    with browser.events(events.DialogOpened) as heard:
        await browser.dialog("accept")
        second = await asyncio.to_thread(heard.get, 10)
    assert isinstance(second, events.DialogOpened)
    await browser.dialog("accept", dialog_id=second.dialog.id)
    await titled(browser, "said true")
    await ask(browser, "Ask in")
    await browser.dialog("accept")
    await titled(browser, "in true")


async def test_agent_answers_a_dialog_in_a_loading_popup(
    browser: CamofoxBrowser, site: Site
) -> None:
    site.page("/popup", "<script>document.title = 'popup ' + confirm('Popup?')</script>")
    script = "document.body.innerHTML = '<a href=/popup target=_blank rel=opener>Popup</a>'; 0"
    await browser.evaluate(script)
    dialog_id = await ask(browser, "Popup")
    (dialog,) = browser._store.state.pending_dialogs
    assert (dialog.id, dialog.tab_id) == (dialog_id, "t2")
    assert browser._store.state.tabs["t2"].opener_tab_id == "t1"
    assert 0 < dialog.deadline - time.monotonic() <= 25
    await browser.dialog("accept")


async def test_dialog_policy_answers_a_confirm(plugged: CamofoxServer, site: Site) -> None:
    url = site.page("/", ASKS)
    config = BrowserConfig(dialog_policy="auto_accept")
    async with CamofoxBrowser.connect(f"camofox:{plugged.url}", config=config) as browser:
        await browser.goto(url)
        clicked = await browser.click((await browser.snapshot()).ref("Confirm"))
        assert not clicked.interrupted
        await titled(browser, "said true")
        assert (await browser.snapshot()).recent_dialogs[0]["closed_by"] == "auto_policy"


async def test_watchdog_dismisses_an_unanswered_dialog(plugged: CamofoxServer, site: Site) -> None:
    url = site.page("/", ASKS)
    config = BrowserConfig(dialog_timeout_s=1)
    async with CamofoxBrowser.connect(f"camofox:{plugged.url}", config=config) as browser:
        await browser.goto(url)
        await ask(browser, "Confirm")
        await titled(browser, "said false")
        assert (await browser.snapshot()).recent_dialogs[0]["closed_by"] == "watchdog"


async def test_evaluate_runs_scripts_in_camofox_frames(browser: CamofoxBrowser) -> None:
    (frame,) = (await browser.snapshot()).frame_tree["children"]
    script = "document.querySelector('button').textContent"
    assert (await browser.evaluate(script, frame_id=frame["frame_id"])).value == "Ask in"
    with pytest.raises(JsError, match="nothing"):
        await browser.evaluate("nothing()", frame_id=frame["frame_id"])
    with pytest.raises(FrameNotFound):
        await browser.evaluate("1", frame_id="no-such-frame")
    with pytest.raises(TabwardenError) as late:
        await browser.evaluate("new Promise(() => {})", frame_id=frame["frame_id"], timeout_ms=700)
    assert late.value.code == "budget_exceeded"
