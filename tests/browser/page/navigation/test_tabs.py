"""Tabs: opened, closed and switched, by ID and by index, independent of each other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.eventually import eventually
from support.pace import allow, in_time
from support.site import Site
from support.telling import hang

from tabwarden.errors import BrowserGone, InvalidArgument, PageUnreachable
from tabwarden.sync import Browser


def test_new_tab_becomes_active_and_calls_can_target_another_tab(
    browser: Browser, site: Site
) -> None:
    first = browser.goto(site.page("/one", "1", title="One")).tab_id
    opened = browser.tabs("open", url=site.page("/two", "2", title="Two"))
    assert opened.title == "Two"
    assert opened.tab_id != first
    assert browser.evaluate("document.title").value == "Two"
    assert browser.evaluate("document.title", tab_id=first).value == "One"
    browser.tabs("switch", tab_id=first)
    assert browser.evaluate("document.title").value == "One"


def test_tabs_action_switches_and_closes_tabs_by_index(browser: Browser) -> None:
    browser.tabs("open")
    listed = browser.tabs().value
    assert len(listed) == 2
    browser.tabs("switch", tab_index=0)
    assert browser.tabs().value[0]["active"]
    after = browser.tabs("close", tab_index=0).value
    assert [tab["tab_id"] for tab in after] == [listed[1]["tab_id"]]
    assert after[0]["active"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": "switch"}, "tab_id"),
        ({"mode": "switch", "tab_id": "t999"}, "tab_id"),
        ({"mode": "close", "tab_index": 99}, "tab_index"),
        ({"mode": "list", "url": "http://x.test/"}, "url"),
        ({"mode": "close", "tab_id": "t1", "tab_index": 0}, "tab_index"),
        ({"mode": "shuffle"}, "mode"),
    ],
)
def test_tabs_action_rejects_invalid_arguments(
    browser: Browser, arguments: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.tabs(**arguments)  # type: ignore[arg-type]
    assert caught.value.data["field"] == field
    assert browser.evaluate("1").value == 1


ACTED_ON = """<input aria-label=Name><button onclick="document.title += ' clicked'"
  onmouseover="document.title += ' over'">Press</button>
