"""HAR: the requests of a trace, as entries of an HTTP Archive (version 1.2).

The recorder sees no headers, cookies or bodies, so the entries have none.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tabwarden.recording.records import Record
from tabwarden.recording.trace import Trace


def har_of(trace: Trace) -> dict[str, Any]:
    """Return the requests of a trace as the JSON of a HAR file."""
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "Tabwarden", "version": version("tabwarden")},
            "browser": {"name": str(trace.about.get("browser") or "Chromium"), "version": ""},
            "pages": [_page(trace, tab_id) for tab_id in trace.tab_ids],
            "entries": [har_entry(request) for request in trace.requests],
        }
    }


def har_entry(request: Record) -> dict[str, Any]:
    """Return one request as an entry of a HAR file."""
    took = request.get("duration_ms") or 0
    size = request.get("size")
    entry: dict[str, Any] = {
        "pageref": request["tab_id"],
        "startedDateTime": _iso(request["started_at"]),
        "time": took,
        "request": {
            "method": request["method"],
            "url": request["url"],
            "httpVersion": "",
            "cookies": [],
            "headers": [],
            "queryString": _query(request["url"]),
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": {
            "status": request.get("status") or 0,
            "statusText": "",
            "httpVersion": "",
            "cookies": [],
            "headers": [],
            "content": {
                "size": size if size is not None else -1,
                "mimeType": request.get("mime_type") or "x-unknown",
            },
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": size if size is not None else -1,
        },
        "cache": {},
        "timings": {"send": 0, "wait": took, "receive": 0},
        "_resourceType": request["resource_type"],
    }
    if request.get("error"):
        entry["response"]["_failureText"] = request["error"]
    return entry


def _page(trace: Trace, tab_id: str) -> dict[str, Any]:
    calls = [one for one in trace.calls if one.get("tab_id") == tab_id]
    began = min((one["began"] for one in calls), default=trace.about["began"])
    title = next((one["title"] or one["url"] for one in reversed(calls) if one["url"]), "")
    return {"startedDateTime": _iso(began), "id": tab_id, "title": title, "pageTimings": {}}


def _query(url: str) -> list[dict[str, str]]:
    try:
        pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in pairs]


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
