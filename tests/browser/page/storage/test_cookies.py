"""Cookies: listed without values, set, deleted and cleared, on any page."""

from __future__ import annotations

from typing import Any

import pytest
from browser.surfaces.mcp.host import hosting
from support.site import Site
from support.telling import hang

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser


@pytest.fixture
def browser(browser: Browser) -> Browser:
    browser.cookies("clear")
    return browser


def names(browser: Browser, **wanted: Any) -> list[str]:
    return [cookie["name"] for cookie in browser.cookies(**wanted).value]


def test_cookies_action_shows_values_only_on_request(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    browser.cookies("set", name="session", value="s3cret", http_only=True, same_site="Strict")
    browser.evaluate("document.cookie = 'seen=by-script'")
    assert browser.evaluate("document.cookie").value == "seen=by-script"
    listed = browser.cookies()
    assert [cookie["name"] for cookie in listed.value] == ["seen", "session"]
    assert "s3cret" not in repr(listed)
    session = listed.value[1]
    assert (session["domain"], session["http_only"], session["same_site"]) == (
        "127.0.0.1", True, "Strict",
    )  # fmt: skip
    assert session["expires"] is None
    assert browser.cookies(values=True).value[1]["value"] == "s3cret"


def test_browser_sends_cookies_that_the_cookies_action_set(browser: Browser, site: Site) -> None:
    got: list[str | None] = []

    def answer(request: Any) -> None:
        got.append(request.headers.get("Cookie"))
        request.send_response(200)
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/"] = answer
    browser.cookies("set", name="a", value="1", url=site.here)
    browser.cookies("set", name="b", value="2", domain="localhost", expires=4_000_000_000)
    browser.goto(site.here + "/")
    browser.goto(site.there + "/")
    assert got == ["a=1", "b=2"]


def test_cookies_action_filters_by_url_domain_and_name(browser: Browser) -> None:
    for name, domain in (("a", "shop.test"), ("b", ".shop.test"), ("c", "pay.shop.test")):
        browser.cookies("set", name=name, value="1", domain=domain)
    browser.cookies("set", name="d", value="1", domain="myshop.test")
    assert names(browser, domain="shop.test") == ["c", "a", "b"]
    assert names(browser, url="https://www.shop.test/") == ["b"]
    assert names(browser, name="d") == ["d"]
    assert names(browser, domain="shop.test", name="a") == ["a"]
    assert browser.cookies("delete", domain="pay.shop.test").value == {"deleted": 1}
    assert browser.cookies("delete", name="a", domain="test").value == {"deleted": 1}
    assert browser.cookies("delete", name="a").value == {"deleted": 0}
    assert names(browser) == ["d", "b"]
    assert browser.cookies("clear").value == {"deleted": 2}
    assert names(browser) == []


def test_cookies_action_reports_a_cookie_that_has_already_expired(browser: Browser) -> None:
    done = browser.cookies("set", name="a", value="1", domain="a.test", expires=1)
    assert done.value == []
    assert "expired" in done.note


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": "set", "value": "1"}, "name"),
        ({"mode": "set", "name": "a"}, "value"),
        ({"mode": "set", "name": "a=b", "value": "1"}, "name"),
        ({"mode": "set", "name": "a", "value": "hidden; Secure"}, "value"),
        ({"mode": "set", "name": "a", "value": "1", "domain": "https://x.test"}, "domain"),
        ({"mode": "set", "name": "a", "value": "1", "url": "x.test"}, "url"),
        ({"mode": "set", "name": "a", "value": "1", "url": "http://["}, "url"),
        ({"mode": "set", "name": "a", "value": "1", "url": "http://x.test", "domain": "x.test"},
         "domain"),
        ({"mode": "set", "name": "a", "value": "1", "path": "x"}, "path"),
        ({"mode": "set", "name": "a", "value": "1", "same_site": "lax"}, "same_site"),
        ({"mode": "set", "name": "__Host-a", "value": "hidden", "domain": "x.test"}, "cookies"),
        ({"mode": "set", "name": "a", "value": "1"}, "url"),
        ({"mode": "delete"}, "name"),
        ({"mode": "clear", "name": "a"}, "mode"),
        ({"mode": "list", "value": "1"}, "value"),
        ({"mode": "list", "secure": True}, "secure"),
        ({"mode": "list", "url": "nowhere"}, "url"),
        ({"mode": "eat"}, "mode"),
    ],
)  # fmt: skip
def test_cookies_action_rejects_invalid_arguments_without_showing_values(
    browser: Browser, arguments: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.cookies(**arguments)
    assert caught.value.data["field"] == field
    assert "hidden" not in str(caught.value), "a value is a secret in errors too"
    assert names(browser) == []


def test_cookies_action_works_behind_a_dialog_and_on_a_hung_page(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", "<button onclick=\"alert('wait')\">Ask</button>")
    browser.goto(url)
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    browser.cookies("set", name="a", value="1")
    assert names(browser) == ["a"]
    browser.dialog("accept")
    hang(browser, site)
    assert names(browser, url=url) == ["a"]
    assert browser.cookies("delete", name="a").value == {"deleted": 1}


def test_tab_in_another_browser_context_has_separate_cookies(browser: Browser, site: Site) -> None:
    context = browser.cdp("Target.createBrowserContext").value["browserContextId"]
    made = {"url": "about:blank", "browserContextId": context}
    target_id = browser.cdp("Target.createTarget", made).value["targetId"]
    other = next(tab.tab_id for tab in browser.state.tabs if tab.target_id == target_id)
    url = site.page("/", "page")
    browser.cookies("set", name="theirs", value="1", url=url, tab_id=other)
    browser.cookies("set", name="ours", value="1", url=url)
    assert names(browser) == ["ours"]
    assert names(browser, tab_id=other) == ["theirs"]
    browser.cdp("Target.disposeBrowserContext", {"browserContextId": context})


@pytest.mark.anyio
@pytest.mark.threat
@pytest.mark.long
async def test_cookies_tool_shows_values_only_on_request(site: Site) -> None:
    async with hosting() as host:
        await host.call("browser_navigate", url=site.page("/", "page"))
        said, _ = await host.call("browser_cookies", mode="set", name="a", value="s3cret")
        assert "s3cret" not in said
        said, data = await host.call("browser_cookies")
        assert data["value"][0]["name"] == "a"
        assert "s3cret" not in said
        said, _ = await host.call("browser_cookies", values="true")
        assert "s3cret" in said
