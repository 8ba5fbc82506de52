"""Translate the HTTP requests in the server's hints to Hermes' tools, which the model knows."""

from __future__ import annotations

import json
import re
from typing import Any

_REQUEST = re.compile(r"(?:GET|POST) (/[a-z/-]+)(\?[\w=&]+)?(?: (\{[^{}]*\}))?")
_CLOSE = re.compile(r"DELETE /tabs/[\w-]+")
_TOOLS = {
    "/hooks/dialog": "browser_dialog",
    "/snapshot": "browser_snapshot",
    "/navigate": "browser_navigate",
    "/cdp": "browser_cdp",
    "/console": "browser_console",
}
_KINDS = {
    "back": "browser_back", "click": "browser_click", "evaluate": "browser_console",
    "press": "browser_press", "scroll": "browser_scroll", "type": "browser_type",
}  # fmt: skip
_FIELDS = {"promptText": "prompt_text", "dialogId": "dialog_id", "fn": "expression"}


def in_hermes(value: Any) -> Any:
    """Return a response whose texts refer to Hermes' tools. Requests that no tool sends stay
    unchanged.
    """
    if isinstance(value, str):
        return _REQUEST.sub(_call, _CLOSE.sub('browser_cdp {"method": "Page.close"}', value))
    if isinstance(value, dict):
        return {name: in_hermes(item) for name, item in value.items()}
    if isinstance(value, list):
        return [in_hermes(item) for item in value]
    return value


def _call(match: re.Match[str]) -> str:
    try:
        arguments = json.loads(match[3] or "{}")
    except ValueError:
        return match[0]
    tool = _KINDS.get(arguments.pop("kind", "")) if match[1] == "/act" else _TOOLS.get(match[1])
    if tool is None:
        return match[0]
    if "accept" in arguments:
        arguments = {"action": "accept" if arguments.pop("accept") else "dismiss", **arguments}
    fields = {_FIELDS.get(name, name): item for name, item in arguments.items()}
    return f"{tool} {json.dumps(fields)}" if fields else tool
