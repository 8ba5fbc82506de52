"""The network log's values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

NETWORK_RING = 500
"""How many requests of each tab are kept."""


MESSAGES_KEPT = 100
"""How many messages of each WebSocket or EventSource are kept."""
MESSAGE_MAX = 2_000
"""How many characters of a message are shown."""
MESSAGE_KEPT = 2_500
"""How many characters of a message are kept. This is more than the shown part, so that a secret at
the end of the shown part is complete and can be found.
"""


class Initiator(msgspec.Struct, frozen=True, kw_only=True):
    """The cause of a request."""

    type: str
    """CDP's initiator type: ``parser``, ``script``, ``preload``, ``preflight``, ..."""
    url: str = ""
    line: int | None = None
    """The line number, counted from 1."""
    function: str = ""


class Timing(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """CDP's ``ResourceTiming``: times in milliseconds after ``request_time``; -1 for steps that did
    not happen.
    """

    request_time: float
    """The start time, in seconds of the browser's monotonic clock."""
    dns_start: float = -1
    dns_end: float = -1
    connect_start: float = -1
    connect_end: float = -1
    ssl_start: float = -1
    ssl_end: float = -1
    send_start: float = -1
    send_end: float = -1
    receive_headers_end: float = -1


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """The details of a request that are only in HAR files, and in the result of a call for one
    request.
    """

    request_headers: Mapping[str, str] = MappingProxyType({})
    response_headers: Mapping[str, str] = MappingProxyType({})
    status_text: str = ""
    protocol: str = ""
    """``http/1.1``, ``h2``, ``h3``, ..."""
    remote_address: str = ""
    timing: Timing | None = None
    initiator: Initiator | None = None
    has_post_data: bool = False
    hop: int = 0
    """For how many earlier hops of this request the headers were reported separately
    (``ExtraInfo``).
    """
    head_size: int = 0
    """The size of the response's headers as received, in bytes; 0 if the response is from a
    cache.
    """
    decoded_size: int = 0
    """Bytes of the uncompressed body so far. Not counted if the page reads the response as a
    Blob.
    """


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A frame of a WebSocket, or a message of an EventSource."""

    sent: bool
    at: float
    """When it was sent or received, in seconds of the browser's monotonic clock."""
    size: int
    """The length: in bytes for a binary frame, otherwise in characters."""
    text: str | None = None
    """The first ``MESSAGE_KEPT`` characters of the text; None for a binary frame."""
    data: str = ""
    """The first ``MESSAGE_KEPT`` characters of a binary frame in Base64."""
    event: str = ""
    """The name of an EventSource's event."""


class Messages(msgspec.Struct, frozen=True, kw_only=True):
    """The last messages of a WebSocket or EventSource, oldest first."""

    kept: tuple[Message, ...] = ()
    dropped: int = 0


class HeadersTold(msgspec.Struct, frozen=True, kw_only=True):
    """The headers that the browser reported separately, with one entry for each hop of a
    request.
    """

    sent: tuple[Mapping[str, str], ...] = ()
    received: tuple[Mapping[str, str], ...] = ()


class NetworkRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page's request; each redirect is a separate request."""

    number: int
    request_id: str
    session_id: str
    """The last session that reported the request. Only this session has the response body."""
    frame_id: str | None
    loader_id: str
    """The loader ID of the document that sent the request; for a document's request, the loader ID
    of that document.
    """
    method: str
    url: str
    """The URL, without secrets, and shortened."""
    type: str
    """``document``, ``script``, ``xhr``, ``fetch``, ...: CDP's resource type."""
    started_at: float
    """When the request started, in wall-clock seconds since the epoch."""
    began: float | None
    """When the request started, in seconds of the browser's monotonic clock."""
    status: int | None = None
    mime_type: str = ""
    from_cache: str = ""
    """The cache that the response is from: ``memory``, ``disk``, ``service worker`` or
    ``prefetch``; "" for the network.
    """
    ended: bool = False
    duration_ms: float | None = None
    size: int | None = None
    """Bytes received over the network, including headers."""
    error: str = ""
    details: Details = Details()


class TabRequests(msgspec.Struct, frozen=True, kw_only=True):
    requests: MappingProxyType[str, NetworkRequest] = MappingProxyType({})
    """The requests, keyed by CDP's request ID, in the order in which they started. An earlier hop
    of a redirected request has its own key.
    """
    dropped: int = 0
    """How many older requests were dropped."""
    headers_told: MappingProxyType[str, HeadersTold] = MappingProxyType({})
    """The separately reported headers, keyed by CDP's request ID. They may arrive before the
    request's own event.
    """
    messages: MappingProxyType[str, Messages] = MappingProxyType({})
    """The messages, keyed by CDP's request ID."""
