"""What the journal of a real browser keeps of the agent's calls."""

from __future__ import annotations

from support.site import Site

from tabwarden.sync import Browser


def test_a_click_is_kept_with_its_element_and_its_point(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick='alert(1)'>Go</button>"))
    ref = browser.snapshot().ref("Go")
    browser.click(ref)
    browser.dialog("accept")
    click, dialog = browser._journal.entries[-2:]
    assert click.element == {"ref": ref, "role": "button", "name": "Go"}
    assert click.point is not None
    assert (click.status, click.message) == ("interrupted", "interrupted by a dialog")
    assert (dialog.action, dialog.arguments) == ("dialog", {"action": "accept"})


def test_the_steps_of_a_batch_are_calls_within_it(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<input aria-label=Name>"))
    ref = browser.snapshot().ref("Name")
    browser.batch([{"action": "type", "ref": ref, "text": "Ann"}])
    typed, batch = browser._journal.entries[-2:]
    assert (typed.action, typed.within) == ("type", batch.number)
    assert typed.arguments["text"] == "Ann"
