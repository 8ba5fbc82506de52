"""Routes on what a session keeps: cookies, web storage, both in a file; and the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.surfaces.http.answers import camel_keys, json_response, outcome
from tabwarden.surfaces.http.calls import Done
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape

__all__ = ["KEEPING"]

_FILTERS = ("url", "domain", "name")
_OF_COOKIE = ("value", "path", "expires", "secure", "http_only", "same_site")
_OBJECTS = {"type": "array", "items": {"type": "object"}}


def _mode(mode: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: {**arguments, "mode": mode}


def _clearing_cookies(arguments: dict[str, Any]) -> dict[str, Any]:
    some = any(arguments.get(name) is not None for name in _FILTERS)
    return {**arguments, "mode": "delete" if some else "clear"}


def _clearing_storage(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "mode": "clear" if arguments.get("key") is None else "delete"}


def _cookies(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "cookies": camel_keys(done.result.value)})


def _stored(request: Request, done: Done) -> Response:
    """The items, and their values by key where they are shown."""
    _ = request
    value = done.result.value or {}
    items = value.get("items", [])
    values = {item["name"]: item["value"] for item in items if "value" in item}
    body = {**outcome(done), **camel_keys(value)}
    return json_response({**body, "values": values} if values else body)


KEEPING = (
    Served(
        shape=shape(
            "GET /cookies",
            "browser_cookies",
            without=("mode", *_OF_COOKIE),
            translate=_mode("list"),
        ),
        answer=_cookies,
        words="List cookies; with values=true their values too, which are secrets.",
        gives={"cookies": _OBJECTS},
    ),
    Served(
        shape=shape(
            "POST /cookies/set",
            "browser_cookies",
            without=("mode", "values"),
            needs=("name", "value"),
            holder="cookie",
            translate=_mode("set"),
        ),
        answer=_cookies,
        words="Set a cookie: its fields stand in the body, or in cookie in the body. Without url "
        "and domain it is for the page of the tab.",
        gives={"cookies": _OBJECTS},
    ),
    Served(
        shape=shape(
            "POST /cookies/clear",
            "browser_cookies",
            without=("mode", "values", *_OF_COOKIE),
            translate=_clearing_cookies,
        ),
        words="Delete the cookies of a name, domain or url; all of them when none is named.",
    ),
    Served(
        shape=shape(
            "GET /storage/{kind}",
            "browser_storage",
            names={"area": "kind"},
            without=("mode", "value"),
            needs=("area",),
            translate=_mode("get"),
        ),
        answer=_stored,
        words="Read localStorage (kind local) or sessionStorage (session) of the page's origin: "
        "one key, or all of them; with values=true their values too, which may be secrets.",
        gives={"items": _OBJECTS, "values": {"type": "object"}},
    ),
    Served(
        shape=shape(
            "POST /storage/{kind}/set",
            "browser_storage",
            names={"area": "kind"},
            without=("mode", "values"),
            needs=("area", "key", "value"),
            translate=_mode("set"),
        ),
        answer=_stored,
        words="Set an item of the page's localStorage or sessionStorage.",
    ),
    Served(
        shape=shape(
            "POST /storage/{kind}/clear",
            "browser_storage",
            names={"area": "kind"},
            without=("mode", "value", "values"),
            needs=("area",),
            translate=_clearing_storage,
        ),
        answer=_stored,
        words="Delete one key of the page's localStorage or sessionStorage, or all of them.",
    ),
    Served(
        shape=shape(
            "POST /storage-state/save",
            "browser_storage_state",
            without=("mode",),
            translate=_mode("save"),
        ),
        words="Keep a login: save all cookies and the localStorage of the sites visited to a file "
        "in the folder of saved states. The file holds secrets.",
    ),
    Served(
        shape=shape(
            "POST /storage-state/load",
            "browser_storage_state",
            without=("mode",),
            translate=_mode("load"),
        ),
        words="Load a saved state (also one of Playwright's) before going to the site.",
    ),
    Served(
        shape=shape(
            "GET /clipboard", "browser_clipboard", without=("mode", "text"),
            translate=_mode("read"),
        ),
        words="Read the clipboard's text.",
    ),
    Served(
        shape=shape(
            "POST /clipboard", "browser_clipboard", without=("mode",), needs=("text",),
            translate=_mode("write"),
        ),
        words="Put a text into the clipboard.",
    ),
)  # fmt: skip
