"""Forms: many fields in one call, and the list of filled fields after a failure."""

from __future__ import annotations

from typing import Any

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden import Snapshot
from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef, TabwardenError, UnknownRef
from tabwarden.sync import Browser

FORM = """<form><input aria-label=Name value=old><textarea aria-label=Notes></textarea>
<input aria-label=Age type=number><input aria-label=Born type=date>
<input aria-label=Colour type=color><input aria-label=Volume type=range>
<label>News <input type=checkbox name=news checked></label>
<label>Terms <input type=checkbox name=terms></label>
<label>Red <input type=radio name=wine value=red></label>
<label>White <input type=radio name=wine value=white checked></label>
<div role=switch aria-label=Dark aria-checked=false tabindex=0 style="width:40px;height:20px"
 onclick="setTimeout(() => this.ariaChecked = this.ariaChecked === 'false')"></div>
<select aria-label=Size><option>S<option>M</select>
<select aria-label=Tags multiple><option>a<option>b<option>c</select>
<input aria-label=Photo type=file><button>Send</button></form>"""


def fields(snapshot: Snapshot, **values: Any) -> list[dict[str, Any]]:
    return [{"ref": ref_of(snapshot, f'"{name}"'), "value": v} for name, v in values.items()]


@pytest.fixture
def form(browser: Browser, site: Site) -> Browser:
    browser.goto(site.page("/", FORM))
    return browser


def test_fill_form_fills_every_kind_of_field_in_one_call(form: Browser) -> None:
    given = {
        "Name": "Ann Ö. 🎉", "Notes": "two\nlines", "Age": 42, "Born": "2001-02-03",
        "Colour": "#102030", "Volume": 70, "News": False, "Terms": "true", "Red": True,
        "Dark": True, "Size": "M", "Tags": ["c", "a"],
    }  # fmt: skip
    result = form.fill_form(fields(form.snapshot(), **given))
    held = [one["value"] for one in result.value["filled"]]
    assert held == [
        "Ann Ö. 🎉", "two\nlines", "42", "2001-02-03", "#102030", "70", False, True, True, True,
        ["M"], ["a", "c"],
    ]  # fmt: skip
    shown = "[...new FormData(document.forms[0])].map(([k, v]) => k + '=' + (v.name ?? v))"
    assert form.evaluate(shown).value == ["terms=on", "wine=red"]
    assert form.evaluate("document.querySelector('[role=switch]').ariaChecked").value == "true"


def test_fill_form_chooses_an_option_by_label_before_value(browser: Browser, site: Site) -> None:
    options = "<option value=fr>de<option value=de>Deutsch<option value=en>English"
    browser.goto(site.page("/", f"<select aria-label=Language>{options}</select>"))
    for given, chosen in (("en", "English"), ("de", "de")):  # the second is also a value
        result = browser.fill_form(fields(browser.snapshot(), Language=given))
        assert result.value["filled"][0]["value"] == [chosen]
    with pytest.raises(InvalidArgument, match="Deutsch"):
        browser.fill_form(fields(browser.snapshot(), Language="it"))
    assert browser.evaluate("document.querySelector('select').value").value == "fr"


def test_fill_form_takes_labels_and_values_of_a_multiple_select_together(
    browser: Browser, site: Site
) -> None:
    options = "<option value=1>One<option value=2>Two<option value=3>Three"
    browser.goto(site.page("/", f"<select aria-label=Tags multiple>{options}</select>"))
    result = browser.fill_form(fields(browser.snapshot(), Tags=["One", "3"]))
    assert result.value["filled"][0]["value"] == ["One", "Three"]
    result = browser.fill_form(fields(browser.snapshot(), Tags=2))
    assert result.value["filled"][0]["value"] == ["Two"]


def test_fill_form_refuses_text_that_a_number_field_drops(form: Browser) -> None:
    with pytest.raises(InvalidArgument, match="only a number"):
        form.fill_form(fields(form.snapshot(), Age="many"))
    assert form.fill_form(fields(form.snapshot(), Age="")).status == "ok"


def test_select_rejects_a_label_shared_by_options_with_different_values(
    browser: Browser, site: Site
) -> None:
    options = "<option value=1>Other<option value=2>Other<option value=3>Else<option value=3>Else"
    browser.goto(site.page("/", f"<select aria-label=Kind>{options}</select>"))
    kind = browser.snapshot().ref("Kind")
    with pytest.raises(InvalidArgument, match="several options") as refused:
        browser.select(kind, labels="Other")
    assert refused.value.data["options"] == ["1", "2"]
    with pytest.raises(InvalidArgument, match="several options"):
        browser.fill_form([{"ref": kind, "value": "Other"}])
    assert browser.select(kind, values="2").value == {"selected": ["Other"]}
    assert browser.select(kind, labels="Else").value == {"selected": ["Else"]}


def test_fill_form_does_not_click_controls_already_in_the_requested_state(form: Browser) -> None:
    form.evaluate("window.clicks = 0; onclick = () => clicks++; null")
    form.fill_form(fields(form.snapshot(), News=True, White=True, Dark=False))
    assert form.evaluate("clicks").value == 0


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ({"Age": True}, InvalidArgument, "does not accept True"),
        ({"Terms": "maybe"}, InvalidArgument, "true or false"),
        ({"White": False}, InvalidArgument, "choose another"),
        ({"Size": "XXL"}, InvalidArgument, "Its options: 'S', 'M'"),
        ({"Born": "tomorrow"}, InvalidArgument, "YYYY-MM-DD"),
        ({"Photo": "me.png"}, NotInteractable, "Give it files"),
        ({"Send": "x"}, NotInteractable, "is not a form field"),
    ],
)
def test_fill_form_stops_at_the_first_failure_and_lists_the_filled_fields(
    bad: dict[str, Any], error: type[TabwardenError], words: str, form: Browser
) -> None:
    snapshot = form.snapshot()
    given = fields(snapshot, Name="Ann", **bad, Notes="never")
    with pytest.raises(error) as caught:
        form.fill_form(given)
    assert words in str(caught.value)
    assert caught.value.data["filled"] == [{"ref": given[0]["ref"], "value": "Ann"}]
    assert caught.value.data["failed"] == given[1]["ref"]
    assert f"Fields filled before the error: {given[0]['ref']}." in caught.value.hint
    assert form.evaluate("document.querySelector('textarea').value").value == ""


