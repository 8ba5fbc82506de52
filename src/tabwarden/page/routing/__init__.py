"""Routing: block, answer, change or delay the requests of the task's pages and workers."""

from tabwarden.page.routing.route import (
    route_json,
    unmatched,
)
from tabwarden.page.routing.wanted import ABORTS, RESOURCE_TYPES

__all__ = [
    "ABORTS",
    "RESOURCE_TYPES",
    "route",
    "route_json",
    "unmatched",
]
