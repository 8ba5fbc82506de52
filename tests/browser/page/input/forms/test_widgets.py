"""Widgets that show their choice: chips, sliders and free text."""

from __future__ import annotations

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.sync import Browser

# Like react-select and Streamlit: a chosen option leaves the list and becomes a chip, the list
# closes, and no attribute says that several options are allowed.
CHIPS = """<div><div id=box style="width:300px"><span id=chips></span><input id=f role=combobox
 aria-label=Fruits aria-haspopup=HAS aria-expanded=false aria-controls=l style="width:90px"></div>
<ul id=l role=listbox hidden></ul></div><script>{
  window.held = [];
  const show = (open) => {
    f.ariaExpanded = open; l.hidden = !open;
    l.innerHTML = ['Apple', 'Banana', 'Lemon']
      .filter((one) => !held.includes(one) && one.toLowerCase().includes(f.value.toLowerCase()))
      .map((one) => `<li role=option>${one}</li>`).join('');
  };
  f.onclick = () => show(true);
  f.oninput = () => show(true);
  f.onkeydown = (e) => { if (e.key === 'Escape') show(false) };
  l.onmousedown = (e) => e.preventDefault();
  l.onclick = (e) => {
    held = SEVERAL ? [...held, e.target.textContent] : [e.target.textContent]; f.value = '';
    chips.innerHTML = held.map((one) => `<b class=chip><i>x</i><u>${one}</u></b>`).join('');
    show(false);
  };
}</script>"""


def _fruits(browser: Browser, site: Site, *, several: bool = True) -> str:
    page = CHIPS.replace("SEVERAL", "true" if several else "false").replace("HAS", "listbox")
    browser.goto(site.page("/", page))
    return ref_of(browser.snapshot(), '"Fruits"')


def test_select_returns_the_chips_of_a_multiple_choice_widget(browser: Browser, site: Site) -> None:
    done = browser.select(_fruits(browser, site), labels=["Lemon", "Apple"])
    assert (done.value, done.note) == ({"selected": ["Lemon", "Apple"]}, "")
    assert browser.evaluate("held").value == ["Lemon", "Apple"]


@pytest.mark.long
def test_fill_form_chooses_several_options_in_a_chip_widget(browser: Browser, site: Site) -> None:
    ref = _fruits(browser, site)
    (filled,) = browser.fill_form([{"ref": ref, "value": ["Lemon", "Apple"]}]).value["filled"]
    assert filled == {"ref": ref, "value": ["Lemon", "Apple"]}
    assert browser.evaluate("[held, l.hidden]").value == [["Lemon", "Apple"], True]


@pytest.mark.long
def test_select_keeps_an_earlier_chip_and_reports_it(browser: Browser, site: Site) -> None:
    ref = _fruits(browser, site)
    browser.select(ref, labels="Banana")
    assert browser.select(ref, labels="Banana").note == ""
    done = browser.select(ref, labels="Lemon")
    assert sorted(done.value["selected"]) == ["Banana", "Lemon"]
    assert "not 'Lemon'" in done.note


def test_select_rejects_two_options_in_a_single_choice_widget(browser: Browser, site: Site) -> None:
    ref = _fruits(browser, site, several=False)
    with pytest.raises(InvalidArgument, match="accepts one option, not 2") as caught:
        browser.select(ref, labels=["Lemon", "Apple"])
    assert "It now shows 'Apple'" in str(caught.value)


@pytest.mark.long
def test_fill_form_reports_text_that_matches_no_option(browser: Browser, site: Site) -> None:
    ref = _fruits(browser, site)
    (filled,) = browser.fill_form([{"ref": ref, "value": "Quince"}]).value["filled"]
    assert filled["value"] == "Quince"
    assert "No option has this label" in filled["note"]
    assert "list is open" in browser.type("Le", ref, clear=True).note


