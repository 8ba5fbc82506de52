"""Any arguments on a real page give a result or a TabwardenError, and the session stays usable."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.hostile_text import HOSTILE
from support.pace import in_time
from support.schemas import fitting
from support.site import Site
from support.skeleton import check_seen

from tabwarden import errors
from tabwarden.actions import ACTIONS
from tabwarden.sync import Browser
from tabwarden.tools.sync import Tools

CODES = {getattr(errors, name).code for name in errors.__all__}
WITHOUT_FIELDS = {"browser_back", "browser_forward"}
"""Failures that are caused by the tab's history and not by the arguments."""
PAGE = """<h1>Shop</h1><button onclick='this.textContent += "!"'>Buy</button><input aria-label=Name>
<select aria-label=Size><option>S<option>M</select><input type=checkbox aria-label=Agree>
<input type=file aria-label=File><a href='/other'>Other</a><div style='height:3000px'>Long</div>
<iframe srcdoc='<button>Inner</button>'></iframe><dialog>Hidden</dialog>"""
REFS = st.sampled_from(["e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9", "[ref=e2]", "@e3"])
NOT_TRIED = {"browser_wait"}
"""Nearly every condition in these arguments never becomes true."""
NAMED: dict[str, st.SearchStrategy[Any]] = {
    "ref": REFS | st.sampled_from(["css=button", "css=((", "xpath=//button", "xpath=)", "css=*"]),
    "from_ref": REFS,
    "to_ref": REFS,
    "x": st.floats(-10, 2_000),
    "y": st.floats(-10, 5_000),
    "selector": st.sampled_from(["body", "button", ":has(", "*", "#none"]),
    "script": st.sampled_from(["1 + 1", "() => document.title", "return 7", "throw 'x'", "("]),
    "method": st.sampled_from(["Page.getFrameTree", "Runtime.evaluate", "Page.nope", "DOM.enable"]),
    "url": st.sampled_from(["about:blank", "http://127.0.0.1:1/", "data:text/html,x", "http://[",
                            "javascript:1", "file:///etc/passwd", "chrome://version"]),
    "tab_id": st.sampled_from(["t1", "t2", "t9"]),
    "duration_s": st.floats(0.1, 1),
}  # fmt: skip


@cache
def arguments_of(tool: str) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that the schema allows, as a model might send them; one has any value."""
    schema = ACTIONS[tool].schema()
    fields = {
        name: NAMED.get(name, st.nothing()) | fitting(one, HOSTILE)
        for name, one in schema["properties"].items()
        if name != "timeout_ms"
    }
    needed = schema.get("required", ())
    return st.fixed_dictionaries(
        {name: fields[name] for name in needed},
        optional={name: one for name, one in fields.items() if name not in needed},
    )


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    tool = draw(st.sampled_from(sorted(set(ACTIONS) - NOT_TRIED)))
    return tool, draw(arguments_of(tool))


@pytest.mark.timeout(600)
def test_tool_call_with_any_arguments_leaves_the_session_usable(
    browser: Browser, site: Site
) -> None:
    site.page("/other", "<p>Other</p>")
    home = site.page("/", PAGE)
    with Tools(browser) as tools:

        @searched(25, slow=True)
        @given(st.lists(calls(), min_size=1, max_size=3))
        def check(made: list[tuple[str, dict[str, Any]]]) -> None:
            for tool, arguments in made:
                with in_time(2.0, overrun_s=2.0):
                    answer = tools.call(tool, arguments, timeout_ms=2_000)
                if answer.is_error:
                    error = answer.data["error"]
                    assert error["code"] in CODES, answer.text
                    assert error["message"]
                    if error["code"] == "invalid_argument" and tool not in WITHOUT_FIELDS:
                        assert error["data"]["field"], answer.text
                    lines = [error["message"], error["hint"]]
                    assert len(answer.words.splitlines()) == sum(map(bool, lines)), answer.words
                if tool != "browser_scrape":
                    check_seen(answer.words)
            tools.call("browser_dialog", {"action": "dismiss"}, timeout_ms=5_000)
            if not browser.state.tabs:
                tools.call("browser_tabs", {"mode": "open"}, timeout_ms=5_000)
            fresh = tools.call("browser_navigate", {"url": home}, timeout_ms=20_000)
            assert not fresh.is_error, fresh.text
            read = tools.call("browser_snapshot", {}, timeout_ms=20_000)
            assert 'button "Buy"' in read.text, read.text

        browser.goto(home)
        browser.snapshot()
        check()