<select aria-label=Size><option>S<option>M</select><input type=checkbox aria-label=Agree>"""
IN_BOTH: list[tuple[str, str, Callable[..., Any]]] = [
    ("Press", "click", lambda browser, ref, **tab: browser.click(ref, **tab)),
    ("Press", "hover", lambda browser, ref, **tab: browser.hover(ref, **tab)),
    ("Press", "scroll", lambda browser, ref, **tab: browser.scroll("down", 100, ref, **tab)),
    ("Press", "evaluate", lambda browser, ref, **tab: browser.evaluate("e => 1", ref, **tab)),
    ("Press", "highlight", lambda browser, ref, **tab: browser.highlight(ref, **tab)),
    ("Press", "drag", lambda browser, ref, **tab: browser.drag(ref, to_x=90, to_y=90, **tab)),
    ("Name", "type", lambda browser, ref, **tab: browser.type("Ann", ref, **tab)),
    ("Size", "select", lambda browser, ref, **tab: browser.select(ref, labels="M", **tab)),
    (
        "Agree",
        "fields",
        lambda browser, ref, **tab: browser.fill_form([{"ref": ref, "value": True}], **tab),
    ),
]
HOLDS = (
    "[document.title, ...Array.from(document.querySelectorAll('input, select'),"
    " (e) => e.type === 'checkbox' ? e.checked : e.value)]"
)


def two_tabs(browser: Browser, site: Site, name: str) -> tuple[str, str, str, Any]:
    """The same page in two tabs: the one behind, the one in front, a ref of the one behind, and
    what that one holds."""
    url = site.page("/", ACTED_ON, title="Two")
    behind = browser.goto(url).tab_id
    ref = browser.snapshot().ref(name)
    before = browser.evaluate(HOLDS).value
    return behind, browser.tabs("open", url=url).tab_id, ref, before


@pytest.mark.parametrize(("name", "what", "act"), IN_BOTH, ids=[what for _, what, _ in IN_BOTH])
def test_actions_run_in_the_tab_of_their_ref(
    name: str, what: str, act: Callable[..., Any], browser: Browser, site: Site
) -> None:
    behind, front, ref, before = two_tabs(browser, site, name)
    done = act(browser, ref)
    assert (done.status, done.tab_id) == ("ok", behind)
    assert browser.evaluate(HOLDS, tab_id=front).value == before, "the tab in front was touched"
    if what not in ("scroll", "evaluate", "highlight", "drag"):
        assert browser.evaluate(HOLDS, tab_id=behind).value != before, "nothing was done"


@pytest.mark.long
@pytest.mark.parametrize(("name", "what", "act"), IN_BOTH, ids=[what for _, what, _ in IN_BOTH])
def test_actions_reject_a_ref_from_another_tab(
    name: str, what: str, act: Callable[..., Any], browser: Browser, site: Site
) -> None:
    behind, front, ref, before = two_tabs(browser, site, name)
    with pytest.raises(InvalidArgument, match=f"in tab {behind}, not in {front}") as caught:
        act(browser, ref, tab_id=front)
    assert caught.value.data["field"] == {"drag": "from_ref", "fields": "fields"}.get(what, "ref")
    for tab_id in (front, behind):
        assert browser.evaluate(HOLDS, tab_id=tab_id).value == before


@pytest.mark.long
def test_drag_rejects_a_start_and_an_end_in_different_tabs(browser: Browser, site: Site) -> None:
    url = site.page("/", ACTED_ON)
    browser.goto(url)
    start = browser.snapshot().ref("Press")
    browser.tabs("open", url=url)
    with pytest.raises(InvalidArgument, match="in tab") as caught:
        browser.drag(start, browser.snapshot().ref("Press"))
    assert caught.value.data["field"] == "to_ref"


def test_results_report_a_popup_once_with_its_opener(browser: Browser, site: Site) -> None:
    site.page("/popup", "<p>hi</p>", title="Popup")
    opener = browser.goto(site.page("/", "<p>opener</p>")).tab_id
    result = browser.evaluate("window.open('/popup'); 0")
    news = [*result.new_since_last.tabs, *browser.tabs().new_since_last.tabs]
    assert [(tab["event"], tab.get("opener_tab_id")) for tab in news] == [("opened", opener)]
    assert browser.tabs().new_since_last.tabs == ()


@pytest.mark.threat
def test_pages_can_open_only_a_limited_number_of_windows(browser: Browser, site: Site) -> None:
    site.page("/popup", "<p>hi</p>")
    browser.goto(site.page("/", "<p>opener</p>"))
    for features in ("", "noopener"):
        browser.evaluate(f"for (let n = 0; n < 55; n++) open('/popup', '', '{features}')")
    eventually(lambda: len(browser.state.tabs) == 100)
    eventually(lambda: "window" in [note.kind for note in browser.state.notes])

    def pages() -> int:
        found = browser.cdp("Target.getTargets").value["targetInfos"]
        return sum(one["type"] == "page" for one in found)

    eventually(lambda: pages() <= 101)  # one may be Tabwarden's own
    browser.tabs("open", url=f"{site.here}/popup")  # the agent may
    assert len(browser.state.tabs) == 101


@pytest.mark.calm  # a click waits only briefly for the URL of a tab that it opened
@pytest.mark.parametrize(
    ("how", "modifiers"),
    [
        ('<a href="/popup" target=_blank>Go</a>', ()),
        ('<a href="/popup">Go</a>', ("Control",)),
        ("<button onclick=\"window.open('/popup', '', 'width=300,height=200')\">Go</button>", ()),
        ("<button onclick=\"w = window.open(''); w.location = '/popup'\">Go</button>", ()),
    ],
)
def test_click_reports_the_url_of_a_tab_that_it_opened(
    how: str, modifiers: tuple[str, ...], browser: Browser, site: Site
) -> None:
    site.page("/popup", "<p>hi</p>", title="Popup")
    browser.goto(site.page("/", how))
    ref = browser.snapshot().ref("Go")
    for _ in range(3):
        (opened,) = browser.click(ref, modifiers=modifiers).new_since_last.tabs
        assert opened["url"] == f"{site.here}/popup"


def test_click_waits_only_briefly_for_a_new_tab_that_stays_empty(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick=\"window.open('')\">Go</button>"))
    ref = browser.snapshot().ref("Go")
    with in_time(0.25):
        (opened,) = browser.click(ref).new_since_last.tabs
    assert opened["url"] in ("", "about:blank")


def test_tabs_action_closes_a_tab_with_a_hung_page(browser: Browser, site: Site) -> None:
    keep = browser.state.active_tab_id
    hung = browser.tabs("open", url=site.page("/", "here")).tab_id
    hang(browser, site, tab_id=hung)
    browser.tabs("close", tab_id=hung, timeout_ms=allow(5_000))
    assert [tab.tab_id for tab in browser.state.tabs] == [keep]


def test_tabs_open_reports_a_page_that_cannot_load_and_keeps_the_tab(browser: Browser) -> None:
    with pytest.raises(PageUnreachable):
        browser.tabs("open", url="http://127.0.0.1:9/")
    assert len(browser.state.tabs) == 2


@pytest.mark.parametrize("show", ["none", "full"])
def test_goto_opens_a_tab_when_none_is_open(show: Any, site: Site) -> None:
    with Browser.launch() as browser:
        (first,) = browser.tabs().value
        assert browser.tabs("close", tab_id=first["tab_id"]).value == []
        there = browser.goto(site.page("/", "<button>Go</button>", title="There"), snapshot=show)
        assert (there.status, there.title) == ("ok", "There")
        assert there.tab_id not in (None, first["tab_id"])
        assert [tab["event"] for tab in there.new_since_last.tabs] == ["opened"]
        (tab,) = browser.tabs().value
        assert (tab["tab_id"], tab["active"]) == (there.tab_id, True)
        assert "Go" in browser.snapshot().text


def test_calls_without_an_open_tab_suggest_how_to_open_one(site: Site) -> None:
    with Browser.launch() as browser:
        browser.tabs("close")
        calls: list[Callable[[], Any]] = [
            browser.snapshot,
            browser.reload,
            browser.screenshot,
            lambda: browser.click(x=1, y=1),
            lambda: browser.evaluate("1"),
            lambda: browser.tabs("close"),
        ]
        for call in calls:
            with pytest.raises(BrowserGone, match=r"has no tabs") as caught:
                call()
            assert "browser.goto(" in caught.value.hint
            assert caught.value.data == {"reason": "no tab"}
        with pytest.raises(InvalidArgument, match="There is no tab"):
            browser.goto(site.here, tab_id="t1")


# -- titles: no event reports a title set after the document has loaded -------------------------


def titles(browser: Browser) -> dict[str, str]:
    """The titles in the state, read without a call."""
    return {tab.tab_id: tab.title for tab in browser.state.tabs}


def wait_for_title(browser: Browser, tab_id: str, title: str) -> None:
    eventually(lambda: titles(browser)[tab_id] == title)


def test_state_shows_the_title_of_a_popup_without_a_call(browser: Browser, site: Site) -> None:
    site.page("/pop", "pop", title="Popup")
    browser.goto(site.page("/", "<button onclick=\"window.open('/pop')\">Go</button>"))
    before = set(titles(browser))
    browser.click(browser.snapshot().ref("Go"))
    (fresh,) = eventually(lambda: set(titles(browser)) - before)
    wait_for_title(browser, fresh, "Popup")


@pytest.mark.long
def test_tabs_action_lists_current_titles(browser: Browser, site: Site) -> None:
    first = browser.goto(site.page("/one", "1", title="One")).tab_id or ""
    second = browser.tabs("open", url=site.page("/two", "2", title="Two")).tab_id or ""
    go = threading.Event()

    def answer(request: BaseHTTPRequestHandler) -> None:
        go.wait(20)
        request.send_response(204)
        request.end_headers()

    site.pages["/go"] = answer
    later = "fetch('/go').then(() => { document.title = 'Late'; fetch('/late') }); 0"
    browser.evaluate(later, tab_id=first)
    browser.evaluate("document.title = 'Changed'", tab_id=second)
    listed = {tab["tab_id"]: tab["title"] for tab in browser.tabs().value}
    assert listed[second] == "Changed"
    # From here on only the list itself requests titles
    eventually(lambda: not browser._task.late_titles._is_due)
    eventually(lambda: not browser._task.supervisor.connection.in_flight)
    go.set()
    eventually(lambda: "/late" in site.hits)
    listed = {tab["tab_id"]: tab["title"] for tab in browser.tabs("switch", tab_id=first).value}
    assert listed[first] == "Late"


def test_state_shows_a_title_set_by_evaluate_without_another_call(
    browser: Browser, site: Site
) -> None:
    tab_id = browser.goto(site.page("/", "1")).tab_id or ""
    for number in range(4):  # this thread does not send the first ones itself yet
        browser.evaluate(f"document.title = 'No. {number}'")
        wait_for_title(browser, tab_id, f"No. {number}")


def test_dialog_returns_the_page_title_set_after_its_answer(browser: Browser, site: Site) -> None:
    ask = "document.title = 'Said ' + prompt('?')"
    browser.goto(site.page("/", f'<button onclick="{ask}">Ask</button>', title="Asks"))
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    answered = browser.dialog("accept", "yes")
    assert answered.title == "Said yes"
    assert titles(browser)[answered.tab_id or ""] == "Said yes"


def test_tabs_action_lists_a_hung_tab_with_its_title_without_delay(
    browser: Browser, site: Site
) -> None:
    hung = browser.goto(site.page("/hung", "1", title="Hung")).tab_id
    browser.tabs("open", url=site.page("/", "1", title=""))
    browser.evaluate(
        "setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end;); })", tab_id=hung
    )
    time.sleep(0.05)
    with in_time(0.1):
        listed = {tab["tab_id"]: tab["title"] for tab in browser.tabs().value}
    assert listed[hung] == "Hung"
