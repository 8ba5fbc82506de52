"""Serve a request: read and check its fields, run its action, write its answer.

``ActionRoute`` defines one route. ``CheckedRequest`` is a request to a route or to ``POST /act``,
ready to run. ``TaskCall`` runs actions for one request under its budget.
"""

from tabwarden.surfaces.http.pipeline.body import BodyTooLarge, NotJson, fields_in_query, fields_of
from tabwarden.surfaces.http.pipeline.call import CheckedRequest, TaskCall, Work, with_tab
from tabwarden.surfaces.http.pipeline.request import (
    cancelled_by_leaving,
    labels_of,
    read_fields,
    service_of,
    task_call,
    task_of,
)
from tabwarden.surfaces.http.pipeline.response import json_response
from tabwarden.surfaces.http.pipeline.route import ActionRoute, route_of
from tabwarden.surfaces.http.pipeline.saved import saved_body

__all__ = [
    "ActionRoute",
    "BodyTooLarge",
    "CheckedRequest",
    "NotJson",
    "TaskCall",
    "Work",
    "cancelled_by_leaving",
    "fields_in_query",
    "fields_of",
    "json_response",
    "labels_of",
    "read_fields",
    "route_of",
    "saved_body",
    "service_of",
    "task_call",
    "task_of",
    "with_tab",
]
