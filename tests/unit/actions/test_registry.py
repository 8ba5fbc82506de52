"""The registry: each documented action once, with corrections of small argument errors."""

from __future__ import annotations

import asyncio
import math
from typing import Any, get_args

import pytest

from tabwarden.actions import ACTIONS, available, prepare, session_of
from tabwarden.actions.other_names import _TOOLS
from tabwarden.config import ActionName, BrowserConfig
from tabwarden.errors import InvalidArgument

CONTRACT = {
    "browser_navigate": ("goto", "url wait_until snapshot"),
    "browser_back": ("back", ""),
    "browser_forward": ("forward", ""),
    "browser_reload": ("reload", ""),
    "browser_snapshot": ("snapshot", "full frame_id diff max_chars ref more boxes"),
    "browser_click": ("click", "ref x y button count modifiers"),
    "browser_hover": ("hover", "ref"),
    "browser_type": ("type", "ref x y text clear press_enter"),
    "browser_press": ("key", "key times hold_ms mode"),
    "browser_mouse": (
        "mouse",
        "mode x y to_x to_y path button count hold_ms delta_x delta_y modifiers pixels "
        "picture_width",
    ),
    "browser_touch": (
        "touch",
        "mode ref x y to_x to_y direction distance scale hold_ms pixels picture_width",
    ),
    "browser_drop": ("drop", "ref filenames data x y"),
    "browser_check": ("check", "ref"),
    "browser_uncheck": ("uncheck", "ref"),
    "browser_focus": ("focus", "ref"),
    "browser_inspect": ("inspect", "ref styles"),
    "browser_scroll": ("scroll", "direction amount ref x y"),
    "browser_drag": ("drag", "from_ref to_ref from_x from_y to_x to_y"),
    "browser_select": ("menu", "ref x y labels values"),
    "browser_fill_form": ("fill", "fields keep_going snapshot"),
    "browser_batch": ("batch", "steps stop_on snapshot"),
    "browser_find": ("find", "text role name css xpath frame_id max"),
    "browser_wait": ("wait", "time_s text text_gone selector url load_state"),
    "browser_resize": ("resize", "width height"),
    "browser_highlight": ("highlight", "ref duration_s"),
    "browser_tabs": ("tab", "mode tab_index tab_id url"),
    "browser_evaluate": ("script", "script ref frame_id"),
    "browser_page_tool": ("page-tool", "name arguments frame_id snapshot"),
    "browser_screenshot": (
        "screenshot",
        "ref full_page annotate format clip quality max_pixels max_bytes",
    ),
    "browser_scrape": ("scrape", "format frame_id selector max_chars offset"),
    "browser_download": ("download", "url filename overwrite"),
    "browser_pdf": (
        "pdf",
        "filename paper size_mm landscape scale margin_mm page_ranges background header "
        "footer css_page_size overwrite",
    ),
    "browser_dialog": ("dialog", "action prompt_text dialog_id"),
    "browser_upload": ("upload", "ref x y filenames"),
    "browser_auth": ("auth", "username password cancel auth_id"),
    "browser_choose": ("choose", "choice cancel prompt_id"),
    "browser_permission": ("permission", "name setting origin"),
    "browser_handoff": ("handoff", "reason"),
    "browser_console": ("console", "clear level"),
    "browser_cookies": (
        "cookies",
        "mode url domain name value path expires secure http_only same_site values filename text "
        "tab_id",
    ),
    "browser_storage": ("storage", "mode area key value values frame_id"),
    "browser_storage_state": ("state", "mode filename"),
    "browser_clipboard": ("clipboard", "mode text"),
    "browser_emulate": (
        "emulate",
        "device user_agent locale timezone geolocation offline network cpu headers color_scheme "
        "reduced_motion media reset",
    ),
    "browser_network": ("network", "url type failed since limit request_id max_chars"),
    "browser_init_script": ("init-script", "mode script path script_id"),
    "browser_route": (
        "route",
        "url mode method resource_type abort status body path content_type headers delay_ms times "
        "route_id",
    ),
    "browser_audit": ("audit", "rules tags frame_id max filename overwrite"),
    "browser_memory": ("memory", "duration_s gc filename overwrite"),
    "browser_coverage": ("coverage", "mode duration_s filename overwrite"),
    "browser_performance": (
        "performance",
        "mode duration_s ignore_cache filename overwrite",
    ),
    "browser_cdp": ("cdp", "method params frame_id target_id"),
    "browser_trace": ("trace", "filename"),
    "browser_open": ("open", "url browser headless profile restore attach_to_existing cdp_port"),
    "browser_connect": ("connect", "url context launch"),
    "browser_disconnect": ("disconnect", ""),
    "browser_close": ("close", ""),
}


