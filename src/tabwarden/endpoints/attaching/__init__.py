"""Attach to a running browser: find its WebSocket, open it, and check that it answers."""

from tabwarden.endpoints.attaching.attach import (
    AttachedEndpoint,
    advertised,
    may_run_here,
    open_endpoint,
)
from tabwarden.endpoints.attaching.handshake import HandoverWire, ask_product
from tabwarden.endpoints.attaching.http_response import HttpResponse, ResponseTooLong, asked

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
