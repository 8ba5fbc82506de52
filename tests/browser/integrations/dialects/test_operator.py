"""Behavior of the ``operator`` dialect that recorded conversations cannot show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.site import Site

import tabwarden
from tabwarden.actions import Answer, Session
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig
from tabwarden.toolsets import toolset_of

pytestmark = pytest.mark.anyio
OPERATOR = toolset_of("operator")


class Agent:
    """Call the tool; the call must succeed unless the test expects a failure."""

    def __init__(self, config: BrowserConfig) -> None:
        self.config = config
        self.session: Session = session_of(config, auto_open=OPERATOR.auto_open)
        self.session.name_call = OPERATOR.call

    async def answer(self, action: str, **fields: Any) -> Answer:
        given = {"action": action, **fields}
        return await OPERATOR.prepare(self.config, "browser", given).run(self.session)

    async def does(self, action: str, **fields: Any) -> str:
        answer = await self.answer(action, **fields)
        assert not answer.is_error, answer.text
        return answer.text

    async def fails(self, action: str, **fields: Any) -> str:
        answer = await self.answer(action, **fields)
        assert answer.is_error, answer.text
        code: str = answer.data["error"]["code"]
        return code


async def test_operator_dialect_attaches_to_a_running_browser_and_keeps_it_running(
    port: int, site: Site
) -> None:
    url = site.page("/", "<p>kept")
    agent = Agent(BrowserConfig())
    said = await agent.does("open", attach_to_existing=True, cdp_port=port, headless=False)
    assert "Browser ready. 1 tab(s) open." in said
    assert await agent.fails("open", browser="edge") == "already_open"
    await agent.does("goto", url=url)
    assert "keeps running" in await agent.does("close")
    assert await agent.fails("scrape") == "not_open"
    async with tabwarden.Browser.connect(f"http://127.0.0.1:{port}") as browser:
        assert [tab.url for tab in browser.state.tabs] == [url]


async def test_operator_attach_to_a_dead_port_reports_it_as_unreachable(folder: Path) -> None:
    agent = Agent(BrowserConfig())
    assert await agent.fails("open", attach_to_existing=True, cdp_port=1) == "endpoint_unreachable"
    assert await agent.fails("back") == "not_open"


async def test_must_respond_policy_leaves_a_dialog_open_for_the_agent(site: Site) -> None:
    url = site.page(
        "/",
        "<button style='position: fixed; left: 0; top: 0; width: 99px; height: 40px' "
        "onclick=\"document.title = prompt('Name?')\">Ask</button>",
    )
    agent = Agent(BrowserConfig(dialog_policy="must_respond"))
    try:
        await agent.does("open")
        await agent.does("goto", url=url)
        said = await agent.does("click", x=20, y=20)
        assert 'prompt "Name?"' in said
        assert 'browser(action="dialog", ' in said
        assert "browser_" not in said
        assert "Dialog accepted." in await agent.does("dialog", text="Ada")
        assert 'Script result: "Ada"' in await agent.does("script", script="document.title")
        assert await agent.fails("dialog") == "no_dialog"
    finally:
        await agent.session.close()


async def test_dialog_answer_stored_in_the_history_omits_the_state_line(site: Site) -> None:
    url = site.page(
        "/",
        "<title>before</title><button style='position: fixed; left: 0; top: 0; width: 99px; "
        "height: 40px' onclick=\"alert('hi'); document.title = 'after'\">Ask</button>",
    )
    agent = Agent(BrowserConfig())
    try:
        await agent.does("open")
        await agent.does("goto", url=url)
        answer = await agent.answer("click", x=20, y=20)
        assert 'alert "hi"' in answer.words
        assert "| after |" in answer.text
        assert "[Browser:" not in answer.words
    finally:
        await agent.session.close()


@pytest.mark.long
async def test_script_that_opens_endless_confirms_returns_interrupted(site: Site) -> None:
    url = site.page("/", "<p>plain")
    agent = Agent(BrowserConfig())
    try:
        await agent.does("open")
        await agent.does("goto", url=url)
        said = await agent.does("script", script="for (;;) confirm('again?')", timeout_ms=2_000)
        assert "interrupted" in said
        assert 'confirm "again?"' in said
    finally:
        await agent.session.close()


async def test_tab_close_action_closes_only_the_tab_with_the_given_index(site: Site) -> None:
    agent = Agent(BrowserConfig())
    try:
        await agent.does("open")
        await agent.does("goto", url=site.page("/0", "zero"))
        for name in ("1", "2"):
            await agent.does("tab", url=site.page(f"/{name}", name))
        refused = await agent.answer("tab", tab_mode="close", tab_index=3)
        assert refused.data["error"]["code"] == "invalid_argument", refused.text
        assert refused.data["error"]["data"]["field"] == "tab_index"
        assert "Closed tab 0." in await agent.does("tab", tab_mode="close", tab_index=0)
        browser = agent.session.current
        assert browser is not None
        assert [tab.url for tab in browser.state.tabs] == [f"{site.here}/1", f"{site.here}/2"]
        assert "Closed current tab." in await agent.does("tab", tab_mode="close")
        assert await agent.fails("tab", tab_mode="close", tab_index=1) == "invalid_argument"
        assert "last remaining" in await agent.does("tab", tab_mode="close", tab_index=0)
        assert [tab.url for tab in browser.state.tabs] == [f"{site.here}/1"]
    finally:
        await agent.session.close()
