"""The fields of requests and answers: their checks, descriptions and names.

A ``Shape`` derives a request's fields from an action's parameters. ``KINDS`` has the shapes of
``POST /act``. ``SCHEMAS`` describes the answers.
"""

from tabwarden.surfaces.http.schema.kinds import (
    BATCH,
    KINDS,
    SCRIPT_FIELDS,
    kinds_without,
    runs_script,
    tools_off,
)
from tabwarden.surfaces.http.schema.names import camel, camel_keys
from tabwarden.surfaces.http.schema.responses import SCHEMAS, answer_schema
from tabwarden.surfaces.http.schema.shape import Fields, Shape, TargetId, TimeoutMs, form, shape

__all__ = [
    "BATCH",
    "KINDS",
    "SCHEMAS",
    "SCRIPT_FIELDS",
    "Fields",
    "Shape",
    "TargetId",
    "TimeoutMs",
    "answer_schema",
    "camel",
    "camel_keys",
    "form",
    "kinds_without",
    "runs_script",
    "shape",
    "tools_off",
]