@pytest.mark.long
def test_fill_form_fails_when_the_page_prevents_checking_a_box(form: Browser) -> None:
    form.evaluate("document.forms[0].terms.onclick = (e) => e.preventDefault(); null")
    with pytest.raises(NotInteractable, match="did not become checked"):
        form.fill_form(fields(form.snapshot(), Terms=True))


def test_fill_form_with_keep_going_fills_the_other_fields_and_lists_each_failure(
    form: Browser,
) -> None:
    given = fields(form.snapshot(), Size="XXL", Name="Ann", Send="x", Terms=True)
    given.append({"ref": "e99999", "value": "x"})
    result = form.fill_form(given, keep_going=True)
    assert [one["ref"] for one in result.value["filled"]] == [given[1]["ref"], given[3]["ref"]]
    told = [(one["ref"], one["code"]) for one in result.value["failed"]]
    assert told == [
        (given[0]["ref"], "invalid_argument"),
        (given[2]["ref"], "not_interactable"),
        ("e99999", "unknown_ref"),
    ]
    assert "'S', 'M'" in result.value["failed"][0]["hint"]
    assert "3 of 5 fields were not filled" in result.note


def test_fill_form_with_an_unknown_ref_lists_the_filled_fields(form: Browser) -> None:
    with pytest.raises(UnknownRef) as caught:
        form.fill_form([*fields(form.snapshot(), Name="Ann"), {"ref": "e99999", "value": "x"}])
    assert len(caught.value.data["filled"]) == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ([], "fields"),
        ("e1", "fields"),
        ([{"ref": "e1"}], "fields[0]"),
        ([{"ref": "e1", "value": "x"}, {"ref": 5, "value": "x"}], "fields[1]"),
        ([{"ref": "e1", "value": None}], "fields[0]"),
    ],
)
def test_fill_form_rejects_malformed_fields(given: Any, field: str, browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.fill_form(given)
    assert caught.value.data["field"] == field


def test_fill_form_lists_the_filled_fields_when_a_dialog_interrupts_it(form: Browser) -> None:
    form.evaluate("document.querySelector('textarea').oninput = () => alert('no notes'); null")
    given = fields(form.snapshot(), Name="Ann", Notes="x", Age=1)
    result = form.fill_form(given)
    assert result.interrupted
    assert result.value == {"filled": [{"ref": given[0]["ref"], "value": "Ann"}]}
    form.dialog("accept")


def test_fill_form_fills_fields_in_a_cross_site_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", FORM)
    source = f"{site.there}/inner"
    browser.goto(site.page("/", f'<iframe src="{source}" width=900 height=500></iframe>'))
    inner = browser.state.frame_tree.children[0].frame_id
    snapshot = browser.snapshot()
    browser.fill_form(fields(snapshot, Name="Ann", Terms=True, Red=True, Size="M"))
    read = "[...document.querySelectorAll('input, select')].map((e) => e.checked || e.value)"
    held = browser.evaluate(read, frame_id=inner).value
    assert held[0] == "Ann"
    assert held.count(True) == 3
    assert "M" in held


DRAWN_ANEW = """<div id=app></div><script>
const state = {Express: false, Dark: false, White: false};
const draw = () => { app.innerHTML = `
  <label><input type=checkbox ${state.Express ? 'checked' : ''} onchange="set('Express')"> Express</label>
  <div role=switch aria-label=Dark aria-checked=${state.Dark} tabindex=0 onclick="set('Dark')">o</div>
  <label><input type=radio ${state.White ? 'checked' : ''} onchange="set('White')"> White</label>
  <label>Note <input></label>` };
const set = (name) => { state[name] = !state[name]; LATER(draw) };
draw();
</script>"""  # noqa: E501


@pytest.mark.parametrize("later", ["((f) => f())", "setTimeout"])
@pytest.mark.parametrize("name", ["Express", "Dark", "White"])
def test_fill_form_sets_a_control_that_rerenders_when_set(
    name: str, later: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", DRAWN_ANEW.replace("LATER", later)))
    result = browser.fill_form(fields(browser.snapshot(), **{name: True}))
    assert [one["value"] for one in result.value["filled"]] == [True]
    assert browser.evaluate(f"state.{name}").value is True


@pytest.mark.long
def test_fill_form_fills_a_form_that_rerenders_after_each_field(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", DRAWN_ANEW.replace("LATER", "((f) => f())")))
    given = fields(browser.snapshot(), Express=True, Dark=True, White=True, Note="hi")
    result = browser.fill_form(given)
    assert [one["value"] for one in result.value["filled"]] == [True, True, True, "hi"]
    assert browser.evaluate("Object.values(state)").value == [True, True, True]


def test_fill_form_reports_a_checkbox_that_disappears_when_clicked(
    browser: Browser, site: Site
) -> None:
    once = "<label><input type=checkbox onchange='this.parentNode.remove()'> Once</label>"
    browser.goto(site.page("/", once))
    with pytest.raises(StaleRef, match="clicked"):
        browser.fill_form(fields(browser.snapshot(), Once=True))
