"""What our drivers rely on in OpenAI's SDK, with a driver that has no browser.

The SDK may change; these tests then say what changed. ``make lowest`` runs them on the lowest
version that we allow.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.needs import require
from support.site import Site
from support.toolset_rules import OpenAIRules

require("vendor-sdks")

from openai import OpenAI  # noqa: E402 - it needs the SDK
from openai.lib.browser import (  # noqa: E402
    BROWSER_MEMBERS,
    DEFAULT_BROWSER_MEMBERS,
    BrowserError,
    BrowserToolset,
)
from openai.lib.responses_tool_runner import (  # noqa: E402
    RegisteredFunction,
    ResponsesToolRunner,
    ToolRunnerError,
)
from openai.types.responses import ResponseFunctionToolCall  # noqa: E402

TAB = {"id": "t1", "title": "Shop", "url": "https://shop.example/cart", "active": True}
REPORT = {"version": 1, "text": "[ref_1] button Buy", "elements": [], "omitted": []}
FILE = {"version": 1, "status": "completed", "effect": "completed", "cleanup": "completed"}
IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"}
OPENED = {"type": "tab_opened", "sequence": 1, "tab_id": "t1"}
MOVED = {"type": "navigation", "sequence": 2, "tab_id": "t1"}


def observation(*changes: Any, dropped: int = 0, sequence: int | None = None) -> dict[str, Any]:
    return {
        "version": 1,
        "sequence": dropped + len(changes) if sequence is None else sequence,
        "dropped_changes": dropped,
        "title_truncated": False,
        "changes": list(changes),
    }


class Fake:
    """A driver without a browser: ``answer`` is what each member returns or raises."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.actions: list[Any] = []
        self.states: list[Any] = [{"tabs": [TAB]}]
        """What each report of the state returns; the last one stays."""
        self.reports = 0

    def state(self) -> Any:
        self.reports += 1
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        if isinstance(state, Exception):
            raise state
        return state

    def __getattr__(self, name: str) -> Any:
        if name not in BROWSER_MEMBERS:
            raise AttributeError(name)

        def member(action: dict[str, Any]) -> Any:
            self.actions.append(action)
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer() if callable(self.answer) else self.answer

        return member


def toolset(driver: Any, **options: Any) -> BrowserToolset:
    every: dict[str, Any] = {
        "members": BROWSER_MEMBERS,
        "confirm": lambda context: True,
        "url_policy": lambda context, url: True,
    }
    return BrowserToolset(driver, **{**every, **options})


def use(member: str, /, **fields: Any) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id="call_1", name=f"browser_{member}",
        arguments=json.dumps(fields),
    )  # fmt: skip


