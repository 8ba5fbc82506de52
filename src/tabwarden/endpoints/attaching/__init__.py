"""Attach to a running browser: find its WebSocket, open it, and check that the browser responds."""

from tabwarden.endpoints.attaching.attach import (
    AttachedEndpoint,
    HandoverWire,
    HttpResponse,
    ResponseTooLong,
    advertised,
    ask_product,
    asked,
    may_run_here,
    open_endpoint,
)

__all__ = [
    "AttachedEndpoint",
    "HandoverWire",
    "HttpResponse",
    "ResponseTooLong",
    "advertised",
    "ask_product",
    "asked",
    "may_run_here",
    "open_endpoint",
]
