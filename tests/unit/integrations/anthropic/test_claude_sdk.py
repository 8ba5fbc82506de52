"""What our drivers rely on in Anthropic's SDK, with a driver that has no browser.

The SDK may change; these tests then say what changed. ``make lowest`` runs them on the lowest
version that we allow.
"""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.needs import require
from support.site import Site
from support.toolset_rules import AnthropicRules

require("vendor-sdks")

from anthropic import Anthropic, beta_tool  # noqa: E402 - it needs the SDK
from anthropic.lib.tools import ToolError  # noqa: E402
from anthropic.tools import ToolsetConfigError, ToolsetContractError  # noqa: E402
from anthropic.tools.browser import (  # noqa: E402
    BetaAbstractBrowserToolset20260801,
    BetaAsyncAbstractBrowserToolset20260801,
    BetaBrowserNavigateResult,
    BetaBrowserState,
    BetaDialogDismissed,
    BetaNavigationRefused,
)
from anthropic.types.beta import BetaToolUseBlock  # noqa: E402

OFF = ("file_upload", "javascript_exec", "read_console", "read_network")
TAB = {"tab_id": "t1", "title": "Shop", "url": "http://shop.example/", "active": True}
SECOND = {**TAB, "tab_id": "t2", "active": False}
CLICK = {"target": {"type": "ref", "ref": "ref_7"}}
ENABLED: Any = {
    "configs": {name: {"enabled": True} for name in OFF},
    "confirm": lambda context: True,
}


class Fake(BetaAbstractBrowserToolset20260801):
    """A driver without a browser: ``answer`` is what each member returns or raises."""

    def __init__(self, answer: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self.answer = answer
        self.inputs: list[Any] = []
        self.tabs: list[Any] = [TAB]
        self.changes: list[Any] = []
        self.broken_state: Exception | None = None

    def execute(self, context: Any, name: Any, input: Any) -> Any:  # noqa: A002 - the SDK's name
        self.inputs.append(input)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(input) if callable(self.answer) else self.answer

    def _browser_state(self, context: Any) -> BetaBrowserState:
        if self.broken_state is not None:
            raise self.broken_state
        changes, self.changes = self.changes, []
        return BetaBrowserState(tabs=self.tabs, state_changes=changes)


def use(member: str, /, **fields: Any) -> BetaToolUseBlock:
    return BetaToolUseBlock(
        type="tool_use", id="toolu_1", name=member, input=fields, toolset_name="browser"
    )


def call(driver: Fake, member: str, /, **fields: Any) -> Any:
    return driver.tool_result(use(member, **fields))


def texts(result: Any) -> list[str]:
    content = result["content"]
    if isinstance(content, str):
        return [content]
    return [block["text"] for block in content if block["type"] == "text"]


def changes(result: Any) -> list[Any]:
    return list(result["content"][-1].get("state_changes", ()))


# -- options ---------------------------------------------------------------------------------------


def test_driver_that_overrides_execute_serves_all_members() -> None:
    driver = Fake(**ENABLED)
    assert driver.to_dict()["type"] == "browser_toolset_20260801"
    configs: Any = driver.to_dict()["configs"]
    assert [name for name, config in configs.items() if not config["enabled"]] == []


@pytest.mark.parametrize("member", OFF)
def test_risky_members_are_off_by_default(member: str) -> None:
    assert call(Fake("x"), member, text="1", **CLICK)["is_error"]


@pytest.mark.parametrize("member", ["file_upload", "javascript_exec"])
def test_confirm_is_required_as_soon_as_a_member_that_acts_for_the_page_is_on(member: str) -> None:
    with pytest.raises(ToolsetConfigError):
        Fake(configs={member: {"enabled": True}})


def test_class_with_a_member_of_the_other_flavor_cannot_be_constructed() -> None:
    class Mixed(BetaAsyncAbstractBrowserToolset20260801):
        def wait(self, context: Any, input: Any) -> None:  # noqa: A002
            """Not a coroutine function."""

        async def _browser_state(self, context: Any) -> BetaBrowserState:
            return BetaBrowserState(tabs=[], state_changes=[])

    with pytest.raises(ToolsetContractError):
        Mixed()


# -- policies --------------------------------------------------------------------------------------


def shop_only(context: Any, url: str) -> None:
    if "shop" not in url:
        raise ToolError("only shops")


def test_url_policy_refuses_by_raising_and_allows_by_returning_none() -> None:
    driver = Fake(BetaBrowserNavigateResult(url="http://shop.example/"), url_policy=shop_only)
    assert not call(driver, "navigate", url="http://shop.example/").get("is_error")
    refused = call(driver, "navigate", url="http://bank.example/")
    assert refused["is_error"]
    assert texts(refused) == ["only shops"]
    assert len(driver.inputs) == 1


@pytest.mark.parametrize("value", [True, False, "yes"])
def test_url_policy_that_returns_a_value_ends_the_run(value: Any) -> None:
    with pytest.raises(ToolsetContractError):
        call(Fake(url_policy=lambda context, url: value), "navigate", url="http://shop.example/")


def test_history_words_skip_the_url_policy_and_arrive_stripped() -> None:
    driver = Fake(BetaBrowserNavigateResult(url="http://shop.example/"), url_policy=shop_only)
    for word in (" Back ", "FORWARD", "reload"):
        call(driver, "navigate", url=word)
    assert [one.url for one in driver.inputs] == ["back", "forward", "reload"]


def test_other_urls_arrive_as_the_model_wrote_them() -> None:
    driver = Fake(BetaBrowserNavigateResult(url="http://shop.example/"))
    urls = [" file:///etc/hosts", "shop.example", "localhost:8080/x"]
    for url in urls:
        call(driver, "navigate", url=url)
    assert [one.url for one in driver.inputs] == urls


# -- input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "fields"),
    [
        ("wait", {"duration": 31}),
        ("hold_key", {"text": "x", "duration": 31}),
        ("zoom", {"region": [0, 0, 5]}),
        (
            "scroll",
            {
                "target": {"type": "coordinate", "x": 1, "y": 1},
                "scroll_direction": "down",
                "scroll_amount": 99,
            },
        ),
    ],
)
def test_limits_of_values_are_left_to_the_driver(member: str, fields: dict[str, Any]) -> None:
    driver = Fake()
    call(driver, member, **fields)
    assert {name: driver.inputs[0].model_dump()[name] for name in fields} == fields


