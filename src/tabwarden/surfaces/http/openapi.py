"""The API's OpenAPI 3.1 description, generated from the tables that check and serve requests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import DEFAULT_TASK, FULL_NAME
from tabwarden.control_api import BATCH, KINDS, SCRIPT_FIELDS, form, kinds_without, tools_off
from tabwarden.surfaces.http.pipeline import fields_of, json_response, service_of
from tabwarden.surfaces.http.routes import SERVED, STATUS_ROUTES
from tabwarden.surfaces.http.routes.act import BATCH_FORM
from tabwarden.surfaces.http.schema import SCHEMAS, answer_schema

ACT_WORDS = "Perform one action (its `kind` and fields), or a batch of actions, on a page."
_SCRIPTS = "browser_evaluate"
_OPENAPI = form("GET /openapi.json")
_TASKS = [
    {
        "name": name,
        "in": "query",
        "description": words,
        "schema": {"type": "string", "pattern": f"^{FULL_NAME}$", "default": DEFAULT_TASK},
    }
    for name, words in (
        ("task", "The task. Each task has its own browser."),
        ("profile", "An alias of `task`, for compatibility with similar APIs."),
    )
]
_LAST_SEEN = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last event that the client has received.",
    "schema": {"type": "string"},
}
_REFUSED = {
    "401": "The request's token is missing or invalid.",
    "403": "The token lacks a permission, or the configuration disables the call.",
    "429": "Too many browsers or event streams are open.",
    "503": "Too many concurrent requests (see Retry-After), or the call was canceled.",
}
"""Errors that any route may return, in addition to its action's errors."""


class Described(NamedTuple):
    """The description of a route."""

    name: str
    """The method and path."""
    words: str
    fields: Mapping[str, Any]
    """JSON Schema of the request."""
    gives: Mapping[str, Any]
    """JSON Schema of the response."""
    media_types: tuple[str, ...] = ("application/json",)
    """The response's media types. ``gives`` describes the first type."""
    in_query: tuple[str, ...] = ()
    takes_file: bool = False


async def openapi(request: Request) -> Response:
    """Serve ``GET /openapi.json``."""
    _OPENAPI.check(await fields_of(request))
    return json_response(description(tools_off(service_of(request).config)))


def described(off: Collection[str] = ()) -> Iterator[Described]:
    """Yield every route, in the order of the tables, except the routes of the tools in ``off``."""
    for plain in STATUS_ROUTES:
        gives = answer_schema(plain.gives, outcome=False)
        words = plain.words
        if plain.needs == "operator":
            words += " Only for the operator, who uses the server's own token."
        yield Described(
            plain.form.tool,
            words,
            plain.form.schema(),
            gives,
            (plain.media_type,),
            takes_file=plain.takes_file,
        )
    yield Described(_OPENAPI.tool, "This description.", _OPENAPI.schema(), {"type": "object"})
    for served in SERVED:
        if served.shape.action.tool in off:
            continue
        yield Described(
            served.shape.name,
            served.about,
            served.shape.schema(),
            answer_schema(served.gives),
            ("application/json", *_ALSO.get(served.shape.name, ())),
            tuple(served.in_query),
        )
    yield Described(
        "POST /act", ACT_WORDS, {"oneOf": [*_kinds(off)]}, {"$ref": "#/components/schemas/Act"}
    )


_ALSO = {
    "POST /screenshot": ("image/png", "image/jpeg", "image/webp"),
    "POST /pdf": ("application/pdf",),
}
"""Alternative media types, for clients that request them in the ``Accept`` header."""


@cache
def description(off: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the complete document, without the routes of the tools in ``off``."""
    paths: dict[str, Any] = {}
    for route in described(off):
        method, _, path = route.name.partition(" ")
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabwarden",
            "version": version("tabwarden"),
            "description": "The HTTP control API of tabwarden serve.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The server prints the token's location at startup.",
                }
            },
        },
    }


def _kinds(off: Collection[str]) -> Iterator[dict[str, Any]]:
    schemas = {name: kind.schema() for name, kind in KINDS.items()}
    words = {name: kind.about for name, kind in KINDS.items()}
    schemas[BATCH] = BATCH_FORM.schema()
    if _SCRIPTS in off:
        for name, field in SCRIPT_FIELDS.items():
            del schemas[name]["properties"][field]
    for name in kinds_without(off):
        schema = schemas[name]
        yield {
            **schema,
            "title": name,
            "description": words.get(name, "Several actions in sequence on one tab."),
            "properties": {"kind": {"const": name}, **schema["properties"]},
            "required": ["kind", *schema.get("required", ())],
        }


def _operation(method: str, path: str, route: Described) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [*_TASKS]
    if route.name == "GET /events":
        parameters.append(_LAST_SEEN)
    in_path = set(re.findall(r"{(\w+)}", path))
    fields, required = route.fields.get("properties", {}), route.fields.get("required", ())
    body = {**route.fields}
    for name, field in fields.items():
        if method == "POST" and name not in in_path and name not in route.in_query:
            continue
        where = "path" if name in in_path else "query"
        parameters.append(
            {
                "name": name,
                "in": where,
                "required": where == "path" or (method != "POST" and name in required),
                "description": field.get("description", ""),
                "schema": {k: v for k, v in field.items() if k != "description"},
            }
        )
    if in_path and method == "POST":
        body["properties"] = {k: v for k, v in fields.items() if k not in in_path}
        body["required"] = [name for name in required if name not in in_path]
    first, *others = route.media_types
    good: dict[str, Any] = {first: {"schema": route.gives}}
    if first in ("text/plain", "text/event-stream"):
        good = {first: {"schema": {"type": "string"}}}
    if first == "application/octet-stream":
        good = {first: {}}
    good |= {other: {} for other in others}
    operation: dict[str, Any] = {
        "operationId": _operation_id(method, path),
        "summary": re.split(r"[.:;,] | \(", route.words, maxsplit=1)[0].rstrip("."),
        "description": route.words,
        "parameters": parameters,
        "responses": {
            "200": {"description": "Performed.", "content": good},
            **{
                status: {"description": words, "content": _ERROR}
                for status, words in _REFUSED.items()
            },
            "default": {
                "description": "The request failed. The body gives the reason and the next step.",
                "content": _ERROR,
            },
        },
    }
    if method == "POST":
        operation["requestBody"] = {
            "required": bool(body.get("required") or "oneOf" in body),
            "content": {"application/json": {"schema": body}},
        }
    if route.takes_file:
        operation["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    return operation


_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}


def _operation_id(method: str, path: str) -> str:
    words = [word for word in re.split(r"[^A-Za-z]+", path) if word]
    if not words:
        return f"{method.lower()}Status"
    return method.lower() + "".join(word[0].upper() + word[1:] for word in words)
