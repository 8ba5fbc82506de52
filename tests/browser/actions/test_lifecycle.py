"""Opening, attaching to, leaving and closing a session's browser, and the tools available then."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.site import Site

import tabwarden
from tabwarden.actions import ACTIONS, Answer, Session, available, dispatch
from tabwarden.actions.sessions.opening import session_of
from tabwarden.browser import Browser
from tabwarden.browser.opening import registry
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument

pytestmark = pytest.mark.anyio
CONFIG = BrowserConfig()


@pytest.fixture
async def session() -> AsyncIterator[Session]:
    made = session_of(CONFIG)
    yield made
    await made.close()


async def call(session: Session, tool: str, **arguments: Any) -> Answer:
    return await dispatch(session, CONFIG, tool, arguments)


def code_of(answer: Answer) -> str:
    return answer.data["error"]["code"] if answer.is_error else ""


async def test_session_has_at_most_one_open_browser(session: Session, site: Site) -> None:
    opened = await call(session, "browser_open", url=site.page("/first", "<h1>First</h1>"))
    assert not opened.is_error
    again = await call(session, "browser_open")
    assert code_of(again) == "already_open"
    closed = await call(session, "browser_close")
    assert "is closed" in closed.text
    assert code_of(await call(session, "browser_close")) == "not_open"
    assert code_of(await call(session, "browser_snapshot")) == "not_open"
    assert not (await call(session, "browser_open")).is_error


async def test_actions_open_no_browser_if_auto_open_is_off(site: Site) -> None:
    session = session_of(CONFIG, auto_open=False)
    refused = await call(session, "browser_navigate", url=site.page("/off", "off"))
    assert code_of(refused) == "not_open"
    assert "browser_open" in refused.text
    await call(session, "browser_open")
    assert not (await call(session, "browser_navigate", url=site.page("/off", "off"))).is_error
    await session.close()


async def test_attached_browser_keeps_running_after_disconnect_and_close(
    session: Session, port: int, site: Site
) -> None:
    attached = await call(session, "browser_open", attach_to_existing=True, cdp_port=port)
    assert not attached.is_error, attached.text
    await call(session, "browser_navigate", url=site.page("/kept", "kept"))
    left = await call(session, "browser_disconnect")
    assert "keeps running" in left.text
    assert code_of(await call(session, "browser_disconnect")) == "not_open"
    again = await call(session, "browser_connect", url=str(port))
    assert "/kept" in (await call(session, "browser_tabs")).text, again.text
    closed = await call(session, "browser_close")
    assert "keeps running" in closed.text


async def test_first_snapshot_of_an_attached_browser_shows_its_current_page(
    port: int, site: Site
) -> None:
    """A model that starts with a snapshot gets no hint to navigate a person's tab away."""
    endpoint = f"http://127.0.0.1:{port}"
    async with await Browser.connect(endpoint) as person:
        await person.goto(site.page("/mine", "<button>Mine</button>"))
        config = BrowserConfig(endpoint=endpoint)
        session = session_of(config)
        try:
            refused = await dispatch(session, config, "browser_click", {"ref": "e1"})
            assert code_of(refused) == "not_open"
            shown = await dispatch(session, config, "browser_snapshot", {})
            assert 'button "Mine"' in shown.text
        finally:
            await session.close()


@pytest.mark.long
async def test_connect_closes_the_previous_browser_only_after_it_succeeds(
    session: Session, port: int, site: Site
) -> None:
    await call(session, "browser_navigate", url=site.page("/own", "<button>Own</button>"))
    first = session.current
    nowhere = await call(session, "browser_connect", url="http://127.0.0.1:9")
    assert code_of(nowhere) == "endpoint_unreachable"
    assert session.current is first
    assert "Own" in (await call(session, "browser_snapshot")).text
    refused = await call(session, "browser_disconnect")
    assert code_of(refused) == "not_supported"
    connected = await call(session, "browser_connect", url=f"http://127.0.0.1:{port}")
    assert "previous browser was closed" in connected.text
    assert "was disconnected" not in connected.text
    assert session.current is not first
    assert first is not None
    assert not first.is_open
    attached = session.current
    again = await call(session, "browser_connect", url=f"http://127.0.0.1:{port}")
    assert "previous browser was disconnected" in again.text
    assert session.current is not attached


@pytest.mark.parametrize("url", ["", " ", "\t"])
async def test_connect_rejects_an_empty_address_and_keeps_the_browser_open(
    session: Session, site: Site, url: str
) -> None:
    await call(session, "browser_navigate", url=site.page("/kept", "kept"))
    first = session.current
    refused = await call(session, "browser_connect", url=url)
    assert code_of(refused) == "invalid_argument", refused.text
    assert refused.data["error"]["data"]["field"] == "url"
    assert session.current is first
    assert "kept" in (await call(session, "browser_snapshot")).text


def process_of(browser: Browser) -> int:
    supervisor = registry.get(browser.task_id)
    assert supervisor is not None
    assert supervisor.opened is not None
    assert supervisor.opened.launched is not None
    return supervisor.opened.launched.pid


async def test_unknown_tool_error_suggests_the_closest_name(session: Session) -> None:
    answer = await call(session, "browser_clik")
    assert code_of(answer) == "invalid_argument"
    assert "Did you mean browser_click?" in answer.text


@pytest.mark.parametrize("given", [{"browser": "chrome"}, {"headless": False}])
async def test_open_rejects_launch_options_together_with_a_cdp_port(
    session: Session, given: dict[str, Any]
) -> None:
    refused = await call(session, "browser_open", cdp_port=9222, **given)
    assert code_of(refused) == "invalid_argument"
    assert session.current is None


@pytest.mark.long
async def test_browser_tools_are_unavailable_after_the_browser_dies(
    session: Session, site: Site
) -> None:
    told = asyncio.Event()
    session.watch(told.set)
    await call(session, "browser_navigate", url=site.page("/gone", "gone"))
    assert available(CONFIG, session) == list(ACTIONS.values())
    told.clear()
    assert session.current is not None
    os.kill(process_of(session.current), signal.SIGKILL)
    async with asyncio.timeout(60):
        while not session.lacks:
            await told.wait()
            told.clear()
    names = {action.tool for action in available(CONFIG, session)}
    assert not names & {"browser_dialog", "browser_cdp"}
    await call(session, "browser_navigate", url=site.page("/gone", "gone"))
    assert not session.lacks


async def test_open_browser_applies_a_changed_configuration(session: Session, site: Site) -> None:
    await call(session, "browser_navigate", url=site.page("/obeys", "<h1>Obeys</h1>"))
    session.configure(BrowserConfig(dialog_policy="auto_accept", evaluate_enabled=False))
    assert session.current is not None
    with pytest.raises(tabwarden.TabwardenError, match="switches scripts off"):
        await session.current.evaluate("1")
    config = BrowserConfig(dialog_policy="auto_accept")
    session.configure(config)
    done = await dispatch(session, config, "browser_evaluate", {"script": "confirm('Sure?')"})
    assert "dialog policy accepted this dialog" in done.data["next"]


@pytest.mark.parametrize("headless", ["x", 1, 0, "false"])
def test_launch_rejects_a_headless_value_that_is_not_a_boolean(headless: Any) -> None:
    with pytest.raises(InvalidArgument, match="headless must be true or false") as caught:
        Browser.launch(headless=headless)
    assert caught.value.data == {"field": "headless"}
