"""The API's OpenAPI description: valid and complete."""

from __future__ import annotations

import re
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tabwarden.actions import ACTIONS
from tabwarden.control_api import KINDS
from tabwarden.surfaces.http.openapi import description
from tabwarden.surfaces.http.routes import SERVED

OPERATIONS = [
    (f"{method.upper()} {path}", operation)
    for path, here in description()["paths"].items()
    for method, operation in here.items()
]


def test_openapi_description_is_valid() -> None:
    OpenAPIV31SpecValidator(description()).validate()


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[name for name, _ in OPERATIONS])
def test_openapi_description_documents_every_route(name: str, operation: dict[str, Any]) -> None:
    assert operation["description"].strip()
    assert len(operation["summary"]) < 140
    assert {"200", "401", "default"} <= set(operation["responses"])
    error = operation["responses"]["default"]["content"]["application/json"]["schema"]
    assert error == {"$ref": "#/components/schemas/Error"}
    assert operation["responses"]["200"]["content"]
    for parameter in operation["parameters"]:
        assert parameter["description"], parameter
    assert {"task", "profile"} <= {parameter["name"] for parameter in operation["parameters"]}
    in_path = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
    assert in_path == set(re.findall(r"{(\w+)}", name))


def test_openapi_operation_ids_are_unique() -> None:
    names = [operation["operationId"] for _, operation in OPERATIONS]
    assert len(names) == len(set(names))


def test_every_openapi_operation_requires_the_token() -> None:
    about = description()
    assert about["security"] == [{"token": []}]
    assert about["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert not any("security" in operation for _, operation in OPERATIONS)


def test_http_api_serves_every_action() -> None:
    served = {one.shape.action.tool for one in SERVED} | {k.action.tool for k in KINDS.values()}
    # POST /stop closes more than browser_close: the task's calls too.
    assert set(ACTIONS) - served == {"browser_close", "browser_batch"}  # the kind batch