SLIDER = """<div role=slider tabindex=0 id=s aria-label=Volume aria-valuemin=0 aria-valuemax=100
 aria-valuenow=3 style="width:20px;height:20px"></div><script>{
  const keys = { ArrowRight: 1, ArrowLeft: -1, Home: -100 };
  s.onkeydown = (e) => {
    s.ariaValueNow = Math.min(100, Math.max(0, Number(s.ariaValueNow) + (keys[e.key] ?? 0)));
    if (WORDS) s.ariaValueText = ['S', 'M', 'L', 'XL'][Math.min(3, s.ariaValueNow)];
    window.held = s.ariaValueText ?? s.ariaValueNow;
  };
}</script>"""
# Like Streamlit: the application reads the value on a key press, and the input has no size.
HIDDEN = """<div style="position:relative;width:16px;height:16px;background:red"><div
 style="position:absolute;width:1px;height:1px;overflow:hidden"><input type=range min=0 max=100
 value=3 aria-label=Volume onkeyup="window.held = this.value"></div></div>"""
CLIPPED = HIDDEN.replace("overflow:hidden", "margin:8px;overflow:hidden;clip-path:inset(50%)")


@pytest.mark.parametrize(
    ("page", "value"),
    [
        (SLIDER.replace("WORDS", "false"), "17"),
        (SLIDER.replace("WORDS", "true"), "L"),
        (HIDDEN, "17"),
        (CLIPPED, "17"),
    ],
    ids=["role", "words", "hidden range", "clipped range"],
)
def test_fill_form_moves_a_custom_slider_with_keys(
    page: str, value: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert "obscured" not in snapshot.text
    ref = ref_of(snapshot, '"Volume"')
    (filled,) = browser.fill_form([{"ref": ref, "value": value}]).value["filled"]
    assert filled == {"ref": ref, "value": value}
    assert browser.evaluate("held").value == value
    browser.click(ref)


def test_fill_form_fires_blur_on_the_last_field_and_leaves_the_focus_there(
    browser: Browser, site: Site
) -> None:
    page = "<form onsubmit='sent = 1; return false'><input aria-label=Name onblur='held = value'>"
    browser.goto(site.page("/", f"<script>held = sent = 0</script>{page}</form>"))
    browser.fill_form([{"ref": browser.snapshot().ref("Name"), "value": "Ann"}])
    browser.press("Enter")
    assert browser.evaluate("[held, sent]").value == ["Ann", 1]


def test_fill_form_fails_on_a_field_that_empties_itself_on_blur(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<input aria-label=Fruit onblur=\"this.value = ''\">"))
    with pytest.raises(NotInteractable, match="emptied the field"):
        browser.fill_form([{"ref": browser.snapshot().ref("Fruit"), "value": "Lemon"}])


def test_type_reports_that_enter_added_a_line_in_a_textarea(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<textarea aria-label=Notes></textarea>"))
    done = browser.type("one", browser.snapshot().ref("Notes"), press_enter=True)
    assert done.value == {"value": "one\n"}
    assert "Enter added a line" in done.note


@pytest.mark.parametrize(
    ("at_blur", "value", "is_told"),
    [("'old'", "old", True), ("this.value + '.00'", "12.00", False)],
)
@pytest.mark.parametrize("after", [[], ["Other"]])
def test_fill_form_returns_a_fields_value_after_blur(
    after: list[str], at_blur: str, value: str, is_told: bool, browser: Browser, site: Site
) -> None:
    page = f'<input aria-label=Sum onblur="this.value = {at_blur}"><input aria-label=Other>'
    browser.goto(site.page("/", page))
    fields = [{"ref": name, "value": "12"} for name in ("Sum", *after)]
    filled = browser.fill_form(fields).value["filled"]
    assert filled[0]["value"] == value
    assert ("slowly=true" in filled[0].get("note", "")) is is_told
    assert all(one == {"ref": "Other", "value": "12"} for one in filled[1:])


def test_fill_form_lists_the_remaining_fields_when_a_dialog_interrupts_it(
    browser: Browser, site: Site
) -> None:
    page = "<input aria-label=A><input aria-label=B oninput='confirm(1)'><input aria-label=C>"
    browser.goto(site.page("/", page))
    done = browser.fill_form([{"ref": name, "value": "x"} for name in "ABC"])
    assert done.value == {"filled": [{"ref": "A", "value": "x"}]}
    assert "The call was interrupted at B. Fields not filled yet: C." in done.note
    browser.dialog("accept")


def test_fill_form_finds_a_field_by_its_visible_label(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", '<label>Day<input aria-label="Use the arrow keys"></label>'))
    (filled,) = browser.fill_form([{"ref": "Day", "value": "6 May"}]).value["filled"]
    assert filled == {"ref": "Day", "value": "6 May"}