@pytest.mark.parametrize(("sent", "parsed"), [("1", 1), (10.0, 10), (10.5, None)])
def test_coordinates_are_parsed_leniently(sent: Any, parsed: int | None) -> None:
    driver = Fake()
    result = call(driver, "left_click", target={"type": "coordinate", "x": sent, "y": 5})
    if parsed is None:
        assert result["is_error"]
        assert not driver.inputs
    else:
        assert driver.inputs[0].target.x == parsed


def test_unknown_fields_stay_on_the_input() -> None:
    driver = Fake()
    call(driver, "wait", duration=1, lamp="on")
    assert driver.inputs[0].model_dump()["lamp"] == "on"


def test_empty_tab_id_arrives_as_it_is() -> None:
    driver = Fake("text")
    call(driver, "read_page", tab_id="")
    assert driver.inputs[0].tab_id == ""


# -- results ---------------------------------------------------------------------------------------


def test_line_of_an_action_is_folded_to_one_line_and_cut() -> None:
    driver = Fake("one\ntwo")
    assert texts(call(driver, "left_click", **CLICK)) == ["Clicked.", "one two"]
    driver.answer = "x" * 5000
    assert len(texts(call(driver, "left_click", **CLICK))[1]) == 4096


def test_text_of_a_read_is_not_cut_and_none_becomes_a_word() -> None:
    driver = Fake("line\n" * 2000)
    assert texts(call(driver, "read_page")) == [driver.answer]
    driver.answer = None
    assert texts(call(driver, "read_page")) == ["None"]
    driver.answer = ""
    assert texts(call(driver, "read_page")) == ["(empty)"]


