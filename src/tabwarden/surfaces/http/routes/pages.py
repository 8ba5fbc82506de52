"""Routes that go to a page, or read one."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.page import Screenshot, Snapshot
from tabwarden.surfaces.http.answers import (
    camel_keys,
    json_response,
    news_json,
    outcome,
    tabs_json,
    target_of,
)
from tabwarden.surfaces.http.calls import Done, labels_of
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape

__all__ = ["PAGES"]

_OBJECTS = {"type": "array", "items": {"type": "object"}}
_OUTLINE = "The outline is bounded and has no such setting; maxChars says how long it may be."


def _reading(arguments: dict[str, Any]) -> dict[str, Any]:
    arguments.pop("format", None)
    if arguments.get("refs") in ("aria", "role"):
        del arguments["refs"]
    return arguments


def _snapshot(request: Request, done: Done) -> Response:
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
        "fileChoosers": camel_keys(read.file_choosers),
        "authChallenges": camel_keys(read.auth_challenges),
        "downloads": camel_keys(read.downloads),
        "frameTree": camel_keys(read.frame_tree),
        "tabs": tabs_json(done.state, labels_of(request)),
        **({"note": done.note} if done.note else {}),
    }
    return json_response(body | news_json(read.new_since_last))


def _screenshot(request: Request, done: Done) -> Response:
    """The picture itself for those who ask for one (``Accept: image/*``), else in JSON."""
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


def _console(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "messages": camel_keys(done.result.value)})


def _errors(request: Request, done: Done) -> Response:
    _ = request
    errors = [{"message": one["text"], **camel_keys(one)} for one in done.result.value]
    return json_response({**outcome(done), "errors": errors})


def _raw(request: Request, done: Done) -> Response:
    """The value as the browser gave it: its keys are not ours."""
    _ = request
    return json_response({**outcome(done), "result": done.result.value})


def _scraped(request: Request, done: Done) -> Response:
    _ = request
    value = done.result.value or {}
    return json_response({**outcome(done), **camel_keys(value)})


PAGES = (
    Served(shape=shape("POST /navigate", "browser_navigate")),
    Served(
        shape=shape(
            "GET /snapshot",
            "browser_snapshot",
            more={
                "format": (
                    Annotated[Literal["ai"], Field(description="The outline; there is no other.")],
                    "ai",
                ),
                "refs": (
                    Annotated[
                        Literal["known", "full", "aria", "role"],
                        Field(
                            description="full: the backendDOMNodeId of each ref too. Refs are of "
                            "one kind: aria and role change nothing."
                        ),
                    ],
                    "known",
                ),
            },
            ignores=dict.fromkeys(
                ("mode", "interactive", "compact", "depth", "limit", "urls"), _OUTLINE
            )
            | {"labels": "Labels are drawn by POST /screenshot with annotate."},
            translate=_reading,
        ),
        answer=_snapshot,
        gives={
            "format": {"const": "ai"},
            "snapshot": {"type": "string", "description": "The outline."},
            "refs": {"type": "object", "description": "By ref: role, name, frame."},
            "truncated": {"type": "boolean"},
            "stale": {"type": "boolean", "description": "The last outline known: see why in it."},
            **dict.fromkeys(
                ("pendingDialogs", "recentDialogs", "fileChoosers", "authChallenges", "downloads"),
                _OBJECTS,
            ),
            "frameTree": {"type": "object"},
            "tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}},
        },
    ),
    Served(
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
    Served(shape=shape("GET /console", "browser_console"), answer=_console,
           gives={"messages": _OBJECTS}),
    Served(
        shape=shape(
            "GET /errors",
            "browser_console",
            without=("level",),
            translate=lambda arguments: {**arguments, "level": "error"},
        ),
        answer=_errors,
        words="Read the page's last uncaught errors and messages of level error. clear forgets "
        "the messages of every level.",
        gives={"errors": _OBJECTS},
    ),
    Served(
        shape=shape("GET /scrape", "browser_scrape"),
        answer=_scraped,
        gives={"format": {"type": "string"}, "text": {"type": "string"}},
    ),
    Served(shape=shape("POST /highlight", "browser_highlight")),
    Served(
        shape=shape(
            "POST /cdp", "browser_cdp", names={"frame_id": "frameId", "target_id": "cdpTargetId"}
        ),
        answer=_raw,
        gives={"result": {"description": "As CDP gives it."}},
    ),
)  # fmt: skip
