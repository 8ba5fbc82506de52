"""Routes on tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.surfaces.http.answers import closing, json_response, outcome, tabs_json
from tabwarden.surfaces.http.calls import Done
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape

__all__ = ["TABS"]

_NAMED_TAB = {
    "targetId": (
        Annotated[str, Field(description="The tab: t1, its target id, or the beginning of that.")],
        ...,
    )
}
_MODES = ("mode", "tab_index", "url")
_GIVES = {"tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}}}


def _with_mode(mode: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: {**arguments, "mode": mode}


def _tabs(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "tabs": tabs_json(done.state)})


def _closed(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**closing(done), "tabs": tabs_json(done.state)})


TABS = (
    Served(
        shape=shape(
            "POST /tabs/open",
            "browser_tabs",
            without=("mode", "tab_index", "tab_id"),
            ignores={"label": "label has no effect: name the tab by its tabId, which stays."},
            translate=_with_mode("open"),
        ),
        answer=_tabs,
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
