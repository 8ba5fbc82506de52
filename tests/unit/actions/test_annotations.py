"""Each action's declared side effects and output."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from tabwarden.actions import ACTIONS, Toolset
from tabwarden.actions.output_schema import output_schema
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig
from tabwarden.toolsets import dialects, toolset_of

READ_ONLY = "snapshot screenshot scrape find inspect network audit memory"
HARMLESS = (
    "wait hover focus scroll resize highlight console auth permission handoff emulate trace "
    "open disconnect"
)
REPEATABLE = (
    "wait hover check uncheck focus resize highlight select fill_form permission clipboard emulate"
)
OUR_OWN = "permission clipboard emulate trace disconnect close"


def named(names: str) -> set[str]:
    return {f"browser_{name}" for name in names.split()}


def test_actions_declare_the_expected_safety_annotations() -> None:
    actions = ACTIONS.values()
    assert {a.tool for a in actions if a.read_only} >= named(READ_ONLY)
    harmless = {a.tool for a in actions if not a.destructive and not a.read_only}
    assert harmless == named(HARMLESS)
    repeatable = {a.tool for a in actions if a.idempotent and not a.read_only}
    assert repeatable == named(REPEATABLE)
    assert {a.tool for a in actions if not a.open_world} == named(OUR_OWN)


def test_read_only_actions_are_idempotent_and_not_destructive() -> None:
    for action in ACTIONS.values():
        if action.read_only:
            assert not action.destructive
            assert action.idempotent


@pytest.mark.parametrize("tool", ACTIONS)
def test_output_schema_is_valid_and_accepts_an_error(tool: str) -> None:
    schema = output_schema(ACTIONS[tool])
    assert schema["type"] == "object", "MCP asks for an object at the top"
    Draft202012Validator.check_schema(schema)
    fits = Draft202012Validator(schema).is_valid
    error = {"code": "not_open", "message": "No browser.", "hint": "Open one.", "data": {}}
    assert fits({"error": error})
    assert not fits({"error": {"code": "not_open"}})
    assert not fits({})


@pytest.mark.parametrize("dialect", [toolset_of(one) for one in dialects()], ids=dialects())
def test_dialect_tools_declare_a_valid_output_schema(dialect: Toolset) -> None:
    config = BrowserConfig()
    for tool in dialect.tools(config, session_of(config)):
        if (
            tool.output_schema is None
        ):  # OpenClaw's own tool declares none, and neither does this one
            assert tool.name in ("browser", "control_center")
            continue
        Draft202012Validator.check_schema(tool.output_schema)
        assert not Draft202012Validator(tool.output_schema).is_valid({"success": "yes"})
