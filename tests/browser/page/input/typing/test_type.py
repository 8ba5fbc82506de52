"""Typing: text is entered like a person's, and the result reports how the page changed it."""

from __future__ import annotations

from typing import Any

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import BudgetExceeded, InvalidArgument, NotInteractable
from tabwarden.sync import Browser

RECORDER = """<script>
window.seen = [];
for (const kind of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'compositionstart',
                    'compositionupdate', 'compositionend', 'change'])
  addEventListener(kind, (e) => seen.push([kind, e.key ?? e.data ?? '', e.isTrusted]), true);
</script>"""


def seen(browser: Browser, *kinds: str) -> list[Any]:
    return [event[:2] for event in browser.evaluate("seen").value if event[0] in kinds]


def field(browser: Browser, site: Site, html: str, name: str = "F") -> str:
    browser.goto(site.page("/", html + RECORDER))
    return ref_of(browser.snapshot(), f'"{name}"')


def test_type_slowly_sends_each_character_as_a_key(browser: Browser, site: Site) -> None:
    ref = field(browser, site, "<input aria-label=F>")
    assert browser.type("aB 1!", ref, slowly=True).value == {"value": "aB 1!"}
    assert seen(browser, "keydown", "keyup", "keypress") == [
        [kind, key] for key in "aB 1!" for kind in ("keydown", "keypress", "keyup")
    ]
    assert seen(browser, "input") == [["input", key] for key in "aB 1!"]
    assert all(event[2] for event in browser.evaluate("seen").value)


def test_type_without_slowly_sends_one_input_event_and_no_keydown(
    browser: Browser, site: Site
) -> None:
    ref = field(browser, site, "<input aria-label=F>")
    browser.type("x" * 1000, ref)
    assert seen(browser, "keydown") == []
    assert len(seen(browser, "input")) == 1


def test_type_slowly_sends_composition_events_for_characters_without_a_key(
    browser: Browser, site: Site
) -> None:
    ref = field(browser, site, "<textarea aria-label=F></textarea>")
    text = "né 漢字\n👩‍👩‍👧 ok"
    assert browser.type(text, ref, slowly=True).value == {"value": text}
    composed = [data for _, data in seen(browser, "compositionend")]
    assert composed == ["é", "漢字", "👩‍👩‍👧"]
    assert ["keydown", "Enter"] in seen(browser, "keydown")


def test_type_with_slowly_replaces_the_old_text(browser: Browser, site: Site) -> None:
    ref = field(browser, site, "<input aria-label=F value=old>")
    assert browser.type("new", ref, clear=True, slowly=True).value == {"value": "new"}
    assert browser.type("", ref, clear=True, slowly=True).value == {"value": ""}


MASKED = """<input aria-label=F><script>
document.querySelector('input').oninput = ({target}) => {
  const digits = target.value.replace(/\\D/g, '').slice(0, 8);
  target.value = digits.replace(/(..)(?=.)/g, '$1.');
};</script>"""


@pytest.mark.parametrize("slowly", [False, True])
def test_type_reports_nothing_when_the_field_reformats_the_text(
    slowly: bool, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, MASKED)
    done = browser.type("12345678", ref, slowly=slowly)
    assert done.value == {"value": "12.34.56.78"}
    assert done.note == ""


DIGITS = """<input aria-label=F
 oninput="this.value = this.value.replace(/[^0-9]/g, '').replace(/\\B(?=(...)+$)/g, 'GROUP')">"""


@pytest.mark.parametrize(
    ("html", "text", "value", "is_told"),
    [
        ("<input type=number step=0.01 aria-label=F>", "12,50", "1250", True),
        ("<input type=number step=0.01 aria-label=F>", "-12.50", "-12.50", False),
        (DIGITS.replace("GROUP", ""), "-12.50", "1250", True),
        (DIGITS.replace("GROUP", ""), "-5", "5", True),
        (DIGITS.replace("GROUP", ","), "1250", "1,250", False),
        (DIGITS.replace("GROUP", " "), "1250000", "1 250 000", False),
    ],
)
@pytest.mark.parametrize("clear", [False, True])
def test_type_reports_when_the_field_shows_a_different_number(
    clear: bool, html: str, text: str, value: str, is_told: bool, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, html)
    done = browser.type(text, ref, clear=clear)
    assert done.value["value"] == value
    assert ("different number" in done.note) is is_told
    assert bool(done.note) is is_told


def test_type_does_not_compare_numbers_when_it_appends_text(browser: Browser, site: Site) -> None:
    ref = field(browser, site, DIGITS.replace("GROUP", ",").replace("<input", "<input value=3"))
    assert browser.type("1250", ref, clear=False).value == {"value": "31,250"}
    assert browser.type("5", ref, clear=False).note == ""