def call(driver: Any, member: str, /, **fields: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(output(driver, member, **fields)["output"][0]["text"])
    return body


def output(driver: Any, member: str, /, **fields: Any) -> Any:
    tools = driver if isinstance(driver, BrowserToolset) else toolset(driver)
    return tools.execute(use(member, **fields))


def click(driver: Any) -> dict[str, Any]:
    return call(driver, "click", target="ref_1", tab_id=None)


def read(driver: Any) -> dict[str, Any]:
    return call(driver, "read_page", filter="all", tab_id=None)


# -- members and arguments -------------------------------------------------------------------------


def test_sdk_has_28_members_18_by_default() -> None:
    assert (len(BROWSER_MEMBERS), len(DEFAULT_BROWSER_MEMBERS)) == (28, 18)
    names = [tool["name"] for tool in toolset(Fake()).tools]
    assert names == [f"browser_{member}" for member in BROWSER_MEMBERS]
    assert all(tool["strict"] for tool in toolset(Fake()).tools)


def test_member_gets_one_dict_with_all_fields() -> None:
    driver = Fake()
    click(driver)
    assert driver.actions == [{"target": "ref_1", "tab_id": None}]


def test_list_tabs_is_answered_by_the_sdk() -> None:
    driver = Fake(KeyError("never called"))
    assert call(driver, "list_tabs")["ok"]
    assert driver.actions == []


@pytest.mark.parametrize(
    ("member", "fields"),
    [
        ("wait_for", {"text": "x", "timeout_ms": 30_001}),
        ("wait_for", {"text": "x" * 257, "timeout_ms": 1}),
        ("hold_keys", {"keys": ["a"], "duration_ms": 3001}),
        ("hold_keys", {"keys": [f"F{at}" for at in range(9)], "duration_ms": 1}),
        ("hold_keys", {"keys": ["a" * 65], "duration_ms": 1}),
        ("drag_path", {"path": [{"x": 1, "y": 1}], "keys": []}),
        ("zoom", {"region": [10, 10, 10, 20]}),
        ("read_diagnostics", {"source": "console", "limit": 101}),
        ("read_page_scoped", {"root": None, "depth": 33, "filter": "all"}),
    ],
)
def test_sdk_refuses_values_beyond_the_limits(member: str, fields: dict[str, Any]) -> None:
    driver = Fake(REPORT)
    assert not call(driver, member, tab_id=None, **fields)["ok"]
    assert driver.actions == []


def test_keys_and_scroll_amounts_are_left_to_the_driver() -> None:
    driver = Fake()
    assert call(driver, "key", keys=["Nonsense"], tab_id=None)["ok"]
    assert call(driver, "scroll", direction="down", amount=9_000_000, tab_id=None)["ok"]


# -- policies --------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["confirm", "url_policy"])
def test_policies_are_required_at_construction(missing: str) -> None:
    with pytest.raises(ValueError, match="require"):
        toolset(Fake(), **{missing: None})


@pytest.mark.parametrize("answer", [None, 1, "yes", False])
def test_policies_must_return_exactly_true(answer: Any) -> None:
    driver = Fake()
    assert not click(toolset(driver, confirm=lambda context: answer))["ok"]
    refusing = toolset(driver, url_policy=lambda context, url: answer)
    assert not call(refusing, "navigate", url="https://shop.example", tab_id=None)["ok"]
    assert driver.actions == []


def test_reads_need_no_approval() -> None:
    driver = Fake("text")
    assert read(toolset(driver, confirm=lambda context: False))["ok"]


# -- state -----------------------------------------------------------------------------------------


def test_state_is_reported_before_and_after_each_call() -> None:
    driver = Fake()
    click(driver)
    assert driver.reports == 2


def test_exception_of_the_state_ends_the_run() -> None:
    driver = Fake()
    driver.states = [KeyError("tabs")]
    with pytest.raises(RuntimeError, match="state report failed"):
        click(driver)


@pytest.mark.parametrize(
    "url",
    [
        "http://my_host/", "data:text/html,x", "file:///etc/hosts", "chrome-error://chromewebdata/",
        "blob:https://shop.example/1", "about:srcdoc", "http://0x7f.1/", "",
    ],
)  # fmt: skip
def test_other_urls_than_plain_web_addresses_end_a_run_with_observations(url: str) -> None:
    driver = Fake()
    driver.states = [{"tabs": [{**TAB, "url": url}], "observation": observation()}]
    with pytest.raises(RuntimeError, match="state report failed"):
        click(driver)


@pytest.mark.parametrize("url", ["about:blank", "https://shop.example:8443/a", "http://[::1]/"])
def test_web_addresses_and_about_blank_are_reported_as_origins(url: str) -> None:
    driver = Fake()
    driver.states = [{"tabs": [{**TAB, "url": url}], "observation": observation()}]
    [tab] = click(driver)["state"]["tabs"]
    assert url.startswith(tab["url"])


@pytest.mark.parametrize(
    "tabs",
    [
        [TAB, TAB],
        [TAB, {**TAB, "id": "t2"}],
        [{**TAB, "active": False}],
        [{**TAB, "id": "t" * 129}],
    ],
)
def test_tabs_that_break_the_rules_end_the_run(tabs: list[Any]) -> None:
    driver = Fake()
    driver.states = [{"tabs": tabs, "observation": observation()}]
    with pytest.raises(RuntimeError, match="state report failed"):
        click(driver)


@pytest.mark.parametrize(
    "after",
    [
        observation(OPENED, MOVED, sequence=3),
        observation({**OPENED, "sequence": 2}),
        observation({**OPENED, "tab_id": "t2"}, MOVED),
        observation(),
        observation({"type": "tab_lost", "sequence": 1, "tab_id": "t1"}),
        observation({"type": "dialog_dismissed", "sequence": 1, "tab_id": "t1", "kind": "other?"}),
    ],
)
def test_observation_that_does_not_add_up_ends_the_run(after: dict[str, Any]) -> None:
    driver = Fake()
    before = {"tabs": [TAB], "observation": observation(OPENED)}
    driver.states = [before, {"tabs": [TAB], "observation": after}]
    with pytest.raises(RuntimeError, match="state report failed"):
        click(driver)


def test_window_of_changes_may_grow_and_lose_its_oldest_entries() -> None:
    driver = Fake()
    driver.states = [
        {"tabs": [TAB], "observation": observation(OPENED)},
        {"tabs": [TAB], "observation": observation(MOVED, dropped=1)},
    ]
    result = output(driver, "click", target="ref_1", tab_id=None)
    rules = OpenAIRules()
    assert rules.breaches({"call_id": "call_1", "name": "browser_click"}, result) == []
    assert json.loads(result["output"][0]["text"])["state"]["observation"]["changes"] == [MOVED]


# -- results ---------------------------------------------------------------------------------------


def element(**fields: Any) -> dict[str, Any]:
    return {**REPORT, "elements": [{"ref": "ref_1", "role": "button", "label": "Buy", **fields}]}


@pytest.mark.parametrize("report", ["text", None, REPORT, element()])
def test_read_returns_text_or_a_report(report: Any) -> None:
    assert read(Fake(report)) == {"ok": True, "state": read(Fake())["state"], "result": report}


@pytest.mark.parametrize(
    "report",
    [
        element(role="link"), element(label=""), {**REPORT, "omitted": ["lamp"]}, ["text"],
        {**REPORT, "elements": element()["elements"] * 2},
    ],
)  # fmt: skip
def test_report_of_another_shape_ends_the_run(report: Any) -> None:
    with pytest.raises(RuntimeError, match="read report failed"):
        read(Fake(report))


@pytest.mark.parametrize("member", ["read_page_scoped", "read_diagnostics"])
def test_scoped_reads_and_diagnostics_must_be_reports(member: str) -> None:
    fields = {"source": "console", "limit": 1}
    if member == "read_page_scoped":
        fields = {"root": None, "depth": 5, "filter": "all"}
    with pytest.raises(RuntimeError, match="read report failed"):
        call(Fake("text"), member, tab_id=None, **fields)
    report = {**REPORT, "scopes": [{"ref": "scope_1", "label": "main"}]}
    assert call(Fake(report), member, tab_id=None, **fields)["result"]["text"] == REPORT["text"]


@pytest.mark.parametrize("image", [{**IMAGE, "width": 5}, {"type": "input_image"}, "AAAA"])
def test_image_of_another_shape_ends_the_run(image: Any) -> None:
    assert output(Fake(IMAGE), "screenshot", tab_id=None)["output"][1] == IMAGE
    with pytest.raises(RuntimeError, match="screenshot"):
        output(Fake(image), "screenshot", tab_id=None)


@pytest.mark.parametrize("outcome", [{**FILE, "path": "/a"}, {**FILE, "effect": "none"}, "done"])
def test_file_outcome_of_another_shape_ends_the_run(outcome: Any) -> None:
    assert call(Fake(FILE), "upload_file", grant_id="g")["result"] == FILE
    with pytest.raises(RuntimeError, match="file result failed"):
        call(Fake(outcome), "upload_file", grant_id="g")


def test_refused_file_is_a_failure_without_an_error() -> None:
    refused = {**FILE, "status": "refused", "effect": "none"}
    result = call(Fake(refused), "upload_file", grant_id="g")
    assert result["ok"] is False
    assert result["result"] == refused


def test_action_must_return_text_or_none() -> None:
    with pytest.raises(RuntimeError, match="string or None"):
        click(Fake(7))


@pytest.mark.parametrize(
    ("error", "text"),
    [(BrowserError("Read the page again."), "Read the page again."), (KeyError("/home"), "failed")],
)
def test_only_browser_errors_reach_the_model(error: Exception, text: str) -> None:
    result = click(Fake(error))
    assert not result["ok"]
    assert text in result["error"]
    assert "/home" not in result["error"]


def test_text_is_ascii() -> None:
    text = output(Fake("東京"), "get_page_text", tab_id=None)["output"][0]["text"]
    assert "\\u6771" in text
    assert text.isascii()


# -- threads, closing, the runner ------------------------------------------------------------------


def test_second_call_at_once_is_refused() -> None:
    entered, go_on = threading.Event(), threading.Event()

    def answer() -> None:
        entered.set()
        go_on.wait(30)

    tools = toolset(Fake(answer))
    caller = threading.Thread(target=click, args=(tools,))
    caller.start()
    entered.wait(30)
    with pytest.raises(RuntimeError, match="busy"):
        click(tools)
    tools.close()  # stops admission, and does not wait
    go_on.set()
    caller.join()
    with pytest.raises(RuntimeError):
        click(tools)


def scripted(site: Site, replies: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Serve the model's replies at the API's path; return the requests."""
    requests: list[dict[str, Any]] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers["Content-Length"])
        requests.append(json.loads(handler.rfile.read(length)))
        body = json.dumps(
            {
                "id": f"resp_{len(requests)}", "object": "response", "created_at": 1,
                "status": "completed", "model": "gpt", "output": replies[len(requests) - 1],
                "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
                "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
            }
        ).encode()  # fmt: skip
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.pages["/v1/responses"] = respond
    return requests


def run(driver: Any, answer: Any) -> list[dict[str, Any]]:
    """Run a turn of a failing click, a read and a function; return what the model reads of it."""

    def wanted(at: int, name: str, **fields: Any) -> dict[str, Any]:
        return {
            "type": "function_call", "id": f"fc_{at}", "call_id": f"call_{at}", "name": name,
            "arguments": json.dumps(fields), "status": "completed",
        }  # fmt: skip

    turn = [
        wanted(1, "browser_click", target="ref_1", tab_id=None),
        wanted(2, "browser_read_page", filter="all", tab_id=None),
        wanted(3, "browser_dialog"),
    ]
    done = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Done.", "annotations": []}],
    }  # fmt: skip
    function: Any = {
        "type": "function", "name": "browser_dialog", "description": "Answers.", "strict": False,
        "parameters": {"type": "object", "properties": {}},
    }  # fmt: skip
    with Site() as site:
        requests = scripted(site, [turn, [done]])
        client = OpenAI(base_url=f"{site.here}/v1", api_key="none", max_retries=0)
        runner = ResponsesToolRunner(
            browser=toolset(driver), functions=[RegisteredFunction(function, answer)]
        )
        runner.run(client, {"model": "gpt", "store": False, "input": "Go."}, max_steps=5)
    return [one for one in requests[1]["input"] if one.get("type") == "function_call_output"]


def test_runner_skips_members_after_a_failed_one_but_runs_functions() -> None:
    outputs = run(Fake(BrowserError("a dialog waits")), lambda arguments: "answered")
    assert ["a dialog waits" in str(outputs[0]), "Not executed" in str(outputs[1])] == [True, True]
    assert "answered" in str(outputs[2])


def test_function_that_raises_ends_the_run() -> None:
    def fail(arguments: Any) -> str:
        raise KeyError("dialog")

    with pytest.raises(ToolRunnerError, match="stopped before completion"):
        run(Fake(), fail)
