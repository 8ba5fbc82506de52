"""The journal entries of an agent's calls in a real browser."""

from __future__ import annotations

from support.site import Site

from tabwarden.journal import SECRET
from tabwarden.sync import Browser


def test_journal_records_the_element_and_point_of_a_click(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick='alert(1)'>Go</button>"))
    ref = browser.snapshot().ref("Go")
    browser.click(ref)
    browser.dialog("accept")
    click, dialog = browser._journal.entries[-2:]
    assert click.element == {"ref": ref, "role": "button", "name": "Go"}
    assert click.point is not None
    assert (click.status, click.message) == ("interrupted", "interrupted by a dialog")
    assert (dialog.action, dialog.arguments) == ("dialog", {"action": "accept"})


def test_journal_lists_batch_steps_as_child_calls(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<input aria-label=Name>"))
    ref = browser.snapshot().ref("Name")
    browser.batch([{"action": "type", "ref": ref, "text": "Ann"}])
    typed, batch = browser._journal.entries[-2:]
    assert (typed.action, typed.parent) == ("type", batch.number)
    assert typed.arguments["text"] == "Ann"


FORM = (
    "<input aria-label=Name><input type=password aria-label=Password>"
    "<input autocomplete=one-time-code aria-label=Code>"
)


def test_journal_redacts_text_typed_into_secret_fields(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", FORM))
    page = browser.snapshot()
    for field in ("Name", "Password", "Code"):
        browser.type(f"typed in {field}", page.ref(field))
    told = [entry.redacted_arguments()["text"] for entry in browser._journal.entries[-3:]]
    assert told == ["typed in Name", SECRET, SECRET]


def test_journal_redacts_secret_form_values(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", FORM))
    page = browser.snapshot()
    fields = [
        {"ref": page.ref("Name"), "value": "Ann"},
        {"ref": page.ref("Password"), "value": "hunter2x"},
    ]
    browser.fill_form(fields)
    entry = browser._journal.entries[-1]
    assert [one["value"] for one in entry.redacted_arguments()["fields"]] == ["Ann", SECRET]
    browser.evaluate("console.log('it is hunter2x')")
    assert "hunter2x" not in str(browser._journal.entries[-1].redacted_arguments())


def test_journal_redacts_keys_pressed_in_a_password_field(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", FORM))
    page = browser.snapshot()
    browser.click(page.ref("Password"))
    browser.press("x")
    browser.type("rest of it")
    browser.press("Tab")
    browser.click(page.ref("Name"))
    browser.type("seen")
    told = [entry.redacted_arguments() for entry in browser._journal.entries[-5:]]
    assert [told[0]["key"], told[1]["text"]] == [SECRET, SECRET]
    assert [told[2]["key"], told[4]["text"]] == ["Tab", "seen"]
