"""The values of the network log."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

NETWORK_RING = 500
"""How many requests of each tab are kept."""


class NetworkRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request of a page; each redirect is a separate request."""

    number: int
    request_id: str
    session_id: str
    """The last session that reported the request. This session has the response body."""
    frame_id: str | None
    loader_id: str
    """The id of the document that requested it; for a document, its own loader id."""
    method: str
    url: str
    """Without secrets, and shortened."""
    type: str
    """``document``, ``script``, ``xhr``, ``fetch``, ...: CDP's resource type."""
    started_at: float
    """In wall-clock seconds since the epoch."""
    began: float | None
    """When it started, by the browser's own clock."""
    status: int | None = None
    mime_type: str = ""
    from_cache: str = ""
    """``memory``, ``disk``, ``service worker`` or ``prefetch``; "" for the network."""
    ended: bool = False
    duration_ms: float | None = None
    size: int | None = None
    """Bytes received over the network, including headers."""
    error: str = ""


class TabRequests(msgspec.Struct, frozen=True, kw_only=True):
    requests: Mapping[str, NetworkRequest] = MappingProxyType({})
    """By CDP's request id, in the order of their start."""
    dropped: int = 0
    """How many older requests were dropped."""
