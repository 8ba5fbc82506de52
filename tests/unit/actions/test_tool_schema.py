"""A tool's parameters as a model sees them."""

from __future__ import annotations

import importlib

import pytest

from tabwarden.actions import ACTIONS

tool_schema = importlib.import_module("tabwarden.actions.tool_schema")


def test_action_accepts_a_parameter_that_the_schema_hides_from_models(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(tool_schema._WITH_GROUP, ("browser_snapshot", "more"), "logs")
    action = ACTIONS["browser_snapshot"]

    def seen(*groups: str) -> set[str]:
        return set(tool_schema.tool_schema(action, groups)["properties"])

    assert seen("core", "logs") == seen("core") | {"more"} != seen("core")
    assert action.check({"more": "m1"}).arguments == {"more": "m1"}