def test_registry_contains_every_action_of_the_contract() -> None:
    assert set(CONTRACT) <= set(ACTIONS)
    for tool, (command, parameters) in CONTRACT.items():
        action = ACTIONS[tool]
        assert action.command == command
        assert {*parameters.split(), "timeout_ms"} <= set(action.schema()["properties"]), tool
        assert action.description[0].isupper()
        assert not action.schema()["additionalProperties"]


@pytest.mark.parametrize(
    ("tool", "given", "taken"),
    [
        ("browser_click", {"x": "12", "y": "3.5"}, {"x": 12.0, "y": 3.5}),
        (
            "browser_click",
            {"ref": "e1", "x": "null", "y": None},
            {"ref": "e1", "x": None, "y": None},
        ),
        ("browser_click", {"ref": "e1", "modifiers": '["Shift"]'}, {"modifiers": ["Shift"]}),
        ("browser_type", {"text": "12", "clear": "false"}, {"text": "12", "clear": False}),
        ("browser_type", {"text": "null"}, {"text": "null"}),
        ("browser_press", {"key": "a", "times": "3"}, {"times": 3}),
        ("browser_cdp", {"method": "A.b", "params": '{"a": 1}'}, {"params": {"a": 1}}),
        ("browser_select", {"ref": "e1", "labels": '["S"]'}, {"labels": ["S"]}),
        ("browser_select", {"ref": "e1", "labels": "Japan"}, {"labels": ["Japan"]}),
        (
            "browser_fill_form",
            {"fields": '[{"ref": "e1", "value": true}]'},
            {"fields": [{"ref": "e1", "value": True}]},
        ),
        ("browser_evaluate", {"script": "1", "timeout_ms": "3000"}, {"timeout_ms": 3000.0}),
    ],
)
def test_action_corrects_argument_types_and_reports_it(
    tool: str, given: dict[str, Any], taken: dict[str, Any]
) -> None:
    checked = ACTIONS[tool].check(given)
    assert taken.items() <= checked.arguments.items()
    for name, value in taken.items():
        said = any(line.startswith(f"{name}: ") for line in checked.coerced)
        assert said is (isinstance(given[name], str) and not isinstance(value, str))


@pytest.mark.parametrize(
    ("tool", "given", "taken"),
    [
        ("browser_type", {"value": "Ann", "ref": "e1"}, {"text": "Ann", "ref": "e1"}),
        ("browser_select", {"ref": "e1", "value": "Japan"}, {"ref": "e1", "labels": ["Japan"]}),
        ("browser_evaluate", {"expression": "1"}, {"script": "1"}),
        ("browser_press", {"keys": "Enter"}, {"key": "Enter"}),
        ("browser_click", {"target": "e1", "doubleClick": True}, {"ref": "e1", "count": 2}),
        ("browser_click", {"element": "e1"}, {"ref": "e1"}),
        (
            "browser_type",
            {"ref": "e1", "text": "a", "submit": True},
            {"ref": "e1", "text": "a", "press_enter": True},
        ),
        ("browser_dialog", {"accept": False}, {"action": "dismiss"}),
        (
            "browser_dialog",
            {"accept": True, "promptText": "Ann"},
            {"action": "accept", "prompt_text": "Ann"},
        ),
        (
            "browser_drag",
            {"startElement": "A", "startRef": "e1", "endElement": "B", "endTarget": "e2"},
            {"from_ref": "e1", "to_ref": "e2"},
        ),
        ("browser_tabs", {"action": "select", "index": 1}, {"mode": "switch", "tab_index": 1}),
        ("browser_wait", {"textGone": "Loading"}, {"text_gone": "Loading"}),
        ("browser_wait", {"time": 1}, {"time_s": 1.0}),
        (
            "browser_screenshot",
            {"type": "jpeg", "fullPage": True},
            {"format": "jpeg", "full_page": True},
        ),
    ],
)
def test_action_accepts_parameter_names_of_other_products(
    tool: str, given: dict[str, Any], taken: dict[str, Any]
) -> None:
    checked = ACTIONS[tool].check(given)
    assert checked.arguments == taken
    assert any(" was read as " in line for line in checked.coerced)


def test_action_ignores_the_human_readable_element_description_argument() -> None:
    checked = ACTIONS["browser_click"].check({"element": "Buy button", "ref": "e1"})
    assert checked == ({"ref": "e1"}, ())


def test_suggestions_for_other_products_tools_refer_to_existing_actions() -> None:
    for step in _TOOLS.values():
        action = ACTIONS[f"browser_{step.action}"]
        assert step.arguments.keys() <= action.parameters.model_fields.keys()


