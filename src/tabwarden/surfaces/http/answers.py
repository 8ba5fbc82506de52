"""Answers: results as JSON bodies, in camelCase; what a page said is left as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.page import ActionResult, NewSinceLast
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.calls import Done
from tabwarden.surfaces.http.shapes import camel
from tabwarden.surfaces.http.ways import in_http_names, in_http_words

__all__ = [
    "camel_keys",
    "closing",
    "json_response",
    "news_json",
    "outcome",
    "outcome_response",
    "tabs_json",
    "target_of",
]


def json_response(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON response."""
    return Response(json.dumps(body, default=str), status, headers, media_type="application/json")


def outcome(done: Done) -> dict[str, Any]:
    """How an action ended, without its value.

    ``{ok, targetId, tabId, url, title}``, and when there are any: ``note``, ``newSinceLast``; for
    an interruption ``status: "interrupted"``, ``by`` and ``next``.
    """
    result: ActionResult = done.result
    body: dict[str, Any] = {
        "ok": True,
        "targetId": target_of(done.state, result.tab_id),
        "tabId": result.tab_id,
        "url": result.url,
        "title": result.title,
    }
    notes = [note for note in (done.note, result.note) if note]
    if notes:
        body["note"] = in_http_words(" ".join(notes))
    if result.interrupted:
        body |= {
            "status": "interrupted",
            "by": camel_keys(result.by),
            "next": in_http_names(in_http_words(result.next)),
        }
        if result.by is not None and result.by["kind"] == "dialog":
            # The same, where clients of such APIs look for it.
            body["blockedByDialog"] = True
            body["browserState"] = {"dialogs": {"pending": [body["by"]["dialog"]]}}
    if result.navigation:
        body["navigation"] = result.navigation
    if result.focus is not None:
        body["focus"] = result.focus
    if result.snapshot is not None:
        body["snapshot"] = result.snapshot.text
    return body | news_json(result.new_since_last)


def outcome_response(request: Request, done: Done) -> Response:
    """How an action ended, with its value where it has one."""
    _ = request
    body = outcome(done)
    if done.result.value is not None:
        body["value"] = camel_keys(done.result.value)
    return json_response(body)


def closing(done: Done) -> dict[str, Any]:
    """How the closing of a tab ended: about that tab, though another one is the active one now."""
    before = done.before.tabs if done.before is not None else ()
    closed = next((tab for tab in before if tab.tab_id == done.asked_tab), None)
    about = (
        {"targetId": closed.target_id, "url": closed.url, "title": closed.title} if closed else {}
    )
    return {**outcome(done), "tabId": done.asked_tab, **about}


def news_json(news: NewSinceLast) -> dict[str, Any]:
    """What happened that the client has not been told yet, if anything did."""
    return {"newSinceLast": camel_keys(msgspec.to_builtins(news))} if news else {}


def target_of(state: SupervisorSnapshot | None, tab_id: str | None) -> str | None:
    """A tab's target; a closed one has none any more."""
    tabs = state.tabs if state is not None else ()
    return next((tab.target_id for tab in tabs if tab.tab_id == tab_id), None)


def tabs_json(state: SupervisorSnapshot | None, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """The tabs, oldest first.

    Args:
        state: where they are; None: nowhere.
        labels: what clients call them: label to ``tab_id``.
    """
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


def camel_keys(value: Any) -> Any:
    """The same with keys in camelCase, all the way down: for values whose keys are ours."""
    if isinstance(value, Mapping):
        return {camel(str(key)): camel_keys(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [camel_keys(below) for below in value]
    return value
