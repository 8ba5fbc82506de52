"""Ways: where a hint names a tool of the registry, the request that does the same here."""

from __future__ import annotations

import re

from tabwarden.surfaces.http.kinds import KINDS

__all__ = ["in_http_words"]

_REQUESTS = {
    "browser_auth": 'POST /hooks/auth {"username", "password"} or {"cancel": true}',
    "browser_console": "GET /console",
    "browser_dialog": 'POST /hooks/dialog {"accept": true or false, "promptText"}',
    "browser_navigate": "POST /navigate",
    "browser_reload": "POST /navigate with its URL",
    "browser_screenshot": "POST /screenshot",
    "browser_snapshot": "GET /snapshot",
    "browser_tabs": "GET /tabs",
}
_TABS = {
    "close": "DELETE /tabs/{targetId}",
    "list": "GET /tabs",
    "open": "POST /tabs/open",
    "switch": "POST /tabs/focus",
}
_ACTS = {kind.action.tool: f'POST /act {{"kind": "{name}"}}' for name, kind in KINDS.items()}
_TOOL = re.compile(r"(browser_[a-z_]+)(?:\(([^()]*)\))?")
_MODE = re.compile(r"mode='(\w+)'")
_TAB = re.compile(r"tab_id='(\w+)'")


def in_http_words(text: str) -> str:
    """A message or hint of ours for a reader who has HTTP; what has no request stays as it is."""
    return _TOOL.sub(_request, text)


def _request(found: re.Match[str]) -> str:
    tool, arguments = found[1], found[2] or ""
    mode = _MODE.search(arguments)
    if tool == "browser_tabs" and mode is not None:
        tab = _TAB.search(arguments)
        way = _TABS.get(mode[1], found[0])
        return way.replace("{targetId}", tab[1]) if tab is not None else way
    return _REQUESTS.get(tool) or _ACTS.get(tool) or found[0]
