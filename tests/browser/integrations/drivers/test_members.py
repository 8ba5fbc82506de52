"""Each member of both toolsets does what its contract says. The page's own log judges."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.needs import require
from support.site import Site

from tabwarden.sync import Browser

require("vendor-sdks")

from support.vendors import at, ref  # noqa: E402 - it needs the SDKs

if TYPE_CHECKING:
    from support.vendors import ClaudeCalls, OpenAICalls

PAGE = (Path(__file__).parent / "controls.html").read_text("utf-8")


@pytest.fixture
def refs(browser: Browser, site: Site) -> dict[str, str]:
    """The page with the controls, and the ref of each control by its name."""
    site.pages["/"] = PAGE
    browser.goto(f"{site.here}/")
    found = re.findall(r'"([\w ]+)" \[ref=(e\d+)\]', browser.snapshot().text)
    return dict(found)


def log(browser: Browser) -> str:
    return str(browser.evaluate("document.getElementById('out').textContent").value)


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def vendors(name: str) -> dict[str, str]:
    return ref(name.replace("e", "ref_"))


@pytest.mark.parametrize(
    ("member", "control", "event", "words"),
    [
        ("left_click", "Buy", "buy", "Clicked."),
        ("right_click", "Menu", "context", "Right-clicked."),
        ("middle_click", "Menu", "aux1", "Middle-clicked."),
        ("double_click", "Menu", "double", "Double-clicked."),
        ("hover", "Menu", "enter", "Hovered."),
        ("left_click", "Far away", "far", "Clicked."),
    ],
)
def test_claude_clicks_elements_by_ref(
    member: str,
    control: str,
    event: str,
    words: str,
    claude: ClaudeCalls,
    refs: dict[str, str],
    browser: Browser,
) -> None:
    reply = claude(member, target=vendors(refs[control]))
    assert reply.text.startswith(words)
    assert not reply.is_error
    assert event in log(browser).split()


def test_claude_clicks_points_and_selects_words_with_a_triple_click(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    box = browser.evaluate(
        "(() => {const b = words.getBoundingClientRect(); return [b.x + 9, b.y + 9]})()"
    ).value
    claude("triple_click", target=at(*map(int, box)))
    assert "triple" in log(browser)
    assert browser.evaluate("getSelection().toString().trim()").value == "Three words here"


def test_claude_holds_modifiers_during_a_click(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    browser.evaluate(
        "buy.addEventListener('click', e => log(`${e.ctrlKey},${e.shiftKey},${e.altKey}`))"
    )
    claude("left_click", target=vendors(refs["Buy"]), modifiers="ctrl+shift")
    assert "true,true,false" in log(browser)


def test_claude_uses_the_mouse_at_points(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    assert claude("mouse_move", target=at(700, 100)).text.startswith("Moved the mouse.")
    claude("left_mouse_down", target=at(710, 110))
    claude("mouse_move", target=at(720, 120))
    claude("left_mouse_up", target=at(730, 130))
    claude("left_click_drag", **{"from": at(800, 100), "target": at(900, 300)})
    events = list(dict.fromkeys(log(browser).split()))
    wanted = ["mousemove@700,100", "mousedown@710,110", "mousemove@720,120", "mouseup@730,130"]
    assert [event for event in events if event in wanted] == wanted
    assert "mousedown@800,100" in events
    assert "mouseup@900,300" in events


def test_claude_scrolls_at_a_point_and_to_an_element(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    claude("scroll", target=at(300, 300), scroll_direction="down", scroll_amount=5)
    assert browser.evaluate("scrollY").value > 100
    left = claude("scroll", target=at(1, 1), scroll_direction="left").text
    assert "Nothing at this point can scroll in that direction." in left
    reply = claude("scroll_to", target=vendors(refs["Far away"]))
    assert reply.text.startswith(f"Scrolled to {refs['Far away'].replace('e', 'ref_')}.")
    assert browser.evaluate("far.getBoundingClientRect().bottom <= innerHeight").value


def test_claude_types_at_the_focus_and_presses_keys(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    claude("left_click", target=vendors(refs["Name"]))
    claude("type", text="Ann")
    claude("key", text="BackSpace", repeat=2)
    assert browser.evaluate("document.getElementById('name').value").value == "A"
    claude("key", text="ctrl+a Delete")
    assert browser.evaluate("document.getElementById('name').value").value == ""
    browser.evaluate("document.activeElement.blur()")
    assert claude("hold_key", text="Right", duration=0.3).text.startswith("Held Right for 0.3s.")
    assert log(browser).split().count("down:ArrowRight") >= 1
    assert log(browser).split().count("up:ArrowRight") == 1


@pytest.mark.parametrize(
    ("control", "value", "script", "wanted"),
    [
        ("Name", "Bob", "document.getElementById('name').value", "Bob"),
        ("Age", 41, "age.value", "41"),
        ("Volume", 7.0, "volume.value", "7"),
        ("Day", "2026-11-30", "day.value", "2026-11-30"),
        ("Agree", True, "agree.checked", True),
        ("Fruit", "Pear", "fruit.value", "p"),
        ("Fruit", "p", "fruit.value", "p"),
    ],
)
def test_claude_sets_form_controls(
    control: str,
    value: object,
    script: str,
    wanted: object,
    claude: ClaudeCalls,
    refs: dict[str, str],
    browser: Browser,
) -> None:
    reply = claude("form_input", target=vendors(refs[control]), value=value)
    assert not reply.is_error, reply.text
    assert browser.evaluate(script).value == wanted


def test_claude_reads_pages(claude: ClaudeCalls, refs: dict[str, str], site: Site) -> None:
    near, everything = claude("read_page").text, claude("read_page", filter="all").text
    assert f'button "Buy" [{refs["Buy"].replace("e", "ref_")}]' in near
    assert "Far away" not in near
    assert "Far away" in everything
    assert "Three words" in everything
    assert "Plain text" in everything
    assert "Plain text" not in claude("read_page", filter="interactive").text
    assert "Three words here" in claude("get_page_text").text
    found = claude("find", query="field for the name").text
    assert found.splitlines()[0].count(f"[{refs['Name'].replace('e', 'ref_')}]") == 1


def test_claude_sees_pixels(claude: ClaudeCalls, refs: dict[str, str]) -> None:
    width, height = size(claude("screenshot").image)
    assert (width, height) == (1280, 800)
    assert size(claude("zoom", region=[0, 0, 320, 200]).image) == (1280, 800)


def test_points_of_a_scaled_screenshot_hit_what_the_model_sees(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    browser.resize(2500, 800)
    try:
        assert size(claude("screenshot").image) == (2000, 640)
        claude("left_click", target=at(800, 80))
    finally:
        browser.resize(1280, 800)
    assert "mousedown@1000,100" in log(browser).split()


def test_click_on_a_point_names_the_element_there(
    claude: ClaudeCalls, refs: dict[str, str]
) -> None:
    claude("read_page")
    assert 'At button "Buy" [ref_' in claude("left_click", target=at(12, 12)).text


def test_claude_reads_logs_since_the_last_read(
    claude: ClaudeCalls, refs: dict[str, str], browser: Browser
) -> None:
    claude("read_network")
    browser.evaluate("console.log('first'); fetch('/api')")
    assert "first" in claude("read_console").text
    assert "first" not in claude("read_console").text
    assert "/api" in claude("read_network").text
    assert "/api" not in claude("read_network").text


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", "2"),
        ("let q = 3; q", "3"),
        ("let q = 4; q", "4"),
        ("await Promise.resolve('late')", "late"),
        ("document.title", "Controls"),
    ],
)
def test_claude_runs_scripts_like_a_console(
    script: str, value: str, claude: ClaudeCalls, refs: dict[str, str]
) -> None:
    assert claude("javascript_exec", text=script).text == value


def test_claude_manages_tabs(claude: ClaudeCalls, refs: dict[str, str], site: Site) -> None:
    (first,) = claude("list_tabs").tabs
    opened = claude("new_tab")
    second = next(tab for tab in opened.tabs if tab["active"])
    assert second["tab_id"] != first["tab_id"]
    assert opened.text == ""
    assert {"type": "tab_opened", "tab_id": second["tab_id"]} in opened.changes
    assert "Three words" in claude("get_page_text", tab_id=first["tab_id"]).text
    switched = claude("switch_tab", tab_id=first["tab_id"])
    assert [tab["active"] for tab in switched.tabs] == [True, False]
    closed = claude("close_tab", tab_id=second["tab_id"])
    assert [tab["tab_id"] for tab in closed.tabs] == [first["tab_id"]]


def test_claude_navigates_and_goes_back(
    claude: ClaudeCalls, refs: dict[str, str], site: Site
) -> None:
    url = site.page("/two", "<h1>Two</h1>", title="Second")
    assert claude("navigate", url=url).text == f"Navigated to {url} — Second (HTTP 200)"
    assert "Controls" in claude("navigate", url="back").text
    assert "Second" in claude("navigate", url="forward").text
    assert "HTTP 404" in claude("navigate", url=f"{site.here}/nowhere").text
    assert not claude("navigate", url="reload").is_error


def test_openai_acts_on_elements(
    openai: OpenAICalls, refs: dict[str, str], browser: Browser
) -> None:
    openai("click", target=refs["Buy"])
    openai("hover", target=refs["Menu"])
    openai("type", target=refs["Name"], text="Ann")
    openai("click", target=refs["Name"])
    openai("key", keys=["Control", "a"])
    openai("type", text="Bob")
    openai("select_option", target=refs["Fruit"], values=["p"])
    openai("set_checked", target=refs["Agree"], checked=True)
    openai("scroll_to", target=refs["Far away"])
    events = log(browser)
    assert "buy" in events
    assert "enter" in events
    assert "name=Ann" in events
    script = "[document.getElementById('name').value, fruit.value, agree.checked]"
    assert browser.evaluate(script).value == ["Bob", "p", True]


def test_openai_acts_at_points(openai: OpenAICalls, refs: dict[str, str], browser: Browser) -> None:
    openai("hover_at", x=700, y=50)
    openai("click_at", x=710, y=60, button="left", click_count=1, keys=[])
    path = [{"x": 800, "y": 100}, {"x": 850, "y": 300}, {"x": 900, "y": 100}]
    openai("drag_path", path=path, keys=["Shift"])
    openai("hold_keys", keys=["a"], duration_ms=50)
    openai("scroll", direction="down", amount=300)
    events = log(browser).split()
    assert "mousemove@700,50" in events
    assert "mousedown@710,60" in events
    assert "mousemove@850,300" in events
    assert "mouseup@900,100" in events
    assert browser.evaluate("scrollY").value == 300


def test_openai_reads(openai: OpenAICalls, refs: dict[str, str], browser: Browser) -> None:
    assert "Far away" in openai("read_page", filter="all").text
    assert "Plain text" not in openai("read_page", filter="interactive").text
    assert "Three words here" in openai("get_page_text").text
    assert refs["Name"] in openai("find", query="name field").text
    assert size(openai("screenshot").image) == (1280, 800)
    assert size(openai("zoom", region=[0, 0, 640, 400]).image) == (1280, 800)
    browser.evaluate("console.warn('careful')")
    assert "careful" in openai("read_diagnostics", source="console", limit=5).text
    assert openai("run_script", source="6 * 7", timeout_ms=5000).text == "42"


def test_openai_reads_one_part_of_a_page(openai: OpenAICalls, site: Site) -> None:
    body = "<nav aria-label=Main><a href=/a>News</a></nav><main><h1>Hi</h1><p>Body</p></main>"
    openai("navigate", url=site.page("/", body))
    listed = openai("read_page_scoped", depth=5, filter="all").text
    assert "navigation Main" in listed
    assert "main" in listed
    root = re.search(r'"ref": "(e\d+)", "label": "main', listed)
    assert root is not None
    part = openai("read_page_scoped", root=root[1], depth=5, filter="all").text
    assert "Body" in part
    assert "News" not in part


def test_openai_waits_for_text(openai: OpenAICalls, site: Site) -> None:
    body = "<p id=o>wait</p><script>setTimeout(()=>o.textContent='All  done',300)</script>"
    openai("navigate", url=site.page("/", body))
    assert not openai("wait_for", text="All done", timeout_ms=5000).is_error
    missed = openai("wait_for", text="never", timeout_ms=500)
    assert missed.is_error
    assert "never" in missed.text


def test_openai_manages_tabs(openai: OpenAICalls, refs: dict[str, str], site: Site) -> None:
    (first,) = openai("list_tabs").tabs
    opened = openai("new_tab", url=site.page("/two", "Two"))
    second = next(tab for tab in opened.tabs if tab["active"])
    switched = openai("switch_tab", tab_id=first["id"])
    closed = openai("close_tab", tab_id=second["id"])
    assert [tab["id"] for tab in closed.tabs] == [first["id"]]
    reports = [*opened.changes, *switched.changes, *closed.changes]
    kinds = list({change["sequence"]: change["type"] for change in reports}.values())
    assert kinds.count("tab_opened") == kinds.count("tab_closed") == 1
    assert "tab_switched" in kinds
