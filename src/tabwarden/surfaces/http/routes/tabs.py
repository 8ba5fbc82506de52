"""Routes for tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS, Performed
from tabwarden.dialects.openclaw import checked_label, shape
from tabwarden.surfaces.http.pipeline import (
    ActionRoute,
    TaskCall,
    closing,
    json_response,
    labels_of,
    outcome,
    tabs_json,
)

_NAMED_TAB = {
    "targetId": (
        Annotated[
            str,
            Field(
                description="The tab: its label, its id (t1), its target id, or a prefix of its "
                "target id."
            ),
        ],
        ...,
    )
}
_TABS = ACTIONS["browser_tabs"]
_MODES = ("mode", "tab_index", "url")
_GIVES = {"tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}}}


def _with_mode(mode: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: {**arguments, "mode": mode}


def _tabs(request: Request, done: Performed) -> Response:
    return json_response({**outcome(done), "tabs": tabs_json(done.state, labels_of(request))})


def _opened(request: Request, done: Performed) -> Response:
    """Add the new tab's name where clients of similar APIs expect it."""
    tabs = tabs_json(done.state, labels_of(request))
    fresh: dict[str, Any] = next((tab for tab in tabs if tab["tabId"] == done.result.tab_id), {})
    named: dict[str, Any] = {
        key: fresh[key] for key in ("suggestedTargetId", "label") if key in fresh
    }
    return json_response({**outcome(done), **named, "tabs": tabs})


def _closed(request: Request, done: Performed) -> Response:
    return json_response({**closing(done), "tabs": tabs_json(done.state, labels_of(request))})


async def _open(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Open a tab, and give the client's label to the tab."""
    label, labels, before = arguments.pop("label", None), call.service.labels, call.session.current
    if label is not None:
        state = before.state if before is not None else None
        label = checked_label(label, state, labels.of(before))
    done = await call.run(_TABS, arguments)
    now = call.session.current
    if label is not None and now is not None and done.result.tab_id is not None:
        labels.give(now, done.result.tab_id, label)
    return done


TABS = (
    ActionRoute(
        shape=shape(
            "POST /tabs/open",
            "browser_tabs",
            without=("mode", "tab_index", "tab_id"),
            more={
                "label": (
                    Annotated[
                        str | None,
                        Field(description="A name for the tab. Use it as targetId later."),
                    ],
                    None,
                )
            },
            translate=_with_mode("open"),
        ),
        answer=_opened,
        work=_open,
        words="Open a tab and go to url, if given. Opens a browser first if none is open.",
        gives=_GIVES,
    ),
    ActionRoute(
        shape=shape(
            "POST /tabs/focus",
            "browser_tabs",
            without=_MODES,
            more=_NAMED_TAB,
            translate=_with_mode("switch"),
        ),
        answer=_tabs,
        words="Make a tab active. Requests without a tab use the active tab.",
        gives=_GIVES,
        opens=False,
    ),
    ActionRoute(
        shape=shape(
            "DELETE /tabs/{targetId}",
            "browser_tabs",
            without=_MODES,
            more=_NAMED_TAB,
            translate=_with_mode("close"),
        ),
        answer=_closed,
        words="Close a tab. If the page opens a beforeunload dialog, that interrupts the request.",
        gives=_GIVES,
        opens=False,
    ),
)
