"""Controls without a name: adjacent labels and identifying attributes."""

from __future__ import annotations

import re

import pytest
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

BESIDE = {
    "<div>Name</div><input>": 'textbox near="Name"',
    "<p>Name: <input>": 'textbox near="Name"',
    "<label>Zip</label><div><div><input></div></div>": 'textbox near="Zip"',
    "<table><tr><td>Age<td><input></table>": 'row: "Age" | textbox',
    "<table><tr><th>Item<th>Qty<tr><td>Pear<td><input></table>": 'row: "Pear" | textbox near="Qty"',
    "<label for=s>Kind</label><div><select id=s aria-hidden=true style='position:absolute;"
    "clip-path:inset(50%)'></select><b role=combobox>Tea</b></div>": 'combobox "Tea" near="Kind"',
    "<input type=checkbox> Agree": 'checkbox checked=false near="Agree"',
    "Yes <input type=radio> No <input type=radio>": 'radio checked=false near="No"',
    "<div>CV</div><input type=file>": 'button "Choose File" near="CV" type=file',
    "<div>Name</div><div style=height:90px></div><input>": "textbox",
    "<button>Save</button><input>": "textbox",
    "<p>Choose a date in May.</p><input>": "textbox",
    "<p>What do you want?</p><input>": 'textbox near="What do you want?"',
    "<input type=checkbox> I accept these terms.": (
        'checkbox checked=false near="I accept these terms."'
    ),
    "<h1>Sign in</h1><input>": "textbox",
    "<label for=a>One</label><input id=a><input id=b>": "textbox",
}  # fmt: skip

AUTHORS = {
    '<button class="btn css-1x2y3z col-md-3 trash-icon">': 'class="trash-icon"',
    '<button class="btn"><i class="fa fa-lg fa-trash">': 'class="fa-trash"',
    "<button class=Bar_delete__x7Yz1>": 'class="Bar_delete"',
    "<button class=btn data-action=remove>": 'data-action="remove"',
    "<button class=item data-value=#ff9900>": 'data-value="#ff9900"',
    "<button><svg data-testid=DeleteIcon width=9 height=9>": 'data-testid="DeleteIcon"',
    "<button><svg width=9 height=9><use href=#trash>": 'href="#trash"',
    "<button><img src=/i/trash.png>": 'src="trash.png"',
    "<button id=go-back>": 'id="go-back"',
    "<input name=user_email>": 'name="user_email"',
    "<div onclick=1 style='width:9px;height:9px;background:red'>": 'color="#ff0000"',
    "<table><tr><td>Sport<td><button class=dot></table>": 'class="dot"',
    "<button class='btn css-1x2y3z' id=r3x9q style=background:none>": "",
    "<button class=trash-icon aria-label=Delete>": "",
    "<button class=trash-icon>Delete</button>": "",
}  # fmt: skip


@pytest.mark.long
def test_snapshot_shows_the_adjacent_label_for_a_field_without_a_name(
    browser: Browser, site: Site
) -> None:
    assert {page: last_control(browser, site, page) for page in BESIDE} == BESIDE


def test_snapshot_shows_an_identifying_attribute_of_a_control_without_a_name(
    browser: Browser, site: Site
) -> None:
    told = {page: last_control(browser, site, page) for page in AUTHORS}
    assert {page: states_of(line) for page, line in told.items()} == AUTHORS


def test_snapshot_shows_the_label_of_a_field_only_once(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<div>Name</div><input><input type=checkbox> Agree"))
    assert [browser.snapshot().text.count(word) for word in ("Name", "Agree")] == [1, 1]


def test_find_matches_a_field_by_the_adjacent_label(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<table><tr><td>Age<td><input><tr><td>Size<td><input></table>"))
    [found] = browser.find(role="textbox", name="Age").value["found"]
    assert f'"Age" | textbox [ref={found["ref"]}]' in browser.snapshot().text
    assert (found["name"], found["near"]) == ("", "Age")


def last_control(browser: Browser, site: Site, page: str) -> str:
    """The outline's last line with a ref, without the ref."""
    browser.goto(site.page("/", page))
    line = [line for line in browser.snapshot().text.splitlines() if "[ref=" in line][-1]
    return re.sub(r" \[ref=e\d+\]", "", line.strip().removeprefix("- "))


def states_of(line: str) -> str:
    return re.sub(r'^(row: .* \| )?\w+( "\w+")?', "", line).strip()


def test_empty_element_does_not_shift_the_states_of_the_next_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<ul></ul><button disabled>Buy</button><button>Sell</button>"))
    text = browser.snapshot().text
    assert re.search(r'"Buy" \[ref=e\d+\] disabled\n', text)
    assert re.search(r'"Sell" \[ref=e\d+\]\n', text)


def test_snapshot_describes_an_icon_by_its_class_in_text_and_in_controls(
    browser: Browser, site: Site
) -> None:
    def icon(name: str) -> str:
        return f"<i class='fa fa-{name}' style='display:inline-block;width:9px;height:9px'></i>"

    page = f"""<p>Press the {icon("floppy")} icon.</p><button>{icon("floppy")} Save</button>
    <button>{icon("print")} Print</button>"""
    browser.goto(site.page("/", page))
    lines = [re.sub(r" \[ref=e\d+\]", "", one) for one in body(browser.snapshot().text)]
    assert lines == [
        '- text "Press the [fa-floppy] icon."',
        '- button "Save" class="fa-floppy"',
        '- button "Print"',
    ]
