"""The ``operator`` dialect without a browser: fields, availability and defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabwarden.actions import ACTIONS
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.integrations.operator_use.dialect.defaults import way
from tabwarden.integrations.operator_use.dialect.fields import heard
from tabwarden.integrations.operator_use.dialect.toolset import _checked
from tabwarden.integrations.operator_use.dialect.verbs import VERBS, CallContext
from tabwarden.toolsets import toolset_of

OPERATOR = toolset_of("operator")
CONFIG = BrowserConfig()

# CursorTouch/Operator-Use: docs/browser.md, "Tool actions"; in its order.
ACTIONS_OF_OPERATOR_USE = [
    "open", "close", "goto", "back", "forward", "click", "type", "key", "scroll", "menu",
    "upload", "tab", "wait", "script", "scrape", "download",
]  # fmt: skip
# BrowserSchema in its operator_use/builtins/tools/browser.py: default, and what is allowed.
FIELDS_OF_OPERATOR_USE: dict[str, dict[str, Any]] = {
    "url": {"type": "string", "default": None},
    "x": {"type": "number", "default": None},
    "y": {"type": "number", "default": None},
    "text": {"type": "string"},
    "clear": {"type": "boolean", "default": False},
    "press_enter": {"type": "boolean", "default": False},
    "direction": {"type": "string", "default": "down", "enum": ["up", "down"]},
    "amount": {"type": "integer", "default": 500, "minimum": 1},
    "times": {"type": "integer", "default": 1, "minimum": 1, "maximum": 50},
    "tab_mode": {"type": "string", "default": "open", "enum": ["open", "close", "switch"]},
    "tab_index": {"type": "integer", "default": None},
    "time": {"type": "number", "default": None, "minimum": 0},
    "script": {"type": "string"},
    "prompt": {"type": "string", "default": None},  # of the released package, 0.2.9
    "filenames": {"type": "array", "default": None},
    "labels": {"type": "array", "default": None},
    "filename": {"type": "string", "default": None},
    "browser": {"type": "string", "default": None, "enum": ["chrome", "edge"]},
    "headless": {"type": "boolean", "default": False},
    "attach_to_existing": {"type": "boolean", "default": False},
    "cdp_port": {"type": "integer", "default": 9222, "minimum": 1, "maximum": 65_535},
}
CALLS: dict[str, dict[str, Any]] = {
    "open": {"browser": "edge", "headless": True},
    "close": {},
    "goto": {"url": "https://example.com"},
    "back": {},
    "forward": {},
    "click": {"x": 1.0, "y": 2.0},
    "type": {"x": 1.0, "y": 2.0, "text": "a", "clear": True, "press_enter": True},
    "key": {"text": "Control+A", "times": 2},
    "scroll": {"x": 1.0, "y": 2.0, "direction": "up", "amount": 3},
    "menu": {"x": 1.0, "y": 2.0, "labels": ["a"]},
    "upload": {"x": 1.0, "y": 2.0, "filenames": ["a"]},
    "tab": {"tab_mode": "switch", "tab_index": 1},
    "wait": {"time": 1.5},
    "script": {"script": "null"},
    "scrape": {"format": "text"},
    "download": {"url": "https://example.com/a", "filename": "a"},
    "snapshot": {"ref": "e1", "more": "m3"},
    "screenshot": {"ref": "e1", "full_page": True},
    "dialog": {"accept": False, "text": "a"},
}


def schema_of(config: BrowserConfig) -> dict[str, Any]:
    tool, control_center = OPERATOR.tools(config, session_of(config))
    assert (tool.name, control_center.name) == ("browser", "control_center")
    return tool.input_schema


def test_operator_sessions_do_not_open_a_browser_automatically() -> None:
    assert OPERATOR.auto_open is False


def test_operator_dialect_has_all_operator_use_actions_and_two_more() -> None:
    assert schema_of(CONFIG)["properties"]["action"]["enum"] == [
        *ACTIONS_OF_OPERATOR_USE,
        "snapshot",
        "screenshot",
    ]
    assert schema_of(CONFIG)["required"] == ["action"]


@pytest.mark.parametrize(("field", "expected"), FIELDS_OF_OPERATOR_USE.items())
def test_operator_dialect_has_every_field_of_the_operator_use_actions(
    field: str, expected: dict[str, Any]
) -> None:
    given = schema_of(CONFIG)["properties"][field]
    plain = {**given, **next((one for one in given.get("anyOf", ())), {})}
    shown = {key: plain.get(key) for key in expected}  # a default of null is omitted
    assert shown == expected
    assert plain["description"]


@pytest.mark.parametrize("name", VERBS)
def test_every_operator_action_maps_to_a_registry_action_and_valid_arguments(name: str) -> None:
    (given, _), verb = _checked("browser", {"action": name, **CALLS[name]})
    step = verb.plan(given, CallContext(session_of(CONFIG), CONFIG))
    ACTIONS[verb.tool].check(step.arguments)
    parameters = ACTIONS[verb.tool].parameters.model_fields
    assert verb.fields.keys() <= parameters.keys()
    # Each argument arrives, whatever its name there.
    values = {repr(value) for value in step.arguments.values()}
    renamed = {"accept", "text"} if name == "dialog" else set()
    assert {repr(v) for k, v in CALLS[name].items() if k not in renamed} <= values


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({"x": None, "text": "null", "url": "null"}, {"text": "null"}),
        ({"mode": "close"}, {"tab_mode": "close"}),
        ({"loc": [3, 4]}, {"x": 3, "y": 4}),
        ({"loc": "[3, 4]"}, {"x": 3, "y": 4}),
        ({"loc": "e12"}, {"ref": "e12"}),
    ],
)
def test_operator_dialect_normalizes_arguments_in_common_model_formats(
    said: dict[str, Any], meant: dict[str, Any]
) -> None:
    assert heard(said) == meant


@pytest.mark.parametrize("loc", [[1], {"x": 1}, 7])
def test_invalid_loc_error_identifies_the_field(loc: Any) -> None:
    with pytest.raises(InvalidArgument) as error:
        _checked("browser", {"action": "click", "loc": loc})
    assert error.value.data["field"] == "loc"


@pytest.mark.parametrize(
    ("config", "lacks"),
    [
        (BrowserConfig(evaluate_enabled=False), {"script", "dialog"}),
        (BrowserConfig(dialog_policy="must_respond"), set()),
        (BrowserConfig(dialog_policy="auto_dismiss"), {"dialog"}),
    ],
)
def test_operator_dialect_hides_actions_that_the_configuration_disables(
    config: BrowserConfig, lacks: set[str]
) -> None:
    assert VERBS.keys() - set(schema_of(config)["properties"]["action"]["enum"]) == lacks


@pytest.mark.parametrize(
    ("field", "given"), [("times", {"times": 51, "text": "a"}), ("time", {"time": 86_396})]
)
def test_operator_dialect_rejects_a_number_above_the_limit_of_operator_use(
    field: str, given: dict[str, Any]
) -> None:
    action = {"times": "key", "time": "wait"}[field]
    with pytest.raises(InvalidArgument) as refused:
        _checked("browser", {"action": action, **given})
    assert refused.value.data["field"] == field


def test_operator_dialect_has_no_tools_when_the_browser_is_disabled() -> None:
    config = BrowserConfig(enabled=False)
    assert OPERATOR.tools(config, session_of(config)) == []


def test_user_settings_override_the_defaults_of_operator_use(tmp_path: Path) -> None:
    unset = OPERATOR.obeyed(CONFIG)
    assert (unset.dialog_policy, unset.upload_dir) == ("auto_accept", Path.cwd() / "uploads")
    config = BrowserConfig(dialog_policy="must_respond", upload_dir=tmp_path)
    assert OPERATOR.obeyed(config) == config


@pytest.mark.parametrize(
    ("arguments", "timeout_ms"),
    [
        ({"action": "wait", "time": 100}, 105_000),
        ({"action": "wait", "time": 1}, 30_000),
        ({"action": "wait", "time": 3_600}, 3_605_000),
        ({"action": "wait", "time": 100, "timeout_ms": 7}, 7),
        ({"action": "goto", "url": "a", "timeout_ms": "250"}, 250),
        ({"action": "script", "script": "1"}, 4_000),
        ({"action": "goto"}, 30_000),
        ({}, 30_000),
    ],
)
def test_each_operator_call_gets_the_configured_timeout(
    arguments: dict[str, Any], timeout_ms: float
) -> None:
    config = BrowserConfig(timeouts_ms={"evaluate": 4_000})
    assert OPERATOR.prepare(config, "browser", arguments).budget.timeout_ms == timeout_ms


@pytest.mark.parametrize(
    ("given", "config", "display", "arguments"),
    [
        ({}, CONFIG, "", {}),
        ({}, CONFIG, ":0", {"headless": False}),
        ({}, BrowserConfig(headless=True), ":0", {}),
        ({"headless": True}, CONFIG, ":0", {"headless": True}),
        ({"headless": False}, CONFIG, "", {"headless": False}),
        ({"browser": "edge"}, CONFIG, "", {"browser": "edge"}),
        ({"cdp_port": 9333}, CONFIG, "", {}),
        ({"browser": "edge", "headless": True}, BrowserConfig(endpoint="ws://h"), ":0", {}),
        (
            {"browser": "chrome", "headless": True, "attach_to_existing": True},
            CONFIG,
            ":0",
            {"attach_to_existing": True, "cdp_port": 9222},
        ),
    ],
)
def test_operator_open_launches_or_attaches_like_operator_use(
    given: dict[str, Any],
    config: BrowserConfig,
    display: str,
    arguments: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", display)
    assert way(given, config) == (arguments, "")


def test_operator_open_launches_chrome_when_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    chrome = tmp_path / "google-chrome"
    chrome.touch()
    monkeypatch.setenv("TABWARDEN_CHROME", str(chrome))
    assert way({"browser": "chrome"}, CONFIG) == ({"browser": "chrome"}, "")