def test_result_echoes_the_toolset_and_has_one_state_block_at_its_end() -> None:
    result = call(Fake(), "left_click", **CLICK)
    assert result["toolset_name"] == "browser"
    block = {"id": "toolu_1", "name": "left_click", "toolset_name": "browser"}
    assert AnthropicRules().breaches(block, result) == []


@pytest.mark.parametrize(
    ("error", "text"),
    [(ToolError("Read the page again."), "Read the page again."), (KeyError("/home/ada"), "/home")],
)
def test_error_is_text_only_and_any_exception_reaches_the_model(error: Any, text: str) -> None:
    result = call(Fake(error), "left_click", **CLICK)
    assert result["is_error"]
    assert text in texts(result)[0]
    blocks = result["content"]
    assert isinstance(blocks, str) or all(block["type"] == "text" for block in blocks)


def test_tab_members_return_the_state_block_only() -> None:
    driver = Fake([TAB])
    assert [block["type"] for block in call(driver, "list_tabs")["content"]] == ["browser_state"]


# -- state -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [{"type": "tab_closed", "tab_id": "t1"}, {}])
def test_unknown_change_ends_the_run(change: Any) -> None:
    driver = Fake()
    driver.changes = [change]
    with pytest.raises(Exception) as error:  # noqa: PT011 - a validation error or a contract error
        call(driver, "left_click", **CLICK)
    assert isinstance(error.value, (ToolsetContractError, ValueError))


def test_exception_of_the_state_ends_the_run() -> None:
    driver = Fake()
    driver.broken_state = KeyError("tabs")
    with pytest.raises(ToolsetContractError):
        call(driver, "left_click", **CLICK)


@pytest.mark.parametrize(
    "tabs", [[TAB, {**SECOND, "active": True}], [TAB, {**SECOND, "tab_id": "t1"}], [SECOND]]
)
def test_sdk_does_not_check_the_rules_of_the_api_for_tabs(tabs: list[Any]) -> None:
    driver = Fake()
    driver.tabs = tabs
    result = call(driver, "left_click", **CLICK)
    assert result["content"][-1]["tabs"] == tabs
    block = {"id": "toolu_1", "name": "left_click", "toolset_name": "browser"}
    assert AnthropicRules().breaches(block, result)


def test_new_tab_that_is_not_active_becomes_an_error() -> None:
    driver = Fake(SECOND)
    driver.tabs = [TAB, SECOND]
    assert call(driver, "new_tab")["is_error"]


def test_changes_of_a_failed_call_come_with_the_next_result() -> None:
    driver = Fake(ToolError("no"))
    driver.tabs = [TAB, SECOND]
    driver.changes = [
        {"type": "tab_opened", "tab_id": "t2"},
        {"type": "tab_opened", "tab_id": "closed"},
        {"type": "download_started", "download_id": "d1", "url": "http://shop.example/a"},
    ]
    call(driver, "left_click", **CLICK)
    driver.answer = None
    completed = {"type": "download_completed", "download_id": "d1", "url": "http://shop.example/a"}
    driver.changes = [completed]
    opened = {"type": "tab_opened", "tab_id": "t2"}
    assert changes(call(driver, "left_click", **CLICK)) == [opened, completed]
    assert changes(call(driver, "left_click", **CLICK)) == []


def test_dismissed_dialogs_are_lines_of_the_next_result_with_text() -> None:
    driver = Fake([TAB])
    driver.changes = [BetaDialogDismissed(kind="confirm", message="m" * 300)] * 5
    driver.changes.append(BetaNavigationRefused())
    call(driver, "list_tabs")
    driver.answer = None
    lines = texts(call(driver, "left_click", **CLICK))
    assert lines[:2] == ["Clicked.", "A navigation was refused."]
    assert lines[2] == f'A confirm dialog "{"m" * 200}…" was dismissed.'
    assert lines[-1] == "2 more dialogs were dismissed."
    assert len(lines) == 6


def test_titles_and_urls_are_cut() -> None:
    driver = Fake()
    driver.tabs = [{**TAB, "title": "t\n" * 5000, "url": "http://shop.example/" + "u" * 5000}]
    [tab] = call(driver, "left_click", **CLICK)["content"][-1]["tabs"]
    assert len(tab["title"]) <= 4096
    assert len(tab["url"]) <= 4096
    assert "\n" not in tab["title"]


