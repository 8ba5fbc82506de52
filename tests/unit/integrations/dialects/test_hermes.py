"""The ``hermes`` dialect without a browser: tools, fields, availability and timeouts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tabwarden.actions import ACTIONS
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig
from tabwarden.integrations.hermes.dialect.tools import TOOLS
from tabwarden.toolsets import toolset_of

HERMES = toolset_of("hermes")

# NousResearch/hermes-agent: BROWSER_TOOL_SCHEMAS of tools/browser_tool.py, and the schemas of
# tools/browser_dialog_tool.py and tools/browser_cdp_tool.py.
TOOLS_OF_HERMES: dict[str, dict[str, dict[str, Any]]] = {
    "browser_navigate": {"url": {"type": "string"}},
    "browser_snapshot": {
        "full": {"type": "boolean", "default": False},
        "user_task": {"type": "string", "default": None},
    },
    "browser_click": {"ref": {"type": "string"}},
    "browser_type": {"ref": {"type": "string"}, "text": {"type": "string"}},
    "browser_scroll": {"direction": {"type": "string", "enum": ["up", "down"]}},
    "browser_back": {},
    "browser_press": {"key": {"type": "string"}},
    "browser_console": {
        "clear": {"type": "boolean", "default": False},
        "expression": {"type": "string", "default": None},
    },
    "browser_get_images": {},
    "browser_vision": {
        "question": {"type": "string"},
        "annotate": {"type": "boolean", "default": False},
    },
    # /browser connect and /browser disconnect
    "browser_connect": {"url": {"type": "string", "default": None}},
    "browser_disconnect": {},
    "browser_dialog": {
        "action": {"type": "string", "enum": ["accept", "dismiss"]},
        "prompt_text": {"type": "string", "default": None},
        "dialog_id": {"type": "string", "default": None},
    },
    "browser_cdp": {
        "method": {"type": "string"},
        "params": {"type": "object", "default": None},
        "target_id": {"type": "string", "default": None},
        "frame_id": {"type": "string", "default": None},
        "timeout": {"type": "number", "default": 30},
    },
}
CALLS: dict[str, dict[str, Any]] = {
    "browser_navigate": {"url": "https://example.com"},
    "browser_snapshot": {"full": True, "more": "m3"},
    "browser_click": {"ref": "@e5"},
    "browser_type": {"ref": "e5", "text": "a"},
    "browser_scroll": {"direction": "up"},
    "browser_back": {},
    "browser_press": {"key": "Enter"},
    "browser_console": {"clear": True},
    "browser_get_images": {},
    "browser_vision": {"question": "What is there?", "annotate": True},
    "browser_connect": {},
    "browser_disconnect": {},
    "browser_dialog": {"action": "accept", "dialog_id": "d-1"},
    "browser_cdp": {"method": "Page.enable", "params": {}, "frame_id": "F", "timeout": 5},
}


def schemas(config: BrowserConfig) -> dict[str, dict[str, Any]]:
    return {tool.name: tool.input_schema for tool in HERMES.tools(config, session_of(config))}


def test_hermes_sessions_open_a_browser_automatically() -> None:
    assert HERMES.auto_open is True


def test_hermes_dialect_has_the_same_tools_as_hermes() -> None:
    assert list(schemas(BrowserConfig())) == list(TOOLS_OF_HERMES)


@pytest.mark.parametrize(("tool", "fields"), TOOLS_OF_HERMES.items())
def test_hermes_dialect_has_every_field_of_the_hermes_tools(
    tool: str, fields: dict[str, dict[str, Any]]
) -> None:
    schema = schemas(BrowserConfig())[tool]
    for field, expected in fields.items():
        given = schema["properties"][field]
        plain = {**given, **next((one for one in given.get("anyOf", ())), {})}
        shown = {key: plain.get(key) for key in expected}  # a default of null is omitted
        assert shown == expected
        assert plain["description"]
    required = [field for field, expected in fields.items() if "default" not in expected]
    assert schema.get("required", []) == required
    assert list(schema["properties"])[-1] == "timeout_ms"


@pytest.mark.parametrize("name", TOOLS)
def test_every_hermes_tool_maps_to_a_registry_action_and_valid_arguments(name: str) -> None:
    tool = TOOLS[name]
    step = tool.plan(tool.form.check(CALLS[name]).arguments, session_of(BrowserConfig()))
    ACTIONS[step.tool].check(step.arguments)
    assert ACTIONS.keys() >= set(tool.needs)


@pytest.mark.parametrize(
    ("config", "lacks"),
    [
        (BrowserConfig(), set()),
        (BrowserConfig(cdp_enabled=False), {"browser_cdp"}),
        (BrowserConfig(evaluate_enabled=False), {"browser_get_images"}),
        (BrowserConfig(enabled=False), set(TOOLS)),
    ],
)
def test_hermes_dialect_hides_tools_that_the_configuration_disables(
    config: BrowserConfig, lacks: set[str]
) -> None:
    assert TOOLS.keys() - schemas(config).keys() == lacks


def test_console_tool_has_no_expression_field_when_scripts_are_disabled() -> None:
    shown = schemas(BrowserConfig(evaluate_enabled=False))["browser_console"]["properties"]
    assert set(shown) == {"clear", "tab_id", "timeout_ms"}


@pytest.mark.parametrize(
    ("tool", "arguments", "timeout_ms"),
    [
        ("browser_cdp", {"method": "Page.enable"}, 20_000),
        ("browser_cdp", {"method": "Page.enable", "timeout": 2.5}, 2_500),
        ("browser_cdp", {"method": "Page.enable", "timeout": 0.01}, 1_000),
        ("browser_cdp", {"method": "Page.enable", "timeout": 9_999}, 300_000),
        ("browser_cdp", {"method": "Page.enable", "timeout": 9, "timeout_ms": 70}, 70),
        ("browser_navigate", {"url": "a"}, 9_000),
        ("browser_console", {}, 20_000),
        ("browser_console", {"expression": "1"}, 4_000),
        ("browser_click", {}, 20_000),
        ("browser_vision", {}, 20_000),
    ],
)
def test_each_hermes_call_gets_the_configured_timeout(
    tool: str, arguments: dict[str, Any], timeout_ms: float
) -> None:
    config = BrowserConfig(
        default_timeout_ms=20_000, timeouts_ms={"evaluate": 4_000, "navigate": 9_000}
    )
    assert HERMES.prepare(config, tool, arguments).budget.timeout_ms == timeout_ms


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("browser_clik", {}, "Did you mean browser_click?"),
        ("click", {}, "Did you mean browser_click?"),
        ("browser_upload", {"filenames": []}, "There is no tool 'browser_upload'. Tools: "),
        ("browser_click", {"elephant": "@e1"}, "There is no parameter 'elephant'"),
        ("browser_click", {"reff": "@e1"}, "Did you mean ref?"),
        ("browser_type", {"ref": "e1"}, "'text' is missing"),
        ("browser_snapshot", {"full": "maybe"}, "full must be a valid boolean"),
    ],
)
async def test_invalid_hermes_call_returns_a_json_error(
    tool: str, arguments: dict[str, Any], words: str
) -> None:
    config = BrowserConfig()
    answer = await HERMES.prepare(config, tool, arguments).run(session_of(config))
    assert answer.is_error
    assert json.loads(answer.text) == answer.data
    assert answer.data["success"] is False
    assert words in answer.data["error"]
    assert answer.data["data"]["field"]
