"""Routes that navigate to a page or read a page."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Performed
from tabwarden.config import download_folder
from tabwarden.control_api import camel, camel_keys, news_json, outcome, tabs_json, target_of
from tabwarden.digits import whole_number
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile
from tabwarden.page import Screenshot, Snapshot
from tabwarden.supervisor.core.prompts import PROMPT_KINDS
from tabwarden.surfaces.http.files import route_to
from tabwarden.surfaces.http.hints import in_requests
from tabwarden.surfaces.http.pipeline import (
    action_route,
    json_response,
    labels_of,
    optional,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.schema import OBJECTS

_LINE = re.compile(r'^( *)- ([\w-]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$')
_REF = re.compile(r"\[ref=(e\d+)\]")
_OUTLINE = (
    "`mode`, `compact` and `urls` have no effect. To limit the outline, pass `filter`, `depth` or "
    "`maxChars`."
)


def _reading(arguments: dict[str, Any]) -> dict[str, Any]:
    arguments.pop("format", None)
    arguments.pop("limit", None)
    if arguments.pop("interactive", False):
        arguments.setdefault("filter", "interactive")
    if arguments.get("maxChars") == 0 or arguments.get("max_chars") == 0:
        del arguments["max_chars"]
        arguments["full"] = True
    if arguments.get("refs") in ("aria", "role"):
        del arguments["refs"]
    return arguments


async def _snapshot(request: Request, done: Performed) -> Response:
    read: Snapshot = done.result
    aria = request.query_params.get("format") == "aria"
    body = {
        "ok": True,
        "format": "aria" if aria else "ai",
        "targetId": target_of(done.state, read.tab_id),
        "tabId": read.tab_id,
        "url": read.url,
        "title": read.title,
        **_nodes_or_text(request, done, aria=aria),
        "refs": {ref: camel_keys(about) for ref, about in read.refs.items()},
        "truncated": read.truncated,
        "stale": read.stale,
        "pendingDialogs": camel_keys(read.pending_dialogs),
        **_blocked(read),
        "recentDialogs": camel_keys(read.recent_dialogs),
        **camel_keys({row: getattr(read, row) for row in PROMPT_KINDS}),
        "downloads": camel_keys(read.downloads),
        "frameTree": camel_keys(read.frame_tree),
        "tabs": tabs_json(done.state, labels_of(request)),
        **({"note": done.note} if done.note else {}),
    }
    for name in read.unknown:
        del body[camel(name)]
    return json_response(body | news_json(read.new_since_last))


def _blocked(read: Snapshot) -> dict[str, Any]:
    """Return the dialogs that block the tab, under names that clients of similar APIs expect."""
    pending = [camel_keys(d) for d in read.pending_dialogs if d["tab_id"] == read.tab_id]
    if not pending:
        return {}
    return {"blockedByDialog": True, "browserState": {"dialogs": {"pending": pending}}}


def _nodes_or_text(request: Request, done: Performed, *, aria: bool) -> dict[str, Any]:
    read: Snapshot = done.result
    if aria:
        limit = whole_number(request.query_params.get("limit", ""))
        return {"nodes": _nodes_of(read, limit)}
    text = in_requests(read.text)  # the marks below are not part of a hint
    more: dict[str, Any] = {}
    service = service_of(request)
    session = service.tasks.session(task_of(request))
    whole = done.arguments.keys().isdisjoint(("ref", "more", "diff", "frame_id"))
    if session is not None and session.current is not None and whole and not read.stale:
        fresh = service.seen.fresh(session.current, read)
        if fresh is not None:
            text, more = _with_marks(text, fresh), {"newElements": len(fresh)}
    return {"snapshot": text, "stats": _stats_of(read), **more}


def _nodes_of(read: Snapshot, limit: int | None) -> list[dict[str, Any]]:
    """Return the outline's lines as nodes: ref (if any), role, name, depth, backendDOMNodeId."""
    nodes: list[dict[str, Any]] = []
    for line in read.text.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        indent, role, name, rest = found.groups()
        node: dict[str, Any] = {"role": role, "name": name or "", "depth": len(indent) // 2}
        marked = _REF.search(rest)
        if marked is not None and marked[1] in read.refs:
            known = read.refs[marked[1]]
            node |= {"ref": marked[1], "role": known["role"], "name": known["name"]}
            if known.get("backendDOMNodeId"):
                node["backendDOMNodeId"] = known["backendDOMNodeId"]
        nodes.append(node)
    return nodes[:limit]


def _stats_of(read: Snapshot) -> dict[str, int]:
    """Return the outline's length and the number of its refs. Only controls have refs."""
    refs = len(read.refs)
    lines = read.text.count("\n") + 1
    return {"lines": lines, "chars": len(read.text), "refs": refs, "interactive": refs}


def _with_marks(text: str, refs: Collection[str]) -> str:
    """Write ``[new]`` after each of these refs."""
    return _REF.sub(lambda found: f"{found[0]} [new]" if found[1] in refs else found[0], text)


_SCREENSHOTS = 50
"""The maximum number of screenshot files that are kept."""


async def _screenshot(request: Request, done: Performed) -> Response:
    """Return the image if the client accepts images (``Accept: image/*``), else JSON."""
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
        "pictureId": picture.id,
        "labels": picture.labels,
    }
    service = service_of(request)
    config, notes = service.config, [picture.note]
    if service.images == "omit":
        notes.append("The image is omitted (server.images: omit).")
        return json_response({**body, "note": " ".join(filter(None, notes))})
    if service.images == "inline":
        body["data"] = base64.b64encode(picture.data).decode("ascii")
    try:
        path = await asyncio.to_thread(_filed, download_folder(config), picture)
        body |= {"path": path, "route": route_to(config, path)}
    except InvalidArgument as error:  # the response itself contains the image
        notes.append(f"The image was not saved in a file: {error.message}")
    note = " ".join(filter(None, notes))
    return json_response({**body, "note": note} if note else body)


