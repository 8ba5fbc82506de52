"""A JSON Schema of HAR 1.2, from its specification."""

from __future__ import annotations

from typing import Any

__all__ = ["HAR"]


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "patternProperties": {"^_": {}},
        "additionalProperties": False,
    }


_TEXT: dict[str, Any] = {"type": "string"}
_TIME = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$",
}
_COUNT = {"type": "integer", "minimum": -1}
_SPAN = {"type": "number", "minimum": -1}
_PAIRS = {"type": "array", "items": _object({"name": _TEXT, "value": _TEXT}, comment=_TEXT)}
_REQUEST = _object(
    {
        "method": _TEXT,
        "url": {"type": "string", "format": "uri"},
        "httpVersion": _TEXT,
        "cookies": _PAIRS,
        "headers": _PAIRS,
        "queryString": _PAIRS,
        "headersSize": _COUNT,
        "bodySize": _COUNT,
    },
    postData=_object({"mimeType": _TEXT, "text": _TEXT}),
)
_RESPONSE = _object(
    {
        "status": {"type": "integer", "minimum": -1},
        "statusText": _TEXT,
        "httpVersion": _TEXT,
        "cookies": _PAIRS,
        "headers": _PAIRS,
        "content": _object({"size": _COUNT, "mimeType": _TEXT}, text=_TEXT),
        "redirectURL": _TEXT,
        "headersSize": _COUNT,
        "bodySize": _COUNT,
    }
)
_ENTRY = _object(
    {
        "startedDateTime": _TIME,
        "time": {"type": "number", "minimum": 0},
        "request": _REQUEST,
        "response": _RESPONSE,
        "cache": {"type": "object"},
        "timings": _object(
            {"send": _SPAN, "wait": _SPAN, "receive": _SPAN},
            blocked=_SPAN,
            dns=_SPAN,
            connect=_SPAN,
            ssl=_SPAN,
        ),
    },
    pageref=_TEXT,
    serverIPAddress=_TEXT,
    connection=_TEXT,
)
_PAGE = _object(
    {"startedDateTime": _TIME, "id": _TEXT, "title": _TEXT, "pageTimings": {"type": "object"}}
)
_WHO = _object({"name": _TEXT, "version": _TEXT})
HAR = _object(
    {
        "log": _object(
            {"version": {"const": "1.2"}, "creator": _WHO, "entries": {"items": _ENTRY}},
            browser=_WHO,
            pages={"type": "array", "items": _PAGE},
        )
    }
)
