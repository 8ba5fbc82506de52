"""Routes on tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS
from tabwarden.surfaces.http.answers import closing, json_response, outcome, tabs_json
from tabwarden.surfaces.http.calls import Call, Done, labels_of, run
from tabwarden.surfaces.http.labels import checked_label
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape

__all__ = ["TABS"]

_NAMED_TAB = {
    "targetId": (
        Annotated[
            str,
            Field(description="The tab: its label, t1, its target id, or the beginning of that."),
        ],
        ...,
    )
}
_TABS = ACTIONS["browser_tabs"]
_MODES = ("mode", "tab_index", "url")
_GIVES = {"tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}}}


def _with_mode(mode: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: {**arguments, "mode": mode}


def _tabs(request: Request, done: Done) -> Response:
    return json_response({**outcome(done), "tabs": tabs_json(done.state, labels_of(request))})


def _opened(request: Request, done: Done) -> Response:
    """The tab by its best name too, where clients of such APIs look for it."""
    tabs = tabs_json(done.state, labels_of(request))
    fresh: dict[str, Any] = next((tab for tab in tabs if tab["tabId"] == done.result.tab_id), {})
    named: dict[str, Any] = {
        key: fresh[key] for key in ("suggestedTargetId", "label") if key in fresh
    }
    return json_response({**outcome(done), **named, "tabs": tabs})


def _closed(request: Request, done: Done) -> Response:
    return json_response({**closing(done), "tabs": tabs_json(done.state, labels_of(request))})


async def _open(call: Call, arguments: dict[str, Any]) -> Done:
    """Open a tab, and call it by the client's label from then on."""
    label, labels, before = arguments.pop("label", None), call.service.labels, call.session.current
    if label is not None:
        state = before.state if before is not None else None
        label = checked_label(label, state, labels.of(before))
    done = await run(call, _TABS, arguments)
    now = call.session.current
    if label is not None and now is not None and done.result.tab_id is not None:
        labels.give(now, done.result.tab_id, label)
    return done


TABS = (
    Served(
        shape=shape(
            "POST /tabs/open",
            "browser_tabs",
            without=("mode", "tab_index", "tab_id"),
            more={
                "label": (
                    Annotated[
                        str | None,
                        Field(description="A name for the tab, to be given as targetId."),
                    ],
                    None,
                )
            },
            translate=_with_mode("open"),
        ),
        answer=_opened,
        work=_open,
        words="Open a tab and, with url, go there. Opens a browser first if none is open.",
        gives=_GIVES,
    ),
    Served(
        shape=shape(
            "POST /tabs/focus",
            "browser_tabs",
            without=_MODES,
            more=_NAMED_TAB,
            translate=_with_mode("switch"),
        ),
        answer=_tabs,
        words="Make a tab the active one: requests that name no tab are for it.",
        gives=_GIVES,
        opens=False,
    ),
    Served(
        shape=shape(
            "DELETE /tabs/{targetId}",
            "browser_tabs",
            without=_MODES,
            more=_NAMED_TAB,
            translate=_with_mode("close"),
        ),
        answer=_closed,
        words="Close a tab; a page that asks back (beforeunload) interrupts that with its dialog.",
        gives=_GIVES,
        opens=False,
    ),
)