def test_type_suggests_the_slowly_option_for_a_field_that_accepts_only_keys(
    browser: Browser, site: Site
) -> None:
    only_keys = """<input aria-label=F><script>{
      const f = document.querySelector('input');
      f.onbeforeinput = (e) => e.preventDefault();
      f.onkeydown = (e) => { if (e.key.length === 1) f.value += e.key };
    }</script>"""
    ref = field(browser, site, only_keys)
    at_once = browser.type("abc", ref)
    assert at_once.value == {"value": ""}
    assert "slowly=true" in at_once.note
    slowly = browser.type("abc", ref, slowly=True)
    assert (slowly.value, slowly.note) == ({"value": "abc"}, "")


def test_type_spreads_a_code_over_single_character_fields(browser: Browser, site: Site) -> None:
    fields = "".join(f"<input aria-label=F{n} maxlength=1 size=1>" for n in range(1, 5))
    jump = """<script>for (const one of document.querySelectorAll('input'))
      one.oninput = () => { if (one.value) one.nextElementSibling?.focus?.() };</script>"""
    ref = field(browser, site, fields + jump, "F1")
    done = browser.type("4711", ref)
    held = browser.evaluate("[...document.querySelectorAll('input')].map((e) => e.value)").value
    assert held == ["4", "7", "1", "1"]
    assert done.note.startswith("The field contains only the beginning of the text. The page moved")
    assert "(textbox 'F4') has the focus now." in done.note


@pytest.mark.parametrize("text", ["abcdefgh", "123456789"])
def test_type_truncates_text_at_maxlength_and_reports_it(
    text: str, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, "<input aria-label=F maxlength=5>")
    done = browser.type(text, ref)
    assert done.value == {"value": text[:5]}
    assert done.note == "The field has a length limit: it contains only the first 5 characters."


@pytest.mark.parametrize("html", ["input", "textarea", "div contenteditable"])
def test_type_ends_with_one_keyup_event(html: str, browser: Browser, site: Site) -> None:
    """Live searches and forms often read the text only on ``keyup``."""
    listens = 'onkeyup="document.title = this.value ?? this.textContent"'
    ref = field(browser, site, f"<{html} aria-label=F {listens}></{html.split()[0]}>")
    browser.type("ann@example.com", ref)
    assert browser.evaluate("document.title").value == "ann@example.com"
    assert seen(browser, "keydown", "keyup") == [["keyup", "m"]]


def test_type_reports_when_the_page_moved_the_focus(browser: Browser, site: Site) -> None:
    jumping = """<input aria-label=F><input aria-label=Palette><script>
      document.querySelector('input').onfocus = (e) => e.target.nextElementSibling.focus();
      </script>"""
    ref = field(browser, site, jumping)
    done = browser.type("find me", ref)
    assert "moved the focus" in done.note
    assert done.focus is not None
    assert done.focus["name"] == "Palette"
    assert browser.evaluate("document.activeElement.value").value == "find me"


RICH = """<div contenteditable role=textbox aria-label=F></div><script>{
  // As editors do that keep the text themselves and draw it anew.
  const f = document.querySelector('div'); window.model = '';
  f.addEventListener('beforeinput', (e) => {
    e.preventDefault();
    const text = {insertText: e.data, insertParagraph: '\\n', insertLineBreak: '\\n'}[e.inputType];
    model += text ?? `[${e.inputType}]`;
    f.textContent = model;
    getSelection().selectAllChildren(f); getSelection().collapseToEnd();
  });
}</script>"""


@pytest.mark.parametrize("slowly", [False, True])
def test_type_works_in_editors_that_handle_beforeinput(
    slowly: bool, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, RICH)
    browser.type("hello world", ref, slowly=slowly)
    assert browser.evaluate("model").value == "hello world"


@pytest.mark.parametrize("slowly", [False, True])
def test_type_keeps_line_breaks_in_an_editable_element(
    slowly: bool, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, "<div contenteditable role=textbox aria-label=F>x</div>")
    browser.type("one\ntwo", ref, clear=True, slowly=slowly)
    lines = browser.evaluate("document.querySelector('div').innerText.split(/\\n+/)").value
    assert lines == ["one", "two"]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("month", "2024-02", "2024-02"),
        ("week", "2024-W08", "2024-W08"),
        ("datetime-local", "2024-02-29T13:45", "2024-02-29T13:45"),
        ("datetime-local", "2024-02-29 13:45", "2024-02-29T13:45"),
        ("color", "#AABBCC", "#aabbcc"),
        ("date", "", ""),
    ],
)
def test_type_sets_date_and_color_pickers(
    kind: str, text: str, value: str, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, f"<input type={kind} aria-label=F>")
    assert browser.type(text, ref, clear=True).value == {"value": value}
    assert [event[0] for event in browser.evaluate("seen").value] == ["input", "change"]