@pytest.mark.parametrize(
    ("tool", "hint"),
    [
        ("browser_navigate_back", "Use its equivalent: browser_back."),
        ("click", "Use its equivalent: browser_click."),
        ("browser_snapshott", "Did you mean browser_snapshot?"),
        ("browser_tab_new", 'Use its equivalent: browser_tabs(mode="open", url="...").'),
        ("read_file", "Use one of the tools in your list."),
    ],
)
def test_unknown_tool_error_is_short_and_has_a_hint(tool: str, hint: str) -> None:
    call = prepare(BrowserConfig(), tool, {})
    answer = asyncio.run(call.run(session_of(BrowserConfig())))
    assert answer.is_error
    assert answer.text == f"error invalid_argument: There is no tool {tool!r}.\n{hint}"


def test_action_rejects_two_names_for_one_parameter() -> None:
    with pytest.raises(InvalidArgument) as caught:
        ACTIONS["browser_type"].check({"text": "a", "value": "b"})
    assert caught.value.data["field"] == "value"


@pytest.mark.parametrize(
    ("tool", "given", "field", "words"),
    [
        ("browser_click", {"reff": "e1"}, "reff", "Did you mean ref?"),
        ("browser_click", {"selector": "#x"}, "selector", "The parameters are: ref, x, y"),
        ("browser_navigate", {}, "url", "'url' is missing"),
        ("browser_press", {"key": "a", "times": 51}, "times", "50"),
        ("browser_scroll", {"direction": "in"}, "direction", "down"),
        ("browser_resize", {"width": 0, "height": 500}, "width", "1"),
        ("browser_dialog", {"action": "maybe"}, "action", "accept"),
        ("browser_type", {"text": ["a"]}, "text", "string"),
        ("browser_evaluate", {"script": "1", "timeout_ms": "soon"}, "timeout_ms", "soon"),
        ("browser_cdp", {"method": "A.b", "params": "not json"}, "params", "dict"),
        ("browser_click", {"x": True, "y": 1}, "x", "number, not true"),
        ("browser_click", {"ref": "e1", "count": False}, "count", "number, not false"),
        ("browser_click", {"ref": "e1", "timeout_ms": True}, "timeout_ms", "number, not true"),
    ],
)
def test_action_error_identifies_the_field_of_an_invalid_argument(
    tool: str, given: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        ACTIONS[tool].check(given)
    assert caught.value.data["field"] == field
    assert words in str(caught.value)
    assert caught.value.hint


def test_configuration_accepts_a_timeout_for_every_action() -> None:
    assert set(get_args(ActionName)) == {action.name for action in ACTIONS.values()} | {"goto"}


def test_calls_timeout_overrides_the_timeout_of_its_action() -> None:
    config = BrowserConfig(default_timeout_ms=9_000, timeouts_ms={"evaluate": 5_000})
    asked: list[tuple[str, dict[str, Any], float]] = [
        ("browser_evaluate", {"script": "1"}, 5_000),
        ("browser_evaluate", {"script": "1", "timeout_ms": 70}, 70),
        ("browser_evaluate", {"script": "1", "timeout_ms": "70"}, 70),
        ("browser_evaluate", {"script": "1", "timeout_ms": "null"}, 5_000),
        ("browser_snapshot", {}, 9_000),
        # dispatch rejects these with a reason
        ("browser_evaluate", {"timeout_ms": 70}, 5_000),
        ("browser_snapshot", {"timeout_ms": 0}, 9_000),
        ("browser_nope", {}, 9_000),
    ]
    for tool, arguments, timeout_ms in asked:
        assert prepare(config, tool, arguments).budget.timeout_ms == timeout_ms, (tool, arguments)


@pytest.mark.parametrize("wrong", [0, -1, math.nan, math.inf, 86_400_001, True, "soon", "0", [1]])
def test_action_rejects_an_invalid_timeout(wrong: Any) -> None:
    for tool, arguments in (("browser_evaluate", {"script": "1"}), ("browser_close", {})):
        with pytest.raises(InvalidArgument) as caught:
            ACTIONS[tool].check({**arguments, "timeout_ms": wrong})
        assert caught.value.data["field"] == "timeout_ms"


def test_every_action_has_the_same_timeout_parameter() -> None:
    first, *others = [action.schema()["properties"]["timeout_ms"] for action in ACTIONS.values()]
    assert all(other == first for other in others)


def test_configuration_hides_the_actions_that_it_disables() -> None:
    def shown(**switches: bool) -> set[str]:
        return {action.tool for action in available(BrowserConfig(**switches))}

    assert shown() == set(ACTIONS)
    assert set(ACTIONS) - shown(evaluate_enabled=False) == {
        "browser_evaluate",
        "browser_init_script",
    }
    assert set(ACTIONS) - shown(cdp_enabled=False) == {"browser_cdp"}
    assert set(ACTIONS) - shown(page_tools=False) == {"browser_page_tool"}
    assert shown(enabled=False) == set()