# -- threads, tasks, closing -----------------------------------------------------------------------


def test_close_waits_for_the_call_in_flight() -> None:
    entered, go_on, closed = threading.Event(), threading.Event(), threading.Event()

    def answer(input: Any) -> None:  # noqa: A002
        entered.set()
        go_on.wait(30)

    driver = Fake(answer)
    caller = threading.Thread(target=call, args=(driver, "left_click"), kwargs=CLICK)
    caller.start()
    entered.wait(30)
    closer = threading.Thread(target=lambda: (driver.close(), closed.set()))
    closer.start()
    assert not closed.wait(0.1)
    go_on.set()
    assert closed.wait(30)
    caller.join()
    closer.join()


def test_cancelled_call_releases_the_lock() -> None:
    class Slow(BetaAsyncAbstractBrowserToolset20260801):
        async def execute(self, context: Any, name: Any, input: Any) -> Any:  # noqa: A002
            if name == "wait":
                await asyncio.sleep(3600)

        async def _browser_state(self, context: Any) -> BetaBrowserState:
            return BetaBrowserState(tabs=[TAB], state_changes=[])

    async def cancel_one() -> Any:
        driver = Slow()
        hanging = asyncio.create_task(driver.tool_result(use("wait", duration=1)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        hanging.cancel()
        await asyncio.wait([hanging])
        assert hanging.cancelled()
        return await driver.tool_result(use("left_click", **CLICK))

    assert texts(asyncio.run(cancel_one())) == ["Clicked."]


# -- the runner ------------------------------------------------------------------------------------


def scripted(site: Site, replies: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Serve the model's replies at the API's path; return the requests."""
    requests: list[dict[str, Any]] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers["Content-Length"])
        requests.append(json.loads(handler.rfile.read(length)))
        content = replies[len(requests) - 1]
        uses = any(block["type"] == "tool_use" for block in content)
        body = json.dumps(
            {
                "id": f"msg_{len(requests)}", "type": "message", "role": "assistant",
                "model": "claude", "content": content, "stop_sequence": None,
                "stop_reason": "tool_use" if uses else "end_turn",
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }
        ).encode()  # fmt: skip
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.pages["/v1/messages"] = respond
    return requests


def test_runner_skips_members_after_a_failed_one_but_runs_function_tools() -> None:
    ran: list[str] = []

    @beta_tool(name="browser_dialog", description="Answers.", input_schema={"type": "object"})
    def browser_dialog(**arguments: Any) -> str:
        ran.append("dialog")
        return "answered"

    def member(at: int, name: str, **fields: Any) -> dict[str, Any]:
        return {
            "type": "tool_use", "id": f"toolu_{at}", "name": name, "input": fields,
            "toolset_name": "browser",
        }  # fmt: skip

    reply = [
        member(1, "left_click", **CLICK),
        member(2, "read_page"),
        {"type": "tool_use", "id": "toolu_3", "name": "browser_dialog", "input": {}},
    ]
    driver = Fake(ToolError("a dialog waits"))
    with Site() as site:
        requests = scripted(site, [reply, [{"type": "text", "text": "Done."}]])
        client = Anthropic(base_url=site.here, api_key="none", max_retries=0)
        runner: Any = client.beta.messages.tool_runner(
            model="claude",
            max_tokens=100,
            tools=[driver, browser_dialog],
            messages=[{"role": "user", "content": "Go."}],
        )
        runner.until_done()
    results = {one["tool_use_id"]: one for one in requests[1]["messages"][-1]["content"]}
    assert "Not executed" in str(results["toolu_2"]["content"])
    assert ran == ["dialog"]
    assert len(driver.inputs) == 1
    assert [results[f"toolu_{at}"].get("toolset_name") for at in (1, 2, 3)] == [
        "browser", "browser", None,
    ]  # fmt: skip
    tool, function = requests[0]["tools"]
    assert tool["type"] == "browser_toolset_20260801"
    assert function["name"] == "browser_dialog"
