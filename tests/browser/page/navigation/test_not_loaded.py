"""What a navigation says that ends without the page: HTTP errors, downloads, error pages, and pages
that stay."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from support.serving_files import file
from support.site import Site

from tabwarden.errors import InvalidArgument, PageUnreachable
from tabwarden.sync import Browser

HTML = b"<title>A</title>a"


@pytest.fixture
def dead() -> str:
    """An address at which no server is listening."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    return f"http://127.0.0.1:{port}/"


# -- the status of the server -------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 404, 503])
@pytest.mark.parametrize("way", ["goto", "reload", "back", "tabs", "click"])
def test_navigations_return_the_http_status_as_a_number(
    way: str, status: int, browser: Browser, site: Site
) -> None:
    site.pages["/answer"] = file("text/html", HTML, status)
    url = site.here + "/answer"
    go = {
        "goto": lambda: browser.goto(url),
        "reload": lambda: (browser.goto(url), browser.reload())[1],
        "back": lambda: (browser.goto(url), browser.goto(site.page("/2", "2")), browser.back())[2],
        "tabs": lambda: browser.tabs("open", url=url),
        "click": lambda: (browser.goto(site.page("/", "<a href=/answer>A</a>")), click())[1],
    }

    def click() -> Any:
        return browser.click("css=a")

    done = go[way]()
    assert done.http_status == status
    assert (f"The server replied {status}" in done.note) == (status != 200)


def test_navigation_status_is_none_without_an_http_response_or_a_new_document(
    browser: Browser, site: Site
) -> None:
    assert browser.goto("data:text/html,x").http_status is None
    assert browser.evaluate("1").http_status is None
    assert browser.goto(site.page("/", "x")).http_status == 200
    assert browser.goto(site.here + "/#part").http_status is None


@pytest.mark.parametrize("path", ["/204", "/file", "/mailto"])
def test_goto_does_not_repeat_the_status_of_an_earlier_page(
    path: str, browser: Browser, site: Site
) -> None:
    site.pages["/gone"] = file("text/html", HTML, 404)
    site.pages["/204"] = file("text/html", b"", 204)
    site.pages["/file"] = file("application/zip", b"PK")
    site.pages["/mailto"] = file("text/html", b"", 302, Location="mailto:")
    assert browser.goto(site.here + "/gone").http_status == 404
    stayed = browser.goto(site.here + path)
    assert (stayed.status, stayed.http_status, stayed.url) == ("ok", None, site.here + "/gone")
    assert "404" not in stayed.note
    assert "still shows the same page" in stayed.note
    assert ("dl-" in stayed.note) == (path == "/file")


@pytest.mark.parametrize("way", ["goto", "click"])
def test_navigation_names_the_program_to_which_the_server_redirects(
    way: str, browser: Browser, site: Site
) -> None:
    place = "mailto:ann@example.com?subject=Hello"
    site.pages["/mail"] = file("text/html", b"", 302, Location=place)
    home = site.page("/", "<a href=/mail>Mail</a>")
    browser.goto(home)
    done = browser.goto(site.here + "/mail") if way == "goto" else browser.click("css=a")
    words = f'the server redirected to "{place}", which needs another program'
    assert words in (done.note if way == "goto" else done.effect)
    assert done.url == home


def test_goto_names_the_status_without_a_page(browser: Browser, site: Site) -> None:
    site.pages["/none"] = file("text/html", b"", 204)
    browser.goto(site.page("/", "before"))
    note = browser.goto(site.here + "/none").note
    assert note == "The tab still shows the same page: the server replied 204, without a page."


def test_navigation_stops_listening_to_requests_when_the_document_has_come(
    browser: Browser, site: Site
) -> None:
    """The ``Network`` domain slows pages with many scripts."""
    task = browser.inside.task
    browser.goto(site.page("/", "<p>Text</p>"))
    requests = task.memory_of(browser.state.tabs[0].tab_id).requests
    assert requests is not None
    assert not requests.is_listening


@pytest.mark.parametrize("status", [404, 500])
def test_goto_returns_an_error_status_without_a_body(
    status: int, browser: Browser, site: Site
) -> None:
    site.pages["/empty"] = file("text/html", b"", status)
    done = browser.goto(site.here + "/empty")
    assert (done.status, done.http_status) == ("ok", status)
    assert f"The server replied {status}" in done.note
    assert site.here + "/empty" in browser.state_message()


# -- pages that can't be loaded -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "error", "words"),
    [
        ("/redirects", "net::ERR_TOO_MANY_REDIRECTS", "redirect loop"),
        ("chrome://settings", "net::ERR_UNSAFE_REDIRECT", "web pages are not allowed to open"),
        ("about:blank", "net::ERR_UNSAFE_REDIRECT", "web pages are not allowed to open"),
    ],
)
def test_goto_error_for_an_invalid_redirect_does_not_say_the_server_is_down(
    location: str, error: str, words: str, browser: Browser, site: Site
) -> None:
    site.pages["/redirects"] = file("text/html", b"", 302, Location=location)
    with pytest.raises(PageUnreachable) as caught:
        browser.goto(site.here + "/redirects")
    assert caught.value.data["error_text"] == error
    assert words in caught.value.hint
    assert "down" not in caught.value.hint


def test_goto_rejects_an_oversized_data_url(browser: Browser) -> None:
    browser.goto("data:text/html," + "x" * 2_000_000)
    with pytest.raises(InvalidArgument, match="at most 2097152") as caught:
        browser.goto("data:text/html," + "x" * 2_100_000)
    assert caught.value.data["field"] == "url"


def test_state_line_shows_the_url_of_the_page_that_failed_to_load(
    browser: Browser, site: Site, dead: str
) -> None:
    site.pages["/loop"] = file("text/html", b"", 302, Location="/loop")
    for url in (site.here + "/loop", dead):
        with pytest.raises(PageUnreachable):
            browser.goto(url)
        assert url in browser.state_message()


@pytest.mark.parametrize(
    "then",
    [
        lambda browser: browser.back().title == "Before",
        lambda browser: browser.screenshot().width > 0,
        lambda browser: browser.evaluate("1").value == 1,
        lambda browser: "error" in browser.snapshot().text,
    ],
    ids=["back", "screenshot", "evaluate", "snapshot"],
)
def test_next_call_after_a_failed_page_load_works_at_once(
    then: Any, browser: Browser, site: Site, dead: str
) -> None:
    before = site.page("/", "before", title="Before")
    for _ in range(5):
        browser.goto(before)
        with pytest.raises(PageUnreachable):
            browser.goto(dead)
        assert then(browser)


@pytest.mark.parametrize("way", ["reload", "click"])
def test_reload_and_click_report_a_page_that_fails_to_load(
    way: str, browser: Browser, dead: str
) -> None:
    with pytest.raises(PageUnreachable):
        browser.goto(dead)
    for _ in range(3):
        if way == "click":
            browser.goto(f"data:text/html,<a href='{dead}'>Go</a>")
            failed = browser.click("css=a")
        else:
            failed = browser.reload()
        assert failed.url == dead
        assert "could not be loaded: net::ERR_CONNECTION_REFUSED" in failed.note


def test_back_and_forward_report_a_page_that_fails_to_load(
    browser: Browser, site: Site, dead: str
) -> None:
    browser.goto(site.page("/", "before"))
    with pytest.raises(PageUnreachable):
        browser.goto(dead)
    assert browser.back().note == ""
    assert "net::ERR_CONNECTION_REFUSED" in browser.forward().note
