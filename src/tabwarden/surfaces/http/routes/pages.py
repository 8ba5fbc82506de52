"""Routes that navigate to a page or read a page."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Performed
from tabwarden.dialects.openclaw import camel, camel_keys, shape
from tabwarden.page import Screenshot, Snapshot
from tabwarden.supervisor import PROMPT_KINDS
from tabwarden.surfaces.http.pipeline import (
    ActionRoute,
    json_response,
    labels_of,
    news_json,
    outcome,
    tabs_json,
    target_of,
)

_OBJECTS = {"type": "array", "items": {"type": "object"}}
_OUTLINE = "Has no effect: maxChars limits the outline's length."


def _reading(arguments: dict[str, Any]) -> dict[str, Any]:
    arguments.pop("format", None)
    if arguments.get("refs") in ("aria", "role"):
        del arguments["refs"]
    return arguments


def _snapshot(request: Request, done: Performed) -> Response:
    read: Snapshot = done.result
    body = {
        "ok": True,
        "format": "ai",
        "targetId": target_of(done.state, read.tab_id),
        "tabId": read.tab_id,
        "url": read.url,
        "title": read.title,
        "snapshot": read.text,
        "refs": {ref: camel_keys(about) for ref, about in read.refs.items()},
        "truncated": read.truncated,
        "stale": read.stale,
        "pendingDialogs": camel_keys(read.pending_dialogs),
        "recentDialogs": camel_keys(read.recent_dialogs),
        **camel_keys({row: getattr(read, row) for row in PROMPT_KINDS}),
        "downloads": camel_keys(read.downloads),
        "frameTree": camel_keys(read.frame_tree),
        "tabs": tabs_json(done.state, labels_of(request)),
        **({"note": done.note} if done.note else {}),
    }
    return json_response(body | news_json(read.new_since_last))


def _screenshot(request: Request, done: Performed) -> Response:
    """Return the picture if the client accepts pictures (``Accept: image/*``), else JSON."""
    picture: Screenshot = done.result
    if request.headers.get("accept", "").startswith("image/"):
        return Response(picture.data, media_type=picture.media_type)
    body = {
        "ok": True,
        "targetId": target_of(done.state, done.asked_tab),
        "tabId": done.asked_tab,
        "mediaType": picture.media_type,
        "width": picture.width,
        "height": picture.height,
        "scale": picture.scale,
        "data": base64.b64encode(picture.data).decode("ascii"),
    }
    return json_response({**body, "note": picture.note} if picture.note else body)


def _console(done: Performed) -> dict[str, Any]:
    return {**outcome(done), "messages": camel_keys(done.result.value)}


def _errors(done: Performed) -> dict[str, Any]:
    errors = [{"message": one["text"], **camel_keys(one)} for one in done.result.value]
    return {**outcome(done), "errors": errors}


def _raw(done: Performed) -> dict[str, Any]:
    """Return the value with unchanged keys, because the keys come from the browser."""
    return {**outcome(done), "result": done.result.value}


def _scraped(done: Performed) -> dict[str, Any]:
    value = done.result.value or {}
    return {**outcome(done), **camel_keys(value)}


PAGES = (
    ActionRoute(shape=shape("POST /navigate", "browser_navigate")),
    ActionRoute(
        shape=shape(
            "GET /snapshot",
            "browser_snapshot",
            more={
                "format": (
                    Annotated[Literal["ai"], Field(description="The outline, the only format.")],
                    "ai",
                ),
                "refs": (
                    Annotated[
                        Literal["known", "full", "aria", "role"],
                        Field(
                            description="full: add each ref's backendDOMNodeId. Tabwarden has "
                                        "one kind of ref, so aria and role change nothing."
                        ),
                    ],
                    "known",
                ),
            },
            ignores=dict.fromkeys(
                ("mode", "interactive", "compact", "depth", "limit", "urls"), _OUTLINE
            )
            | {"labels": "Has no effect: POST /screenshot with annotate draws labels."},
            translate=_reading,
        ),
        answer=_snapshot,
        gives={
            "format": {"const": "ai"},
            "snapshot": {"type": "string", "description": "The outline."},
            "refs": {"type": "object", "description": "For each ref: role, name, frame."},
            "truncated": {"type": "boolean"},
            "stale": {
                "type": "boolean",
                "description": "This is the last known outline. The text gives the reason.",
            },
            **dict.fromkeys(
                ("pendingDialogs", "recentDialogs", *map(camel, PROMPT_KINDS), "downloads"),
                _OBJECTS,
            ),
            "frameTree": {"type": "object"},
            "tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}},
        },
    ),
    ActionRoute(
        shape=shape(
            "POST /screenshot",
            "browser_screenshot",
            names={"format": "type"},
            aliases={"labels": "annotate"},
            selectors={"element": "ref"},
        ),
        answer=_screenshot,
        gives={
            "mediaType": {"type": "string"},
            "width": {"type": "integer"},
            "height": {"type": "integer"},
            "scale": {"type": "number"},
            "data": {"type": "string", "contentEncoding": "base64"},
        },
    ),
    ActionRoute(shape=shape("GET /console", "browser_console"), body=_console,
           gives={"messages": _OBJECTS}),
    ActionRoute(
        shape=shape(
            "GET /errors",
            "browser_console",
            without=("level",),
            translate=lambda arguments: {**arguments, "level": "error"},
        ),
        body=_errors,
        words="Read the page's last uncaught errors and console messages of level error. With "
            "clear, messages of every level are then deleted.",
        gives={"errors": _OBJECTS},
    ),
    ActionRoute(
        shape=shape("GET /scrape", "browser_scrape"),
        body=_scraped,
        gives={"format": {"type": "string"}, "text": {"type": "string"}},
    ),
    ActionRoute(shape=shape("POST /highlight", "browser_highlight")),
    ActionRoute(
        shape=shape(
            "POST /cdp", "browser_cdp", names={"frame_id": "frameId", "target_id": "cdpTargetId"}
        ),
        body=_raw,
        gives={"result": {"description": "The browser's result, unchanged."}},
    ),
)  # fmt: skip
