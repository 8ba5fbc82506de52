"""Hints: convert a suggested call to an HTTP request."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from tabwarden.control_api import KINDS, camel
from tabwarden.hints import Next, render

_ROUTES = {
    "auth": "POST /hooks/auth",
    "cdp": "POST /cdp",
    "choose": "POST /hooks/choose",
    "close": "POST /stop",
    "connect": "POST /connect",
    "cookies set": "POST /cookies/set",
    "dialog": "POST /hooks/dialog",
    "download": "POST /download",
    "navigate": "POST /navigate",
    "network": "GET /requests",
    "open": "POST /start",
    "permission": "POST /permissions/grant",
    "scrape": "GET /scrape",
    "screenshot": "POST /screenshot",
    "snapshot": "GET /snapshot",
    "tabs close": "DELETE /tabs/{targetId}",
    "tabs list": "GET /tabs",
    "tabs open": "POST /tabs/open",
    "upload": "POST /hooks/file-chooser",
}
"""The routes for the calls that hints suggest, by action and mode. Other calls use ``/act``."""
_FIELDS = {"filenames": "paths", "tab_id": "targetId"}


def in_requests(text: str) -> str:
    """Render ``text``, with its hints as HTTP requests, for a client of the HTTP API."""
    return render(text, request, _field)


def request(step: Next) -> str:
    """Return the request for the call ``step``; ``""`` if no request makes this call."""
    arguments = dict(step.arguments)
    mode = arguments.pop("mode", "")
    route = _ROUTES.get(f"{step.action} {mode}".strip())
    if route is None:
        kind = next((one for one in KINDS.values() if one.action.name == step.action), None)
        if kind is None:
            return ""
        known = kind.form.parameters.model_fields
        kept = {"mode": mode, **arguments} if mode and "mode" in known else arguments
        fields = {kind.field_of(name): value for name, value in kept.items()}
        return f"POST /act {json.dumps({'kind': kind.name, **fields})}"
    if step.action == "dialog":
        arguments = {"accept": arguments.pop("action") == "accept", **arguments}
    elif step.action == "permission":  # hints only grant permissions
        arguments = {"permissions": [arguments["name"]]}
    fields = {_field(name): value for name, value in arguments.items()}
    if "{targetId}" in route:
        route = route.replace("{targetId}", fields.pop("targetId"))
    if not fields:
        return route
    if route.startswith("GET "):
        return f"{route}?{urlencode(fields, safe='.')}"
    return f"{route} {json.dumps(fields)}"


def _field(parameter: str) -> str:
    return _FIELDS.get(parameter) or camel(parameter)
