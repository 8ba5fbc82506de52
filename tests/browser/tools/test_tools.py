"""``tabwarden.tools`` in a program: with any event loop or none, and any browser."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from browser.tools.shop import HANG, Shop
from support.site import Site

import tabwarden
from tabwarden.config import BrowserConfig, load_config
from tabwarden.errors import InvalidArgument, NotOpen, TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.sync import Browser
from tabwarden.tools import ToolCall, Tools
from tabwarden.tools.sync import Tools as SyncTools


def names(tools: Tools | SyncTools) -> list[str]:
    return [tool["name"] for tool in tools.definitions()]


# -- a browser opened by the tools ---------------------------------------------------------------


def test_sync_tools_open_a_browser_on_demand_and_close_it(shop: Shop) -> None:
    with SyncTools(BrowserConfig(), task_id="buyer") as tools:
        assert tools.browser is None
        assert tools.state_message() == "[Browser: not open]"
        answer = tools.call("browser_navigate", {"url": shop.url})
        browser = tools.browser
        assert browser is not None
        assert browser.task_id == "buyer"
        assert "Shop" in tools.state_message()
        assert answer.state == tools.state_message()
        assert answer.text == answer.words
        assert answer.state not in answer.text
    assert not browser.is_open
    assert not tools.is_open
    with pytest.raises(NotOpen):
        tools.call("browser_snapshot")
    tools.close()


def test_browser_reopened_after_the_model_closed_it_gets_a_new_task_id(shop: Shop) -> None:
    with SyncTools(BrowserConfig(), task_id="again") as tools:
        opened = []
        for _ in range(2):
            tools.call("browser_navigate", {"url": shop.url})
            assert tools.browser is not None
            opened.append(tools.browser.task_id)
            assert "is closed" in tools.call("browser_close").text
    assert opened == ["again", "again#2"]


def test_model_must_open_the_browser_if_auto_open_is_off(shop: Shop) -> None:
    with SyncTools(BrowserConfig(), auto_open=False) as tools:
        refused = tools.call("browser_navigate", {"url": shop.url})
        assert refused.data["error"]["code"] == "not_open"
        assert not tools.call("browser_open", {"url": shop.url}).is_error


# -- a given browser -----------------------------------------------------------------------------


def test_tools_use_a_given_browser_and_do_not_close_it(browser: Browser, shop: Shop) -> None:
    with SyncTools(browser) as tools:
        assert "tab(s)" in tools.state_message()
        tools.call("browser_navigate", {"url": shop.url})
    assert browser.is_open
    assert browser.evaluate("document.title").value == "Shop"


@pytest.mark.anyio
async def test_tools_accept_an_async_browser(shop: Shop) -> None:
    async with tabwarden.Browser.launch() as browser:
        async with Tools(browser) as tools:
            await tools.call("browser_navigate", {"url": shop.url})
            assert tools.browser is browser
        assert browser.state.tabs[0].url == shop.url


@pytest.mark.parametrize(
    "name", ["browser_open", "browser_connect", "browser_disconnect", "browser_close"]
)
def test_model_cannot_open_or_close_a_given_browser(browser: Browser, name: str) -> None:
    tools = SyncTools(browser)
    assert name not in names(tools)
    answer = tools.call(name, {})
    assert answer.data["error"]["code"] == "denied"
    assert browser.is_open


def test_model_learns_that_the_program_closed_its_browser() -> None:
    with Browser.launch() as browser:
        tools = SyncTools(browser)
    assert tools.state_message() == "[Browser: not open]"
    answer = tools.call("browser_navigate", {"url": "about:blank"})
    assert answer.data["error"]["code"] == "not_open"
    assert "program" in answer.text


# -- loops and threads ---------------------------------------------------------------------------


def test_async_tools_work_on_successive_event_loops(browser: Browser, shop: Shop) -> None:
    tools = Tools(browser)
    asyncio.run(tools.call("browser_navigate", {"url": shop.url}))
    answer = asyncio.run(tools.call("browser_evaluate", {"script": "document.title"}))
    assert answer.data["value"] == "Shop"


def test_several_threads_share_sync_tools(browser: Browser) -> None:
    tools = SyncTools(browser)
    with ThreadPoolExecutor(8) as pool:
        scripts = [f"{number} * 2" for number in range(16)]
        answers = pool.map(lambda script: tools.call("browser_evaluate", {"script": script}),
                           scripts)  # fmt: skip
        assert [answer.data["value"] for answer in answers] == list(range(0, 32, 2))


# -- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "code", "said"),
    [
        ("browser_clik", {}, "invalid_argument", "browser_click"),
        ("browser_click", "{", "invalid_argument", "JSON"),
        ("browser_click", {"reff": "e1"}, "invalid_argument", "ref"),
        ("browser_click", {"ref": "e999999"}, "unknown_ref", "e999999"),
        ("browser_evaluate", {"script": "while(true){}", "timeout_ms": 300}, "budget_exceeded",
         "300"),
    ],
)  # fmt: skip
def test_tools_return_errors_instead_of_raising_them(
    tools: Tools, name: str, arguments: Any, code: str, said: str
) -> None:
    answer = asyncio.run(tools.call(name, arguments))
    assert answer.is_error
    assert answer.data["error"]["code"] == code
    assert said in answer.text


def test_programs_timeout_overrides_the_models_timeout(browser: Browser) -> None:
    tools = SyncTools(browser)
    asked = {"script": "while(true){}", "timeout_ms": 60_000}
    answer = tools.call("browser_evaluate", asked, timeout_ms=300)
    assert answer.data["error"]["data"]["timeout_ms"] == 300
    with pytest.raises(InvalidArgument):
        tools.call("browser_snapshot", timeout_ms=-1)


def test_screenshot_result_contains_the_image_and_the_text(browser: Browser) -> None:
    answer = SyncTools(browser).call("browser_screenshot", '{"format": "jpeg"}')
    assert answer.picture is not None
    assert answer.picture.data[:2] == b"\xff\xd8"
    assert answer.picture.media_type == "image/jpeg"


@pytest.mark.anyio
async def test_canceling_a_tool_call_stops_its_script_in_the_page(tools: Tools, shop: Shop) -> None:
    await tools.call("browser_navigate", {"url": shop.url})
    call = asyncio.create_task(tools.call("browser_evaluate", {"script": HANG}))
    await shop.hung()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await tools.call("browser_evaluate", {"script": "6 * 7"})).data["value"] == 42


@pytest.mark.anyio
async def test_tools_run_a_replys_calls_in_order_and_return_messages(
    tools: Tools, shop: Shop
) -> None:
    calls = [
        ("browser_navigate", {"url": shop.url}),
        ("browser_evaluate", {"script": "document.title"}),
        ("browser_screenshot", {}),
    ]
    reply = {"role": "assistant", "tool_calls": [
        {"id": name, "type": "function",
         "function": {"name": name, "arguments": json.dumps(arguments)}}
        for name, arguments in calls
    ]}  # fmt: skip
    assert [call.name for call in tools.calls("openai", reply)] == [name for name, _ in calls]
    messages = await tools.answer("openai", reply)
    assert [message.get("tool_call_id") for message in messages] == [
        *(name for name, _ in calls),
        None,
    ]
    assert "Shop" in messages[1]["content"]
    assert "[Browser" not in json.dumps(messages)
    assert await tools.answer("openai", {"role": "assistant", "content": "Done."}) == []


def test_sync_tools_run_a_replys_calls_and_return_messages(browser: Browser) -> None:
    tools = SyncTools(browser)
    reply = {"tool_calls": [{"id": "1", "name": "browser_evaluate", "arguments": {"script": "1"}}]}
    (message,) = tools.answer("plain", reply)
    call, answer = ToolCall(id="1", name="browser_evaluate"), tools.call("browser_evaluate",
                                                                     {"script": "1"})  # fmt: skip
    assert tools.results("plain", [(call, answer)]) == [message]


# -- tool definitions ----------------------------------------------------------------------------


def test_model_can_add_tools_to_the_core_toolset(browser: Browser) -> None:
    tools = SyncTools(browser)
    assert "browser_click" in names(tools)
    assert "browser_cookies" not in names(tools)
    assert "browser_cookies" in [tool.name for tool in tools.known()]
    assert tools.call("browser_tools", {"add": ["storage"]}).data["status"] == "ok"
    assert "browser_cookies" in names(tools)


def test_tool_definitions_follow_a_given_browsers_configuration(browser: Browser) -> None:
    tools = SyncTools(browser)
    assert "browser_evaluate" in names(tools)
    browser.configure(browser.config.model_copy(update={"evaluate_enabled": False}))
    assert "browser_evaluate" not in names(tools)
    assert "browser_evaluate" in [tool.name for tool in tools.known()]
    assert tools.call("browser_evaluate", {"script": "1"}).data["error"]["code"] == "disabled"
    browser.configure(browser.config.model_copy(update={"enabled": False}))
    assert names(tools) == []


def test_tool_definitions_follow_the_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("browser: {cdp_enabled: true}")
    tools = SyncTools(LiveConfig(lambda: load_config(file), file), toolset="full")
    assert "browser_cdp" in names(tools)
    file.write_text("browser: {cdp_enabled: false}\n")
    assert "browser_cdp" not in names(tools)


def test_open_browser_of_the_tools_applies_a_changed_configuration(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("browser: {dialog_policy: must_respond}")
    with SyncTools(LiveConfig(lambda: load_config(file), file)) as tools:
        tools.call("browser_navigate", {"url": "about:blank"})
        file.write_text("browser: {dialog_policy: auto_accept}\n")
        tools.definitions()
        answer = tools.call("browser_evaluate", {"script": "confirm('Sure?')"})
        assert "The dialog policy accepted this dialog" in answer.text


def test_tools_hide_actions_that_an_unreachable_endpoint_does_not_support() -> None:
    with SyncTools(BrowserConfig(endpoint="http://127.0.0.1:9"), toolset="full") as tools:
        before = names(tools)
        answer = tools.call("browser_navigate", {"url": "about:blank"})
        assert answer.data["error"]["code"] == "endpoint_unreachable"
        assert set(before) - set(names(tools)) >= {"browser_dialog", "browser_cdp"}


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"toolset": "cor"}, "toolset"),
        ({"source": "http://127.0.0.1:9222"}, "source"),
    ],
)
def test_sync_tools_error_identifies_the_invalid_field(
    arguments: dict[str, Any], field: str
) -> None:
    with pytest.raises(TabwardenError) as caught:
        SyncTools(**arguments)
    assert caught.value.data["field"] == field


def test_sync_tools_reject_a_task_id_for_a_given_browser(browser: Browser) -> None:
    with pytest.raises(InvalidArgument, match="task_id"):
        SyncTools(browser, task_id="other")


def test_sync_call_completes_while_another_thread_is_waiting(browser: Browser, shop: Shop) -> None:
    tools = SyncTools(browser)
    tools.call("browser_navigate", {"url": shop.url})
    told: list[str] = []
    waiting = threading.Thread(
        target=lambda: told.append(
            tools.call("browser_wait", {"text": "Sold", "timeout_ms": 30_000}).text
        )
    )
    waiting.start()
    tools.call("browser_evaluate", {"script": "document.body.append('Sold')"})
    waiting.join(30)
    assert told
    assert "wait: ok" in told[0]


def test_tools_apply_the_defaults_of_their_toolset_from_the_start(site: Site) -> None:
    """A toolset's ``obeyed`` reached a browser only after its configuration had changed."""
    with SyncTools(toolset="logs") as tools:
        tools.call("browser_navigate", {"url": site.page("/", "Hi")})
        listed = tools.call("browser_network")
    assert f"{site.here}/" in listed.text
