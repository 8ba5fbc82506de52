"""Routing: block, answer, change or delay the requests of the task's pages and workers."""

from tabwarden.page.routing.route import (
    LIST_ROUTES,
    ROUTE,
    check_mode,
    route,
    route_json,
    unmatched,
)
from tabwarden.page.routing.wanted import ABORTS, RESOURCE_TYPES, AskedRoute, wanted_route

__all__ = [
    "ABORTS",
    "LIST_ROUTES",
    "RESOURCE_TYPES",
    "ROUTE",
    "AskedRoute",
    "check_mode",
    "route",
    "route_json",
    "unmatched",
    "wanted_route",
]
