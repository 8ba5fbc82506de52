"""Convert results to JSON bodies with camelCase keys. Page content is not converted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.actions import Performed
from tabwarden.control_api.names import camel_keys
from tabwarden.hints import joined
from tabwarden.page import ActionResult, NewSinceLast
from tabwarden.supervisor.core import SupervisorSnapshot


def outcome(done: Performed) -> dict[str, Any]:
    """Return the response for an action, without the action's value.

    The format is ``{ok, targetId, tabId, url, title}``. A note adds ``note``, and new events add
    ``newSinceLast``. An interruption adds ``status: "interrupted"``, ``by`` and ``next``.
    """
    result: ActionResult = done.result
    body: dict[str, Any] = {
        "ok": True,
        "targetId": target_of(done.state, result.tab_id),
        "tabId": result.tab_id,
        "url": result.url,
        "title": result.title,
    }
    note = joined(done.note, result.note)
    if note:
        body["note"] = note
    if result.interrupted:
        body |= {
            "status": "interrupted",
            "by": camel_keys(result.by),
            "next": result.next,
        }
        by = result.by
        if by is not None and by["kind"] == "dialog" and "closed_by" not in by["dialog"]:
            # Add the dialog a second time, under the names that clients of similar APIs expect.
            body["blockedByDialog"] = True
            body["browserState"] = {"dialogs": {"pending": [body["by"]["dialog"]]}}
    if result.navigation:
        body["navigation"] = result.navigation
    if result.http_status is not None:
        body["httpStatus"] = result.http_status
    if result.focus is not None:
        body["focus"] = result.focus
    if result.snapshot is not None:
        body["snapshot"] = result.snapshot.text
    return body | news_json(result.new_since_last)


def outcome_with_value(done: Performed) -> dict[str, Any]:
    """Return the response for an action, including the action's value if there is one."""
    body = outcome(done)
    if done.result.value is not None:
        body["value"] = camel_keys(done.result.value)
    return body


IMPORTED = "imported"
"""The name of the saved state that an import loads by default, as in OpenClaw."""


def imported(done: Performed, into: str) -> dict[str, Any]:
    """Return the response after loading a saved state, in the format of OpenClaw's cookie import.

    Args:
        into: the profile that received the cookies.
    """
    count = done.result.value["cookies"]
    cookies = {"total": count, "imported": count, "failed": 0, "skipped": 0}
    return {**outcome(done), "into": into, "cookies": cookies}


def closing(done: Performed) -> dict[str, Any]:
    """Return the response after closing a tab. Its fields describe the closed tab."""
    before = done.before.tabs if done.before is not None else ()
    closed = next((tab for tab in before if tab.tab_id == done.asked_tab), None)
    about = (
        {"targetId": closed.target_id, "url": closed.url, "title": closed.title} if closed else {}
    )
    return {**outcome(done), "tabId": done.asked_tab, **about}


def news_json(news: NewSinceLast) -> dict[str, Any]:
    """Return the events that the client has not received yet; ``{}`` if there are none."""
    return {"newSinceLast": camel_keys(msgspec.to_builtins(news))} if news else {}


def target_of(state: SupervisorSnapshot | None, tab_id: str | None) -> str | None:
    """Return a tab's target id; None if the tab has closed."""
    tabs = state.tabs if state is not None else ()
    return next((tab.target_id for tab in tabs if tab.tab_id == tab_id), None)


def tabs_json(state: SupervisorSnapshot | None, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the tabs, oldest first. ``labels`` maps each label to its ``tab_id``."""
    if state is None:
        return []
    called = {tab_id: label for label, tab_id in labels.items()}
    return [
        {
            "targetId": tab.target_id,
            "tabId": tab.tab_id,
            "suggestedTargetId": called.get(tab.tab_id, tab.tab_id),
            **({"label": called[tab.tab_id]} if tab.tab_id in called else {}),
            "type": "page",
            "url": tab.url,
            "title": tab.title,
            "status": tab.status,
            "active": tab.tab_id == state.active_tab_id,
        }
        for tab in state.tabs
    ]
