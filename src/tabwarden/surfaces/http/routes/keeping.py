"""Routes for stored data: cookies, web storage, saved states, and the clipboard."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Performed
from tabwarden.control_api import IMPORTED, camel_keys, imported, outcome
from tabwarden.surfaces.http.pipeline import action_route, json_response, task_of
from tabwarden.surfaces.http.schema import OBJECTS

_FILTERS = ("url", "domain", "name")
_OF_COOKIE = ("value", "path", "expires", "secure", "http_only", "same_site")
_FILE = ("filename", "text")


def _clearing_cookies(arguments: dict[str, Any]) -> dict[str, Any]:
    some = any(arguments.get(name) is not None for name in _FILTERS)
    return {**arguments, "mode": "delete" if some else "clear"}


def _clearing_storage(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "mode": "clear" if arguments.get("key") is None else "delete"}


def _cookies(done: Performed) -> dict[str, Any]:
    return {**outcome(done), "cookies": camel_keys(done.result.value)}


def _stored(done: Performed) -> dict[str, Any]:
    """Return the items. If the result has values, also return a map from each item's name to its
    value.
    """
    value = done.result.value or {}
    items = value.get("items", [])
    values = {item["name"]: item["value"] for item in items if "value" in item}
    body = {**outcome(done), **camel_keys(value)}
    return {**body, "values": values} if values else body


async def _imported(request: Request, done: Performed) -> Response:
    return json_response(imported(done, task_of(request)))


_INTO = Annotated[str, Field(description="The saved state to load. Default: imported.")]
_CHOSEN = (
    "`browser`, `systemProfile`, `domains` and `makeDefault` have no effect. The person chose "
    "them when importing the cookies."
)
KEEPING = (
    action_route(
        "GET /cookies",
        "browser_cookies",
        without=(*_OF_COOKIE, *_FILE),
        mode="list",
        body=_cookies,
        words="List cookies. `values=true` adds their values, which are secrets.",
        gives={"cookies": OBJECTS},
    ),
    action_route(
        "POST /cookies/set",
        "browser_cookies",
        without=("values", *_FILE),
        needs=("name", "value"),
        holder="cookie",
        mode="set",
        body=_cookies,
        words="Set a cookie. Put its fields in the body, either directly or in an object "
        "`cookie`. The default site is the site of the tab's page.",
        gives={"cookies": OBJECTS},
    ),
    action_route(
        "POST /cookies/clear",
        "browser_cookies",
        without=("mode", "values", *_OF_COOKIE, *_FILE),
        translate=_clearing_cookies,
        words="Delete cookies by `name`, `domain` or `url`. Default: all cookies.",
    ),
    action_route(
        "POST /cookies/load",
        "browser_cookies",
        without=("values", *_OF_COOKIE, *_FILTERS),
        mode="load",
        words="Load cookies from a Netscape cookie file, a storage state, or a curl command. "
        "Send the name of a file in the state folder, or its text.",
    ),
    action_route(
        "POST /cookies/save",
        "browser_cookies",
        without=("values", "text", *_OF_COOKIE),
        needs=("filename",),
        mode="save",
        words="Save cookies to a Netscape cookie file in the state folder.",
    ),
    action_route(
        "GET /storage/{kind}",
        "browser_storage",
        names={"area": "kind"},
        without=("value",),
        needs=("area",),
        mode="get",
        body=_stored,
        words="Read one key or all keys from the localStorage (`local`) or sessionStorage "
        "(`session`) of the page's origin. `values=true` adds the values, which may be secrets.",
        gives={"items": OBJECTS, "values": {"type": "object"}},
    ),
    action_route(
        "POST /storage/{kind}/set",
        "browser_storage",
        names={"area": "kind"},
        without=("values",),
        needs=("area", "key", "value"),
        mode="set",
        body=_stored,
        words="Set an item in the page's localStorage or sessionStorage.",
    ),
    action_route(
        "POST /storage/{kind}/clear",
        "browser_storage",
        names={"area": "kind"},
        without=("mode", "value", "values"),
        needs=("area",),
        translate=_clearing_storage,
        body=_stored,
        words="Delete one key or all keys from the page's localStorage or sessionStorage.",
    ),
    action_route(
        "POST /storage-state/save",
        "browser_storage_state",
        mode="save",
        words="Save the login state (all cookies, and the visited sites' localStorage) to a "
        "file in the state folder. The file contains secrets.",
    ),
    action_route(
        "POST /storage-state/load",
        "browser_storage_state",
        mode="load",
        words="Load a saved state. Do this before you open the site. Playwright's storage state "
        "files also work.",
    ),
    action_route(
        "GET /clipboard",
        "browser_clipboard",
        without=("text",),
        mode="read",
        words="Read the clipboard's text.",
    ),
    action_route(
        "POST /clipboard",
        "browser_clipboard",
        needs=("text",),
        mode="write",
        words="Write text to the clipboard.",
    ),
    action_route(
        "POST /profiles/import",
        "browser_storage_state",
        without=("mode", "filename"),
        more={"into": (_INTO, IMPORTED)},
        ignores=dict.fromkeys(("browser", "systemProfile", "domains", "makeDefault"), _CHOSEN),
        translate=lambda arguments: {
            **{name: value for name, value in arguments.items() if name != "into"},
            "mode": "load",
            "filename": arguments.get("into") or IMPORTED,
        },
        answer=_imported,
        opens=True,
        words="Load the login cookies that a person imported from their own browser with "
        "`tabwarden import-cookies --to NAME`. API clients can't import them.",
        gives={"into": {"type": "string"}, "cookies": {"type": "object"}},
    ),
)
