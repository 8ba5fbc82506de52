"""Mouse and keyboard input reaches a page like a person's input."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.sync import Browser

RECORDER = """<script>
window.seen = [];
for (const kind of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu',
                    'keydown', 'keypress', 'keyup', 'input', 'change', 'submit'])
  addEventListener(kind, (e) => {
    seen.push([kind, e.isTrusted, e.key ?? e.button ?? null,
               [e.shiftKey && 'Shift', e.ctrlKey && 'Control', e.altKey && 'Alt'].filter(Boolean)]);
    if (kind === 'submit') e.preventDefault();
  }, true);
</script>"""


def seen(browser: Browser, *kinds: str) -> list[Any]:
    events: list[Any] = browser.evaluate("seen").value
    assert all(event[1] for event in events if event[0] != "submit")
    return [[event[0], *event[2:]] for event in events if event[0] in kinds]


@pytest.fixture
def page(browser: Browser, site: Site) -> Browser:
    browser.goto(
        site.page(
            "/",
            "<button>Go</button><form><input aria-label=Name value=old><button>Send</button></form>"
            "<textarea aria-label=Notes></textarea>" + RECORDER,
        )
    )
    return browser


def test_click_fires_mousedown_mouseup_and_click(page: Browser) -> None:
    page.click(ref_of(page.snapshot(), '"Go"'))
    assert seen(page, "mousedown", "mouseup", "click") == [
        ["mousedown", 0, []],
        ["mouseup", 0, []],
        ["click", 0, []],
    ]


def test_click_honors_button_count_and_modifiers(page: Browser) -> None:
    ref = ref_of(page.snapshot(), '"Go"')
    page.click(ref, button="right")
    page.click(ref, button="middle")
    page.click(ref, count=2)
    page.click(ref, modifiers=["Shift", "Control"])
    assert seen(page, "click", "dblclick", "auxclick", "contextmenu") == [
        ["contextmenu", 2, []],
        ["auxclick", 2, []],
        ["auxclick", 1, []],
        ["click", 0, []],
        ["click", 0, []],
        ["dblclick", 0, []],
        ["click", 0, ["Shift", "Control"]],
    ]


def test_type_at_a_point_fills_the_field_there(page: Browser) -> None:
    box = page.evaluate("(r => [r.x + 5, r.y + 5])(document.querySelector('input')"
                        ".getBoundingClientRect())").value  # fmt: skip
    assert page.type("new", x=box[0], y=box[1], clear=True).status == "ok"
    assert page.evaluate("document.querySelector('input').value").value == "new"


def test_type_appends_or_replaces_text(page: Browser) -> None:
    name = ref_of(page.snapshot(), '"Name"')
    assert page.type("er", name, clear=False).value == {"value": "older"}
    assert page.type("néw 漢字 🎉", name, clear=True).value == {"value": "néw 漢字 🎉"}
    assert page.type("", name, clear=True).value == {"value": ""}
    notes = ref_of(page.snapshot(), '"Notes"')
    assert page.type("two\nlines", notes).value == {"value": "two\nlines"}


def test_press_enter_submits_a_form(page: Browser) -> None:
    page.type("x", ref_of(page.snapshot(), '"Name"'), press_enter=True)
    assert seen(page, "submit", "keydown") == [["keydown", "Enter", []], ["submit", None, []]]


def test_press_sends_keys_and_chords(page: Browser) -> None:
    name = ref_of(page.snapshot(), '"Name"')
    page.click(name)
    page.press("Ctrl+A")
    page.press("q")
    page.press("Shift+A")
    page.press("1", times=3)
    page.press("Backspace")
    page.press("Ctrl++")
    page.press("+")
    page.press("Tab")
    assert page.evaluate("document.querySelector('input').value").value == "qA11+"
    assert page.evaluate("document.activeElement.textContent").value == "Send"
    keys = [event[1] for event in seen(page, "keydown") if event[1] not in ("Control", "Shift")]
    assert keys == ["a", "q", "A", "1", "1", "1", "Backspace", "+", "+", "Tab"]


def test_press_holds_and_releases_the_modifiers_of_a_chord(page: Browser) -> None:
    page.click(page.snapshot().ref("Notes"))
    page.press("Ctrl+Shift+K", times=2)
    once = [
        ["keydown", "Control", ["Control"]],
        ["keydown", "Shift", ["Shift", "Control"]],
        ["keydown", "K", ["Shift", "Control"]],
        ["keyup", "K", ["Shift", "Control"]],
        ["keyup", "Shift", ["Control"]],
        ["keyup", "Control", []],
    ]
    assert seen(page, "keydown", "keyup") == once * 2


@pytest.mark.parametrize("key", ["?", "!", "+", "A", "Shift+?"])
def test_press_holds_shift_for_a_character_that_requires_it(page: Browser, key: str) -> None:
    page.click(page.snapshot().ref("Notes"))
    page.press(key)
    typed = key.removeprefix("Shift+")
    assert seen(page, "keydown") == [
        ["keydown", "Shift", ["Shift"]], ["keydown", typed, ["Shift"]],
    ]  # fmt: skip
    assert page.evaluate("document.querySelector('textarea').value").value == typed


@pytest.mark.parametrize("key", ["Entr", "Ctrl+", "", "Hyper+A", "ab"])
def test_press_rejects_an_unknown_key(key: str, page: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        page.press(key)
    assert caught.value.data["field"] == "key"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("<input type=date>", "2024-02-29", "2024-02-29"),
        ("<input type=time>", "13:45", "13:45"),
        ("<input type=color>", "#aabbcc", "#aabbcc"),
        ("<input type=range max=10>", "7", "7"),
        ("<input type=number>", "42", "42"),
        ("<input type=email>", "a@b.c", "a@b.c"),
        ("<input type=password>", "secret", "••••••••"),
        ("<div contenteditable role=textbox></div>", "rich", "rich"),
        ("<label>Field <input></label>", "in", "in"),
    ],
)
def test_type_works_in_every_kind_of_text_field(
    field: str, text: str, value: str, browser: Browser, site: Site
) -> None:
    labelled = field.replace("<input", "<input aria-label=F").replace("<div", "<div aria-label=F")
    browser.goto(site.page("/", labelled + RECORDER))
    (ref,) = browser.snapshot().refs
    assert browser.type(text, ref, clear=True).value == {"value": value}
    assert any(event[0] == "input" for event in browser.evaluate("seen").value)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("<input disabled>", "disabled"),
        ("<input readonly>", "read-only"),
        ("<button>x</button>", "does not accept text"),
        ("<input type=checkbox>", "does not accept text"),
    ],
)
def test_type_reports_why_an_element_accepts_no_text(
    field: str, words: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", field))
    (ref,) = browser.snapshot().refs
    with pytest.raises(NotInteractable, match=words):
        browser.type("text", ref)


def test_type_rejects_a_badly_formatted_date(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<input type=date value=2024-01-01>"))
    (ref,) = browser.snapshot().refs
    with pytest.raises(InvalidArgument, match="YYYY-MM-DD"):
        browser.type("tomorrow", ref)
    assert browser.evaluate("document.querySelector('input').value").value == "2024-01-01"


def test_dialog_in_oninput_interrupts_type(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<input oninput=\"alert('no ' + value)\">"))
    (ref,) = browser.snapshot().refs
    result = browser.type("x", ref)
    assert result.interrupted
    assert result.by is not None
    assert result.by["dialog"]["message"] == "no x"
    browser.dialog("accept")
    assert browser.type("y", ref).interrupted
    browser.dialog("accept")


def test_click_reaches_a_background_tab(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick=\"document.title='hit'\">Go</button>"))
    behind = browser.state.active_tab_id
    ref = ref_of(browser.snapshot(), '"Go"')
    browser.tabs("open", url=site.page("/2", "in front"))
    assert browser.click(ref, tab_id=behind).status == "ok"
    assert browser.evaluate("document.title", tab_id=behind).value == "hit"


def test_click_that_navigates_returns_after_the_new_page_loads(
    browser: Browser, site: Site
) -> None:
    site.page("/next", "<h1>Next</h1>", title="Next")
    browser.goto(site.page("/", "<a href=/next>Go</a>"))
    result = browser.click(ref_of(browser.snapshot(), '"Go"'))
    assert result.url == site.here + "/next"
    assert "Next" in browser.snapshot().text


# -- invalid points and arguments ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "field"),
    [
        ({"x": -5, "y": 10}, "x"),
        ({"x": 10, "y": -0.5}, "y"),
        ({"x": 99_999, "y": 10}, "x"),
        ({"x": 10, "y": 99_999}, "y"),
    ],
)
def test_actions_reject_a_point_outside_the_viewport(
    point: dict[str, Any], field: str, page: Browser
) -> None:
    for act in (page.click, page.hover, page.scroll, lambda **at: page.type("x", **at)):
        with pytest.raises(InvalidArgument, match="outside the viewport") as caught:
            act(**point)
        assert caught.value.data["field"] == field
        if point[field] > 0:
            assert re.search(r"which is \d+ x \d+", caught.value.message)


@pytest.mark.parametrize(
    ("point", "field"),
    [
        ({"x": "a", "y": 1}, "x"),
        ({"x": 1, "y": "2"}, "y"),
        ({"x": float("nan"), "y": 1}, "x"),
        ({"x": 1, "y": float("inf")}, "y"),
        ({"x": True, "y": 1}, "x"),
        ({"x": 10**400, "y": 1}, "x"),
        ({"x": [1], "y": 1}, "x"),
    ],
)
def test_click_rejects_non_numeric_coordinates(
    point: dict[str, Any], field: str, page: Browser
) -> None:
    with pytest.raises(
        InvalidArgument, match=f"{field} must be a (finite |valid )?number"
    ) as caught:
        page.click(**point)
    assert caught.value.data["field"] == field


NAN = float("nan")


@pytest.mark.parametrize(
    ("act", "field"),
    [
        (lambda page, ref: page.click(ref, modifiers=5), "modifiers"),
        (lambda page, ref: page.click(ref, modifiers=[5]), "modifiers[0]"),
        (lambda page, ref: page.drag(ref, to_x=NAN, to_y=9), "to_x"),
        (lambda page, ref: page.drag(from_x=1, from_y="1", to_ref=ref), "from_y"),
        (lambda page, ref: page.drag(5, ref), "from_ref"),
        (lambda page, ref: page.drag(ref, [ref]), "to_ref"),
        (lambda page, ref: page.select(ref, labels=5), "labels"),
        (lambda page, ref: page.select(ref, values=[5]), "values"),
        (lambda page, ref: page.fill_form(5), "fields"),
        (lambda page, ref: page.fill_form([{"ref": ref, "value": NAN}]), "fields[0]"),
        (lambda page, ref: page.fill_form([{"ref": ref, "value": float("inf")}]), "fields[0]"),
        (lambda page, ref: page.upload(5, ref), "filenames"),
        (lambda page, ref: page.tabs("switch", tab_index="0"), "tab_index"),
        (lambda page, ref: page.tabs("switch", tab_index=True), "tab_index"),
        (lambda page, ref: page.evaluate("a => a", args=[NAN]), "args"),
        (lambda page, ref: page.evaluate("1", world="x"), "world"),
        (lambda page, ref: page.cookies("set", name="a", value="b", expires=NAN), "expires"),
        (lambda page, ref: page.cdp("Page.reload", 5), "params"),
        (lambda page, ref: page.pdf(header=5), "header"),
    ],
)
def test_actions_reject_arguments_of_the_wrong_type_without_side_effects(
    act: Callable[[Browser, str], Any], field: str, page: Browser
) -> None:
    ref = page.snapshot().ref("Name")
    before = page.evaluate("document.body.innerHTML + seen.length").value
    with pytest.raises(InvalidArgument) as caught:
        act(page, ref)
    assert caught.value.data["field"] == field
    assert page.evaluate("document.body.innerHTML + seen.length").value == before
