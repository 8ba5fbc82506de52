"""``GET /events``: a task's events, kept in a ring buffer and sent as server-sent events."""

from tabwarden.surfaces.http.streams.events import NAMES
from tabwarden.surfaces.http.streams.feed import Feeds
from tabwarden.surfaces.http.streams.sse import EventStream

__all__ = ["NAMES", "EventStream", "Feeds"]