@pytest.mark.parametrize(
    ("text", "value", "is_told"),
    [("250", "100", True), ("-1", "0", True), ("7.3", "7.5", True), ("7.50", "7.5", False)],
)
def test_type_and_fill_form_report_the_closest_value_of_a_range_input(
    text: str, value: str, is_told: bool, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, "<input type=range step=0.5 aria-label=F>")
    done = browser.type(text, ref)
    assert (done.value, "closest number" in done.note) == ({"value": value}, is_told)
    (filled,) = browser.fill_form([{"ref": ref, "value": float(text)}]).value["filled"]
    assert (filled["value"], "closest number" in filled.get("note", "")) == (value, is_told)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("month", "2024"), ("week", "8"), ("color", "red"), ("range", "loud"), ("time", "25:00")],
)
def test_type_rejects_text_that_a_picker_does_not_accept(
    kind: str, text: str, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, f"<input type={kind} aria-label=F>")
    with pytest.raises(InvalidArgument) as caught:
        browser.type(text, ref)
    assert caught.value.data["field"] == "text"


def test_type_returns_the_validation_message_of_a_field(browser: Browser, site: Site) -> None:
    form = (
        "<form><input type=email aria-label=F><input type=date max=2020-01-01 aria-label=D></form>"
    )
    ref = field(browser, site, form)
    held = browser.type("ann", ref).value
    assert held["value"] == "ann"
    assert "@" in held["invalid"]
    assert browser.type("ann@b.c", ref, clear=True).value == {"value": "ann@b.c"}
    date = ref_of(browser.snapshot(), '"D"')
    assert "invalid" in browser.type("2024-01-01", date).value


def test_type_slowly_without_a_ref_inserts_at_the_caret(browser: Browser, site: Site) -> None:
    ref = field(browser, site, "<input aria-label=F>")
    browser.click(ref)
    browser.type("ab", slowly=True)
    browser.press("Home")
    browser.type("é", slowly=True)
    assert browser.evaluate("document.querySelector('input').value").value == "éab"


@pytest.mark.parametrize("where", ["", "here", "there"])
def test_type_edits_a_document_in_design_mode(where: str, browser: Browser, site: Site) -> None:
    page = site.page("/in", "<p>Draft</p><script>document.designMode = 'on'</script>")
    if where:
        frame = f"<iframe src={getattr(site, where)}/in></iframe>"
        page = site.page("/", f"<button>Send</button>{frame}")
    browser.goto(page)
    ref = ref_of(browser.snapshot(), "textbox")
    assert 'value="Draft"' in browser.snapshot(full=True).text
    assert browser.type("Final", ref, clear=True).value == {"value": "Final"}
    assert 'value="Final"' in browser.snapshot().text


# Like AutoNumeric 4.10: the field's value comes only from key presses.
KEPT_BY_KEYS = """<input aria-label=F onkeypress="kept = value + event.key"
 onblur="value = kept"><script>kept = 'old'</script>"""


def test_type_sends_keys_to_a_field_that_ignores_inserted_text(
    browser: Browser, site: Site
) -> None:
    ref = field(browser, site, KEPT_BY_KEYS)
    assert browser.type("12", ref).value == {"value": "12"}
    browser.evaluate("document.activeElement.blur()")
    assert browser.evaluate("document.querySelector('input').value").value == "12"


ASKS = """<input aria-label=F oninput="if (value.length >= 3) confirm('Sure?')">"""


@pytest.mark.parametrize(
    ("slowly", "note"),
    [
        (True, "At least 2 of 10 characters were typed."),
        (False, "The text was sent all at once, so the field may contain all of the text."),
    ],
)
def test_type_reports_how_much_text_was_typed_before_a_dialog(
    slowly: bool, note: str, browser: Browser, site: Site
) -> None:
    ref = field(browser, site, ASKS)
    done = browser.type("abcdefghij", ref, slowly=slowly)
    assert (done.status, done.note) == ("interrupted", note)
    browser.dialog("accept")


def test_type_reports_how_much_text_was_typed_before_a_timeout(
    browser: Browser, site: Site
) -> None:
    busy = "{ const now = performance.now(); while (performance.now() < now + 100); }"
    ref = field(browser, site, f'<input aria-label=F oninput="{busy}">')
    with pytest.raises(BudgetExceeded, match=r"At least \d+ of 100 characters were typed"):
        browser.type("abcdefghij" * 10, ref, slowly=True, timeout_ms=2_000)


def test_type_reports_when_the_typed_text_makes_the_page_navigate(
    browser: Browser, site: Site
) -> None:
    site.page("/next", "<p>Next")
    ref = field(browser, site, "<input aria-label=F oninput=\"location = '/next'\">")
    done = browser.type("1234", ref, slowly=True)
    assert (done.value, done.navigation) == ({}, "new_document")
    assert "The page navigated before Tabwarden could read the field" in done.note


def test_type_into_a_read_only_field_says_that_it_may_open_a_calendar(
    browser: Browser, site: Site
) -> None:
    ref = field(browser, site, "<input aria-label=F readonly>")
    with pytest.raises(NotInteractable, match=r"may open a calendar or a list\. Click it"):
        browser.type("2024-05-06", ref)


def test_type_reports_a_repeated_script_error_once_with_its_count(
    browser: Browser, site: Site
) -> None:
    ref = field(browser, site, '<input aria-label=F onkeydown="nope()">')
    (error,) = browser.type("abcdefghijkl", ref, slowly=True).new_since_last.console_errors
    assert error["times"] == 12
