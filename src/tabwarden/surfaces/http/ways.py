"""Ways: where a hint names a tool of the registry, the request that does the same here."""

from __future__ import annotations

import re

from tabwarden.actions import ACTIONS
from tabwarden.surfaces.http.kinds import KINDS
from tabwarden.surfaces.http.shapes import camel

__all__ = ["REQUESTS", "in_http_names", "in_http_words"]

_ACTS = {kind.action.tool: f'POST /act {{"kind": "{name}"}}' for name, kind in KINDS.items()}
REQUESTS = {
    **_ACTS,
    "browser_auth": 'POST /hooks/auth {"username", "password"} or {"cancel": true}',
    "browser_cdp": "POST /cdp",
    "browser_clipboard": "GET /clipboard",
    "browser_close": "POST /stop",
    "browser_connect": "POST /connect",
    "browser_console": "GET /console",
    "browser_cookies": "GET /cookies",
    "browser_dialog": 'POST /hooks/dialog {"accept": true or false, "promptText"}',
    "browser_disconnect": "POST /disconnect",
    "browser_download": "POST /download",
    "browser_emulate": "POST /set/device",
    "browser_highlight": "POST /highlight",
    "browser_navigate": "POST /navigate",
    "browser_network": "GET /requests",
    "browser_open": "POST /start",
    "browser_pdf": "POST /pdf",
    "browser_permission": "POST /permissions/grant",
    "browser_scrape": "GET /scrape",
    "browser_screenshot": "POST /screenshot",
    "browser_snapshot": "GET /snapshot",
    "browser_storage": "GET /storage/local",
    "browser_storage_state": "POST /storage-state/load",
    "browser_tabs": "GET /tabs",
    "browser_upload": 'POST /hooks/file-chooser {"paths"}',
}
"""The request for each tool."""
_MODES = {
    ("browser_tabs", "close"): "DELETE /tabs/{targetId}",
    ("browser_tabs", "list"): "GET /tabs",
    ("browser_tabs", "open"): "POST /tabs/open",
    ("browser_tabs", "switch"): "POST /tabs/focus",
    ("browser_cookies", "clear"): "POST /cookies/clear",
    ("browser_cookies", "set"): "POST /cookies/set",
    ("browser_storage_state", "save"): "POST /storage-state/save",
}
_TOOL = re.compile(r"(browser_[a-z_]+)(?:\(([^()]*)\))?")
_MODE = re.compile(r"mode='(\w+)'")
_PARAMETERS = {
    name for action in ACTIONS.values() for name in action.parameters.model_fields if "_" in name
}
_NAME = re.compile(rf"\b({'|'.join(sorted(_PARAMETERS))})\b")
_TAB = re.compile(r"tab_id='(\w+)'")


def in_http_words(text: str) -> str:
    """A message or hint of ours for a reader who has HTTP; what has no request stays as it is."""
    return _TOOL.sub(_request, text)


def in_http_names(hint: str) -> str:
    """A hint of ours with parameters as requests call them. Not for messages: they quote pages."""
    return _NAME.sub(lambda found: "targetId" if found[0] == "tab_id" else camel(found[0]), hint)


def _request(found: re.Match[str]) -> str:
    tool, arguments = found[1], found[2] or ""
    mode, tab = _MODE.search(arguments), _TAB.search(arguments)
    way = _MODES.get((tool, mode[1])) if mode is not None else None
    if way is not None and tab is not None:
        return way.replace("{targetId}", tab[1])
    return way or REQUESTS.get(tool) or found[0]
