"""A call that is wrong gets the contract's error, and never a traceback or a path."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.needs import require
from support.site import Site

from tabwarden.sync import Browser

require("vendor-sdks")

from support.vendors import ClaudeCalls, OpenAICalls, at, ref  # noqa: E402 - it needs the SDKs

from tabwarden.integrations.anthropic import ClaudeBrowser  # noqa: E402

BODY = "<button>Ask</button><select><option>Apple<option>Pear</select><input type=file>"


@pytest.mark.parametrize(
    ("member", "fields", "words"),
    [
        ("wait", {"duration": 31}, "between 0 and 30"),
        ("wait", {"duration": -1}, "between 0 and 30"),
        ("hold_key", {"text": "a", "duration": 31}, "between 0 and 30"),
        ("scroll", {"target": at(1, 1), "scroll_direction": "down", "scroll_amount": 99}, "1 and"),
        ("scroll", {"target": at(1, 1), "scroll_direction": "sideways"}, "scroll_direction"),
        ("zoom", {"region": [1, 2, 3]}, "region must have 4 numbers, not 3"),
        ("zoom", {"region": [9, 9, 9, 20]}, "region is empty"),
        ("zoom", {"region": "all"}, "region"),
        ("left_click", {"target": at(5000, 5)}, "1280 x 800"),
        ("left_click", {"target": ref("ref_999")}, "Call read_page or find again."),
        ("left_click", {"target": ref("nonsense")}, "Call read_page and use one of its refs"),
        ("left_click", {"target": {"type": "coordinate", "x": 1}}, "target"),
        ("left_click", {}, "target"),
        ("left_click", {"target": at(1, 1), "modifiers": "hyper"}, "hyper"),
        ("key", {"text": "Nonsense"}, "Nonsense"),
        ("key", {"text": "a", "repeat": 1000}, "repeat"),
        ("navigate", {"url": "file:///etc/passwd"}, "file"),
        ("navigate", {"url": "http://"}, "URL"),
        ("navigate", {"url": ""}, "URL"),
        ("read_page", {"ref": "ref_999"}, "Call read_page or find again."),
        ("read_page", {"depth": 0}, "depth"),
        ("read_page", {"filter": "some"}, "filter"),
        ("switch_tab", {"tab_id": "t999"}, "t999"),
        ("get_page_text", {"tab_id": "t999"}, "t999"),
        ("file_upload", {"target": ref("ref_1")}, "paths"),
        ("dance", {}, "unknown browser toolset member"),
    ],
)
def test_claude_reads_what_is_wrong(
    member: str, fields: dict[str, Any], words: str, claude: ClaudeCalls, site: Site
) -> None:
    claude("navigate", url=site.page("/", BODY))
    reply = claude(member, **fields)
    assert reply.is_error, reply
    assert words in reply.text
    assert "Traceback" not in reply.text
    assert not re.search(r"\be\d+\b", reply.text)
    assert "browser_snapshot" not in reply.text
    assert "Take a" not in reply.text
    assert not claude("read_page").is_error, "the next call works"


@pytest.mark.parametrize(
    ("member", "fields", "words"),
    [
        ("click", {"target": "e999"}, "browser_read_page or browser_find again"),
        ("click", {"target": 5}, "invalid value"),
        ("click_at", {"x": 9000, "y": 1, "button": "left", "click_count": 1, "keys": []}, "1280"),
        ("select_option", {"target": "e2", "values": ["Kiwi"]}, "Apple"),
        ("select_option", {"target": "e2", "values": []}, "accepts one option"),
        ("type", {"target": "e3", "text": "x"}, "upload"),
        ("key", {"keys": []}, "keys"),
        ("key", {"keys": ["Nonsense"]}, "Nonsense"),
        ("navigate", {"url": "file:///etc/passwd"}, "file"),
        ("switch_tab", {"tab_id": "t999"}, "t999"),
        ("wait_for", {"text": "never", "timeout_ms": 200}, "never"),
        ("run_script", {"source": "nonsense(", "timeout_ms": 500}, "SyntaxError"),
        ("read_page_scoped", {"root": "e999", "depth": 3, "filter": "all"}, "again"),
    ],
)
def test_openai_reads_what_is_wrong(
    member: str, fields: dict[str, Any], words: str, openai: OpenAICalls, site: Site
) -> None:
    openai("navigate", url=site.page("/", BODY))
    refs = re.findall(r"ref=(e\d+)", openai("read_page", filter="all").text)
    if fields.get("target") in ("e2", "e3"):
        fields = {**fields, "target": refs[int(fields["target"][1:]) - 1]}
    reply = openai(member, **fields)
    assert reply.is_error, reply
    assert words in reply.text
    assert "Traceback" not in reply.text
    assert not openai("read_page", filter="all").is_error


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://nowhere.invalid/"])
def test_unreachable_page_is_an_error(url: str, claude: ClaudeCalls) -> None:
    reply = claude("navigate", url=url)
    assert reply.is_error
    assert "Trace" not in reply.text
    assert not claude("list_tabs").is_error


@pytest.mark.parametrize(
    "url",
    ["data:text/html,<title>x</title>Hi", "about:srcdoc", "http://my_host/", "chrome://version"],
)
def test_state_of_an_unusual_page_does_not_end_the_run(url: str, openai: OpenAICalls) -> None:
    openai("navigate", url=url)
    assert openai("list_tabs").tabs[0]["url"] in ("about:blank", "http://my_host")


def test_url_policy_and_confirm_refuse(browser: Browser, site: Site) -> None:
    from anthropic.lib.tools import ToolError

    def refuse(context: Any, url: str) -> None:
        if "forbidden" in url:
            raise ToolError("Not there.")

    hits = []
    site.pages["/forbidden"] = lambda handler: hits.append(handler)
    with ClaudeBrowser(
        browser, url_policy=refuse, confirm=lambda context: context.member != "left_click"
    ) as driver:
        claude = ClaudeCalls(driver)
        assert claude("navigate", url=f"{site.here}/forbidden").text == "Not there."
        assert not claude("navigate", url=site.page("/", BODY)).is_error
        refused = claude("left_click", target=at(5, 5))
        assert refused.is_error
        assert "did not grant permission" in refused.text
    assert not hits


def test_disabled_member_is_refused(browser: Browser) -> None:
    with ClaudeBrowser(browser, configs={"screenshot": {"enabled": False}}) as driver:
        reply = ClaudeCalls(driver)("screenshot")
        assert reply.is_error
        assert "not permitted" in reply.text


def test_closed_driver_says_so(browser: Browser) -> None:
    driver = ClaudeBrowser(browser)
    driver.close()
    with pytest.raises(RuntimeError, match="closed"):
        ClaudeCalls(driver)("list_tabs")
    driver.close()


def test_mended_arguments_of_a_model_work(claude: ClaudeCalls, site: Site) -> None:
    claude("navigate", url=site.page("/", BODY), tab_id="")
    assert not claude("left_click", target={"type": "coordinate", "x": "5", "y": 5.0}).is_error
    assert not claude("screenshot", unknown="field").is_error