def _filed(downloads: Path, picture: Screenshot) -> str:
    """Write an image into a new folder, and delete the oldest images."""
    folder = downloads / "screenshots"
    with PartialFile(folder) as file:
        file.write(picture.data)
        path = file.keep(f"screenshot.{picture.format}", picture.media_type).path
    kept = sorted(folder.glob("screenshot*"), key=lambda one: one.stat().st_mtime_ns)
    for old in kept[:-_SCREENSHOTS]:
        old.unlink(missing_ok=True)
    return path


def _console(done: Performed) -> dict[str, Any]:
    return {**outcome(done), "messages": camel_keys(done.result.value)}


def _errors(done: Performed) -> dict[str, Any]:
    errors = [{"message": one["text"], **camel_keys(one)} for one in done.result.value]
    return {**outcome(done), "errors": errors}


def _raw(done: Performed) -> dict[str, Any]:
    """Return the value with unchanged keys, because the keys are the browser's."""
    return {**outcome(done), "result": done.result.value}


def _scraped(done: Performed) -> dict[str, Any]:
    value = done.result.value or {}
    return {**outcome(done), **camel_keys(value)}


PAGES = (
    action_route("POST /navigate", "browser_navigate"),
    action_route(
        "GET /snapshot",
        "browser_snapshot",
        more={
            "format": optional(
                Literal["ai", "aria"],
                "ai: the outline as text. aria: the outline as a list of at most `limit` nodes.",
                default="ai",
            ),
            "maxChars": optional(
                int,
                "The maximum outline length in characters: 200 or more, or 0 for no limit. "
                "Default: 40000.",
                ge=0,
            ),
            "limit": optional(int, "For aria: the maximum number of nodes.", ge=1),
            "interactive": optional(bool, "true: like filter=interactive.", default=False),
            "refs": optional(
                Literal["known", "full", "aria", "role"],
                "full: add each ref's `backendDOMNodeId`. Tabwarden has only one type of ref, "
                "so aria and role have no effect.",
                default="known",
            ),
        },
        ignores=dict.fromkeys(("mode", "compact", "urls"), _OUTLINE)
        | {
            "labels": "`labels` has no effect. To draw labels, send POST /screenshot with "
            "`annotate`."
        },
        translate=_reading,
        answer=_snapshot,
        gives={
            "format": {"enum": ["ai", "aria"]},
            "snapshot": {
                "type": "string",
                "description": "ai: the outline. [new] marks elements that were not in the "
                "previous "
                "snapshot of the document.",
            },
            "newElements": {
                "type": "integer",
                "description": "The number of elements marked [new].",
            },
            "stats": {
                "type": "object",
                "description": "The counts: lines, chars, refs, interactive.",
            },
            "nodes": OBJECTS,
            "refs": {"type": "object", "description": "Maps each ref to its role, name and frame."},
            "truncated": {"type": "boolean"},
            "stale": {
                "type": "boolean",
                "description": "This is the last known outline. The text gives the reason.",
            },
            **dict.fromkeys(
                ("pendingDialogs", "recentDialogs", *map(camel, PROMPT_KINDS), "downloads"), OBJECTS
            ),
            "frameTree": {"type": "object"},
            "tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}},
        },
    ),
    action_route(
        "POST /screenshot",
        "browser_screenshot",
        names={"format": "type"},
        aliases={"labels": "annotate"},
        selectors={"element": "ref"},
        answer=_screenshot,
        gives={
            "mediaType": {"type": "string"},
            "width": {"type": "integer"},
            "height": {"type": "integer"},
            "scale": {"type": "number"},
            "pictureId": {"type": "string"},
            "labels": {
                "type": "string",
                "description": "The outline's lines for the labeled elements.",
            },
            "data": {"type": "string", "contentEncoding": "base64"},
            "path": {
                "type": "string",
                "description": "The path of the image in the download folder.",
            },
            "route": {
                "type": "string",
                "description": "The path to request the image's file from.",
            },
        },
    ),
    action_route("GET /console", "browser_console", body=_console, gives={"messages": OBJECTS}),
    action_route(
        "GET /errors",
        "browser_console",
        without=("level",),
        translate=lambda arguments: {**arguments, "level": "error"},
        body=_errors,
        words="Read the page's latest uncaught errors and console messages of level error. With "
        "`clear`, messages of all levels are deleted afterwards.",
        gives={"errors": OBJECTS},
    ),
    action_route(
        "GET /scrape",
        "browser_scrape",
        body=_scraped,
        gives={"format": {"type": "string"}, "text": {"type": "string"}},
    ),
    action_route("POST /highlight", "browser_highlight"),
    action_route(
        "POST /cdp",
        "browser_cdp",
        names={"frame_id": "frameId", "target_id": "cdpTargetId"},
        body=_raw,
        gives={"result": {"description": "The browser's result, unchanged."}},
    ),
)
