"""Return calls, notices, console messages and requests as JSON records for a trace.

Each record is an object with a ``type``. Times are in seconds since 1970.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.journal import Entry, Secrets, hidden_with
from tabwarden.page.logs import one_request
from tabwarden.supervisor.core.state.network_log import Messages, NetworkRequest
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.state import ConsoleMessage
from tabwarden.telemetry.redaction import url_without_secrets

Record = dict[str, Any]

_OURS = {"deadline", "answer", "held_by", "may_be_early", "guarded", "guid", "session_id"}
_FIELDS = (
    "number", "action", "began", "ended", "parent", "tab_id", "element", "point", "status", "code",
)  # fmt: skip
_TEXTS = ("message", "hint", "note", "effect", "title", "by", "text_appeared")


def call_record(entry: Entry) -> Record:
    """Return the record of one call, without secrets."""
    record: Record = {"type": "call", **{field: getattr(entry, field) for field in _FIELDS}}
    texts = {field: str(getattr(entry, field, "")) for field in _TEXTS}
    record |= hidden_with(entry.secrets, {**texts, "steps": list(entry.steps)})
    record["element"] = hidden_with(entry.secrets, entry.element)
    record["url"] = entry.secrets.hide(url_without_secrets(entry.url))
    record["arguments"] = entry.redacted_arguments()
    record["result"] = entry.redacted_result()
    if entry.points:
        record["points"] = entry.points
    if entry.locators:
        record["locators"] = hidden_with(entry.secrets, msgspec.to_builtins(entry.locators))
    return record


def notice_record(notice: Notice, at: float, secrets: Secrets) -> Record:
    """Return the record of one event in the browser, without secrets."""
    data = _plain(msgspec.to_builtins(notice, enc_hook=str, str_keys=True))
    return {"type": "notice", "at": at, "kind": type(notice).__name__, **hidden_with(secrets, data)}


def console_record(message: ConsoleMessage, secrets: Secrets) -> Record:
    data = _plain(msgspec.to_builtins(message))
    return {"type": "console", **hidden_with(secrets, data)}


def request_record(
    request: NetworkRequest, tab_id: str, secrets: Secrets, messages: Messages | None = None
) -> Record:
    """Return the record of one request, with its headers. The log has already masked the secrets in
    the headers. ``messages`` are a WebSocket's messages."""
    data = {
        name: getattr(request, name)
        for name in request.__struct_fields__
        if name not in ("type", "session_id", "began", "details")
    }
    data = {"type": "request", "resource_type": request.type, "tab_id": tab_id, **data}
    data |= {
        "head_size": request.details.head_size,
        "body_size": one_request.body_size(request),
        "content_size": one_request.content_size(request),
    }
    if messages is not None and request.type == "websocket":
        data["frames"] = one_request.frames_of(request, messages, secrets.hide)
    known = {"url": data["url"], "error": data["error"], **one_request.facts(request)}
    return {**data, **secrets.hide(known)}


def _plain(value: Any, name: str = "") -> Any:
    """Remove internal fields, and the secrets in URLs."""
    if isinstance(value, dict):
        return {key: _plain(one, key) for key, one in value.items() if key not in _OURS}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return url_without_secrets(value) if name == "url" and isinstance(value, str) else value
