"""The API's own description (OpenAPI 3.1), made from the shapes that check its requests."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import DEFAULT_TASK, TASK_NAME
from tabwarden.surfaces.http.act import BATCH_FORM
from tabwarden.surfaces.http.answers import json_response
from tabwarden.surfaces.http.kinds import BATCH, KINDS
from tabwarden.surfaces.http.routes import SERVED
from tabwarden.surfaces.http.status import STATUS_FORMS

__all__ = ["description", "openapi"]

_TASK = {
    "name": "task",
    "in": "query",
    "description": "Whose browser: each task has its own.",
    "schema": {"type": "string", "pattern": f"^{TASK_NAME}$", "default": DEFAULT_TASK},
}
_ERROR = {
    "type": "object",
    "required": ["ok", "error", "code", "tabwarden"],
    "properties": {
        "ok": {"const": False},
        "error": {"type": "string", "description": "What happened and what to do next."},
        "code": {"type": "string", "description": "ACT_... on /act, else tabwarden.code."},
        "tabwarden": {
            "type": "object",
            "required": ["code", "message", "hint", "data"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": "string"},
                "data": {"type": "object"},
            },
        },
    },
}


async def openapi(request: Request) -> Response:
    """The description."""
    _ = request
    return json_response(description())


@cache
def description() -> dict[str, Any]:
    """The whole document."""
    schemas = {served.shape.name: served.shape.schema() for served in SERVED}
    words = {served.shape.name: served.shape.action.description for served in SERVED}
    schemas |= {name: form.schema() for name, form in STATUS_FORMS.items()}
    schemas["POST /act"] = {"oneOf": [*_kinds()]}
    paths: dict[str, Any] = {}
    for name, schema in schemas.items():
        method, _, path = name.partition(" ")
        about = words.get(name, "")
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, schema, about)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tabwarden", "version": version("tabwarden")},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {"Error": _ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _kinds() -> list[dict[str, Any]]:
    schemas = {name: kind.schema() for name, kind in KINDS.items()}
    schemas[BATCH] = BATCH_FORM.schema()
    return [
        {
            **schema,
            "properties": {"kind": {"const": name}, **schema["properties"]},
            "required": ["kind", *schema.get("required", ())],
        }
        for name, schema in schemas.items()
    ]


def _operation(method: str, path: str, schema: dict[str, Any], about: str) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "parameters": [_TASK],
        "responses": {
            "200": {"description": "Done."},
            "default": {
                "description": "Not done.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }
    if about:
        operation["description"] = about
    if method == "POST":
        operation["requestBody"] = {"content": {"application/json": {"schema": schema}}}
        return operation
    for name, field in schema["properties"].items():
        in_path = f"{{{name}}}" in path
        operation["parameters"].append(
            {
                "name": name,
                "in": "path" if in_path else "query",
                "required": in_path or name in schema.get("required", ()),
                "description": field.get("description", ""),
                "schema": field,
            }
        )
    return operation
