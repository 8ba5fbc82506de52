"""The values of the network log, as part of the state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

__all__ = ["NETWORK_RING", "NetworkRequest", "TabRequests"]

NETWORK_RING = 500
"""Requests that are kept of each tab."""


class NetworkRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request of a page: one hop of it, when it was redirected."""

    number: int
    request_id: str
    """CDP's."""
    session_id: str
    """The session that told of it last, which has its body."""
    frame_id: str | None
    loader_id: str
    """The document that asked; its own, when it is one."""
    method: str
    url: str
    """Without secrets, and shortened."""
    type: str
    """``document``, ``script``, ``xhr``, ``fetch``, ...: CDP's resource type."""
    started_at: float
    """Seconds since the epoch."""
    began: float | None
    """By the browser's own clock."""
    status: int | None = None
    mime_type: str = ""
    from_cache: str = ""
    """``memory``, ``disk``, ``service worker``, ``prefetch``; "": it came over the network."""
    ended: bool = False
    duration_ms: float | None = None
    size: int | None = None
    """Bytes that came over the network, headers included."""
    error: str = ""
    """Why it failed."""


class TabRequests(msgspec.Struct, frozen=True, kw_only=True):
    """The last requests of one tab."""

    requests: Mapping[str, NetworkRequest] = MappingProxyType({})
    """By CDP's id; in the order in which they began."""
    dropped: int = 0
    """How many older ones were forgotten."""
