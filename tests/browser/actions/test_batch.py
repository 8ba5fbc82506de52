"""A batch runs several actions in one call, and stops when its plan no longer applies."""

from __future__ import annotations

from typing import Any

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.page import ActionResult
from tabwarden.sync import Browser

PAGE = """<button onclick="n.textContent = +n.textContent + 1">Add</button><b id=n>0</b>
<input aria-label=Name><button onclick="document.title = confirm('Sure?')">Ask</button>
<a href=/next>Next</a><a href=#here>Here</a>"""


@pytest.fixture
def refs(browser: Browser, site: Site) -> dict[str, str]:
    """The refs of the page's elements, by name."""
    site.page("/next", "<p>next</p>", title="Next")
    browser.goto(site.page("/", PAGE, title="First"))
    return {one["name"]: ref for ref, one in browser.snapshot().refs.items()}


def told(result: ActionResult) -> list[tuple[str, str]]:
    return [(step["tool"], step["status"]) for step in result.value["steps"]]


def test_batch_runs_its_steps_in_order_and_returns_each_result(
    browser: Browser, refs: dict[str, str]
) -> None:
    done = browser.batch(
        [
            {"tool": "click", "ref": refs["Add"]},
            {"tool": "browser_type", "arguments": {"ref": refs["Name"], "text": "Ann"}},
            {"action": "key", "key": "!"},
            {"evaluate": {"script": "n.textContent"}},
            {"name": "click", "input": {"ref": refs["Here"]}},
            {"tool": "find", "text": "Ask"},
        ],
        snapshot="diff",
    )
    assert done.status == "ok"
    assert [status for _, status in told(done)] == ["ok"] * 6
    assert done.value["steps"][3]["result"].value == "1"
    assert done.value["not_run"] == []
    assert '~ textbox "Name"' in done.snapshot.text
    assert 'value="Ann!"' in done.snapshot.text


@pytest.mark.parametrize(
    ("stop_on", "ran", "title"),
    [("any", ["click"], "Next"), ("failure", ["click", "evaluate"], "x")],
)
def test_batch_stops_after_a_step_that_leaves_the_page(
    browser: Browser, refs: dict[str, str], stop_on: Any, ran: list[str], title: str
) -> None:
    done = browser.batch(
        [
            {"tool": "click", "ref": refs["Next"]},
            {"tool": "evaluate", "script": "document.title='x'"},
        ],
        stop_on=stop_on,
        snapshot="full",
    )
    assert [tool for tool, _ in told(done)] == ran
    assert (done.status, done.value["not_run"]) == (
        ("stopped", ["evaluate"]) if stop_on == "any" else ("ok", [])
    )
    assert browser.evaluate("document.title").value == title
    assert '"next"' in done.snapshot.text


@pytest.mark.long
def test_batch_continues_after_a_navigation_step(browser: Browser, site: Site) -> None:
    url = site.page("/", PAGE)
    goes = {"tool": "goto", "url": url}
    done = browser.batch(
        [goes, {"tool": "click", "ref": "xpath=//button[1]"}, {"tool": "reload"}, goes]
    )
    assert [status for _, status in told(done)] == ["ok"] * 4


def test_dialog_stops_a_batch_unless_the_next_step_answers_it(
    browser: Browser, refs: dict[str, str]
) -> None:
    ask = {"tool": "click", "ref": refs["Ask"]}
    answered = browser.batch([ask, {"tool": "dialog", "action": "accept"}, ask, ask])
    assert told(answered) == [("click", "interrupted"), ("dialog", "ok"), ("click", "interrupted")]
    assert (answered.status, answered.value["not_run"]) == ("interrupted", ["click"])
    assert answered.by is not None
    assert answered.by["dialog"]["message"] == "Sure?"
    rest = browser.batch([{"action": "dismiss"}, {"tool": "evaluate", "script": "document.title"}])
    assert rest.value["steps"][1]["result"].value == "false"


@pytest.mark.parametrize(("stop_on", "ran"), [("failure", 2), ("nothing", 3)])
def test_batch_stops_at_the_first_failure_by_default(
    browser: Browser, refs: dict[str, str], stop_on: Any, ran: int
) -> None:
    add = {"tool": "click", "ref": refs["Add"]}
    done = browser.batch([add, {"tool": "evaluate", "script": "nope()"}, add], stop_on=stop_on)
    assert done.status == "stopped"
    assert len(done.value["steps"]) == ran
    assert done.value["steps"][1]["error"]["code"] == "js_error"
    assert browser.evaluate("n.textContent").value == str(ran - 1)


def test_all_steps_in_a_batch_share_one_budget(browser: Browser, refs: dict[str, str]) -> None:
    slow = {"tool": "evaluate", "script": "new Promise(done => setTimeout(done, 200))"}
    done = browser.batch([slow] * 30, timeout_ms=800, stop_on="nothing")
    assert len(done.value["steps"]) < 6
    assert done.value["steps"][-1]["error"]["code"] == "budget_exceeded"


def test_batch_stays_on_its_tab_when_a_step_opens_another(
    browser: Browser, site: Site, refs: dict[str, str]
) -> None:
    opens = f"open({site.page('/popup', 'popup', title='Popup')!r}), document.title"
    look = {"tool": "evaluate", "script": "document.title"}
    done = browser.batch(
        [
            {"tool": "evaluate", "script": opens, "user_gesture": True},
            look,
            {"tool": "tabs", "mode": "open", "url": site.here + "/next"},
            look,
        ]
    )
    steps = done.value["steps"]
    assert [steps[at]["result"].value for at in (1, 3)] == ["First", "Next"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"tool": "clik", "ref": "e1"}, "steps[1].tool"),
        ({"tool": "click"}, "steps[1].ref"),
        ({"tool": "press"}, "steps[1].key"),
        ({"tool": "click", "reff": "e1"}, "steps[1].reff"),
        ({"tool": "batch", "steps": []}, "steps[1].tool"),
        ({"tool": "close"}, "steps[1].tool"),
        ({"ref": "e1"}, "steps[1].tool"),
        ("click e1", "steps[1]"),
    ],
)
def test_batch_runs_no_steps_if_one_step_is_invalid(
    browser: Browser, refs: dict[str, str], wrong: Any, field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.batch([{"tool": "click", "ref": refs["Add"]}, wrong])
    assert caught.value.data["field"] == field
    assert "Step 2" in caught.value.message
    assert browser.evaluate("n.textContent").value == "0"


@pytest.mark.long
@pytest.mark.anyio
async def test_async_browser_runs_a_batch(site: Site) -> None:
    import tabwarden

    async with tabwarden.Browser.launch() as browser:
        done = await browser.batch(
            [
                {"tool": "goto", "url": site.page("/", PAGE)},
                {"tool": "click", "ref": "xpath=//button[1]"},
                {"tool": "evaluate", "script": "n.textContent"},
            ]
        )
    assert done.value["steps"][2]["result"].value == "1"
