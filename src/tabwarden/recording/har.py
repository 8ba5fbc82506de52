"""Write requests as an HTTP Archive (HAR, version 1.2). Secrets are already masked in the network
log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tabwarden.recording.records import Record
from tabwarden.recording.trace import Trace
from tabwarden.telemetry.redaction import HIDDEN


def har_of(trace: Trace) -> dict[str, Any]:
    """Return a trace's requests as the JSON of a HAR file."""
    pages = [_page(trace, tab_id) for tab_id in trace.tab_ids]
    entries = [har_entry(request) for request in trace.requests]
    return har_log(str(trace.about.get("browser") or ""), pages, entries)


def har_log(
    product: str, pages: list[dict[str, Any]], entries: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the JSON of a HAR file. ``product`` is the browser's name and version."""
    name, _, number = (product or "Chromium").partition("/")
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "Tabwarden", "version": version("tabwarden")},
            "browser": {"name": name, "version": number},
            "pages": pages,
            "entries": entries,
        }
    }


def har_entry(request: Record) -> dict[str, Any]:
    """Return one request as an entry of a HAR file. A record contains the texts ``post_data`` and
    ``body`` only if they were read for this file."""
    took = request.get("duration_ms") or 0
    error = request.get("error")
    sizes = {name: request.get(f"{name}_size") for name in ("head", "body", "content")}
    size = {name: -1 if known is None else known for name, known in sizes.items()}
    request_headers: Mapping[str, str] = request.get("request_headers") or {}
    answered: Mapping[str, str] = request.get("response_headers") or {}
    protocol = request.get("protocol") or ""
    content: dict[str, Any] = {
        "size": size["content"],
        "mimeType": request.get("mime_type") or "x-unknown",
    }
    if request.get("body") is not None:
        content["text"] = request["body"]
        if size["content"] < 0:
            content["size"] = len(request["body"].encode())
    elif request.get("body_missing"):
        content["_body_missing"] = request["body_missing"]
    entry: dict[str, Any] = {
        "pageref": request["tab_id"],
        "startedDateTime": _iso(request["started_at"]),
        "time": took,
        "request": {
            "method": request["method"],
            "url": request["url"],
            "httpVersion": protocol,
            "cookies": _cookies(request_headers, "cookie"),
            "headers": _headers(request_headers),
            "queryString": _query(request["url"]),
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": {
            # Programs that replay a HAR file replay requests with a status, so failed requests have
            # no status.
            "status": -1 if error else request.get("status") or -1,
            "statusText": request.get("status_text") or "",
            "httpVersion": protocol,
            "cookies": _cookies(answered, "set-cookie"),
            "headers": _headers(answered),
            "content": content,
            "redirectURL": _header(answered, "location"),
            # Protocols other than HTTP/1.x compress the headers.
            "headersSize": size["head"] or -1 if protocol.startswith("http/1") else -1,
            "bodySize": size["body"],
        },
        "cache": {},
        "timings": {"send": 0, "wait": took, "receive": 0, **(request.get("timings_ms") or {})},
        "_resourceType": request["resource_type"],
    }
    if request.get("post_data") is not None:
        entry["request"]["postData"] = {
            "mimeType": _header(request_headers, "content-type"),
            "text": request["post_data"],
        }
        entry["request"]["bodySize"] = len(request["post_data"].encode())
    if request.get("remote_address"):
        ip, _, port = request["remote_address"].rpartition(":")
        entry["serverIPAddress"], entry["connection"] = ip.strip("[]"), port
    if request.get("initiator"):
        entry["_initiator"] = request["initiator"]
    if request.get("frames"):
        entry["_webSocketMessages"] = request["frames"]
    if request.get("messages"):
        entry["_eventSourceMessages"] = request["messages"]
    if error:
        entry["response"]["_failureText"] = error
    return entry


def _headers(headers: Mapping[str, str]) -> list[dict[str, str]]:
    """Split a header's value at line breaks, because CDP joins repeated headers with line
    breaks."""
    return [
        {"name": name, "value": value}
        for name, joined in headers.items()
        for value in joined.split("\n")
    ]


def _header(headers: Mapping[str, str], wanted: str) -> str:
    return next((value for name, value in headers.items() if name.lower() == wanted), "")


def _cookies(headers: Mapping[str, str], named: str) -> list[dict[str, str]]:
    text = _header(headers, named)
    if not text or text == HIDDEN:
        return []
    pairs = text.split("; ") if named == "cookie" else text.split("\n")
    split = (pair.partition(";")[0].partition("=") for pair in pairs)
    return [{"name": name.strip(), "value": value} for name, _, value in split]


def _page(trace: Trace, tab_id: str) -> dict[str, Any]:
    calls = [one for one in trace.calls if one.get("tab_id") == tab_id]
    began = min((one["began"] for one in calls), default=trace.about["began"])
    title = next((one["title"] or one["url"] for one in reversed(calls) if one["url"]), "")
    return har_page(tab_id, title, began)


def har_page(tab_id: str, title: str, began: float) -> dict[str, Any]:
    """Return a tab as a page of a HAR file. ``began`` is in seconds since 1970."""
    return {"startedDateTime": _iso(began), "id": tab_id, "title": title, "pageTimings": {}}


def _query(url: str) -> list[dict[str, str]]:
    try:
        pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in pairs]


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
