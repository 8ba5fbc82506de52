"""The API's own description (OpenAPI 3.1), made from the tables that check and serve requests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import DEFAULT_TASK, TASK_NAME
from tabwarden.surfaces.http.act import BATCH_FORM
from tabwarden.surfaces.http.answers import json_response
from tabwarden.surfaces.http.bodies import fields_of
from tabwarden.surfaces.http.calls import service_of
from tabwarden.surfaces.http.checkup import CHECKUP
from tabwarden.surfaces.http.kinds import BATCH, KINDS, SCRIPT_FIELDS, kinds_without, tools_off
from tabwarden.surfaces.http.routes import SERVED
from tabwarden.surfaces.http.schemas import SCHEMAS, answer_schema
from tabwarden.surfaces.http.shapes import form
from tabwarden.surfaces.http.status import PLAIN

__all__ = ["ACT_WORDS", "Described", "described", "description", "openapi"]

ACT_WORDS = "Do something on a page: one action by its kind, or a batch of them."
_SCRIPTS = "browser_evaluate"
_OPENAPI = form("GET /openapi.json")
_TASKS = [
    {
        "name": name,
        "in": "query",
        "description": words,
        "schema": {"type": "string", "pattern": f"^{TASK_NAME}$", "default": DEFAULT_TASK},
    }
    for name, words in (
        ("task", "Whose browser: each task has its own."),
        ("profile", "The same as task, by the name that other such APIs give it."),
    )
]
_LAST_SEEN = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last event that the client has.",
    "schema": {"type": "string"},
}
_REFUSED = {
    "401": "The request does not show the token.",
    "403": "Denied, or switched off by the configuration.",
    "429": "As many browsers are open, or streams followed, as may be.",
    "503": "As many requests are being served as may be (Retry-After), or the call was cancelled.",
}
"""What any route may answer, beside what its action leads to."""


class Described(NamedTuple):
    """A route in words and schemas."""

    name: str
    """Method and path."""
    words: str
    fields: Mapping[str, Any]
    """JSON Schema of what it takes."""
    gives: Mapping[str, Any]
    """JSON Schema of what it answers."""
    media_types: tuple[str, ...] = ("application/json",)
    """Of a good answer, the first as described."""
    in_query: tuple[str, ...] = ()


async def openapi(request: Request) -> Response:
    """The description."""
    _OPENAPI.check(await fields_of(request))
    return json_response(description(tools_off(service_of(request).config)))


def described(off: Collection[str] = ()) -> Iterator[Described]:
    """Every route, in the order of the tables.

    Args:
        off: tools that are switched off: what they serve is left out.
    """
    for plain in (*PLAIN, CHECKUP):
        gives = answer_schema(plain.gives, outcome=False)
        yield Described(
            plain.form.tool, plain.words, plain.form.schema(), gives, (plain.media_type,)
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
"""What some answer with instead, to those who ask for it by Accept."""


@cache
def description(off: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The whole document: see ``described``."""
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
                    "description": "In the file that the server names when it starts.",
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
            "description": words.get(name, "Several actions, one after the other, on one tab."),
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
    good: dict[str, Any] = {first: {"schema": route.gives}} if first != "text/plain" else {}
    if first in ("text/plain", "text/event-stream"):
        good = {first: {"schema": {"type": "string"}}}
    good |= {other: {} for other in others}
    operation: dict[str, Any] = {
        "operationId": _operation_id(method, path),
        "summary": re.split(r"[.:;,] | \(", route.words, maxsplit=1)[0].rstrip("."),
        "description": route.words,
        "parameters": parameters,
        "responses": {
            "200": {"description": "Done.", "content": good},
            **{
                status: {"description": words, "content": _ERROR}
                for status, words in _REFUSED.items()
            },
            "default": {"description": "Not done: why, and what to do next.", "content": _ERROR},
        },
    }
    if method == "POST":
        operation["requestBody"] = {
            "required": bool(body.get("required") or "oneOf" in body),
            "content": {"application/json": {"schema": body}},
        }
    return operation


_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}


def _operation_id(method: str, path: str) -> str:
    words = [word for word in re.split(r"[^A-Za-z]+", path) if word]
    if not words:
        return f"{method.lower()}Status"
    return method.lower() + "".join(word[0].upper() + word[1:] for word in words)
