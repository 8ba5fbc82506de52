"""Four dialogs: after a click, with text to enter, from a timer, and during a page load."""

from __future__ import annotations

import json
from typing import Any

from tabwarden.demo.reading import excerpt, find
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import expect
from tabwarden.demo.telling import facts
from tabwarden.errors import DialogPending
from tabwarden.page import ActionResult


async def confirm(stage: Stage) -> None:
    """Show that the click returns, that the snapshot shows the dialog, and that the page receives
    the answer."""
    browser, shop = stage.browser, stage.shop.shop
    await stage.call(f"goto {shop}", browser.goto(shop))
    seen = await stage.look()
    ref = find(seen.text, "button", "Empty the basket")
    clicked = await stage.call(
        f'click {ref}, the button "Empty the basket"', browser.click(ref), _how
    )
    expect(clicked.interrupted, "The click was not interrupted by the confirm.")
    stage.teller.show(facts(clicked, "action", "status", "by", "next"))

    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ["Dialog ", "STALE", "<page"]))
    expect(seen.pending_dialogs, "The snapshot does not show the dialog.")
    count = browser.evaluate("document.querySelectorAll('aside li').length")
    behind = await stage.call("read the page behind the dialog", count, _value)
    expect(isinstance(behind.value, int), "The page could not be read behind the dialog.")
    pressed = browser.press("Tab")
    await stage.refused("press Tab, which the page can't handle now", DialogPending, pressed)

    answered = await stage.call("dialog dismiss", browser.dialog("dismiss"), _closed)
    stage.teller.show(facts(answered.value, "id", "type", "closed_by", "accepted"))
    got = browser.evaluate("JSON.parse(document.querySelector('#clear').dataset.answer)")
    result = await stage.call("ask the page what its confirm() returned", got, _value)
    expect(result.value is False, "The page's confirm() did not return false.")
    seen = await stage.look()
    expect('"2 items, ' in seen.text, "The page emptied the basket although the answer was no.")


async def prompt(stage: Stage) -> None:
    """Show that the page receives the agent's text instead of the default text."""
    browser, shop = stage.browser, stage.shop.shop
    await stage.call(f"goto {shop}", browser.goto(shop))
    seen = await stage.look()
    ref = find(seen.text, "button", "Add a gift note")
    clicked = await stage.call(
        f'click {ref}, the button "Add a gift note"', browser.click(ref), _how
    )
    expect(clicked.interrupted, "The click was not interrupted by the prompt.")
    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ["Dialog "]))
    text = 'For Ada: "no hurry".'
    answering = browser.dialog("accept", text)
    await stage.call(f"dialog accept, with the text {text!r}", answering, _closed)
    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ["Gift note: "]))
    note = json.dumps(f"Gift note: {text}")
    expect(note in seen.text, "The page did not get the text.")


async def alerts(stage: Stage) -> None:
    """Show an alert that a timer opens long after the click, and an alert during a page load."""
    browser, page = stage.browser, f"{stage.shop.shop}/reminders"
    await stage.call(f"goto {page}", browser.goto(page))
    seen = await stage.look()
    ref = find(seen.text, "button", "Start the kettle timer")
    clicked = await stage.call(
        f'click {ref}, the button "Start the kettle timer"', browser.click(ref), _how
    )
    dialog = await stage.next_dialog()
    stage.teller.show([browser.state_message()])
    listed = await stage.call("list the tabs, an unrelated next action", browser.tabs())
    stage.teller.show(facts(listed, "action", "status", "new_since_last"))
    reported = clicked.interrupted or listed.new_since_last.dialogs
    expect(reported, "No result reported the alert.")
    await stage.call(f"dialog accept {dialog.id}", browser.dialog("accept"), _closed)
    await stage.look_until("status", "The tea is poured")

    welcome = f"{page}?welcome"
    gone = await stage.call(f"goto {welcome}", browser.goto(welcome), _how)
    expect(gone.interrupted, "The navigation was not interrupted by the alert.")
    await stage.call("dialog accept", browser.dialog("accept"), _closed)
    seen = await stage.look_until("status", "You have been welcomed")
    stage.teller.show(excerpt(seen.text, ['status "']))


def _how(result: ActionResult) -> str:
    if result.by is None:
        return result.status
    dialog: dict[str, Any] = result.by["dialog"]
    return f"{result.status} by {dialog['type']} {dialog['id']}"


def _closed(result: ActionResult) -> str:
    return f"{result.value['id']} closed by the {result.value['closed_by']}"


def _value(result: ActionResult) -> str:
    return json.dumps(result.value)
