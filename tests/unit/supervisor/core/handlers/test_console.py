"""The state machine's console log."""

from __future__ import annotations

from typing import Any

import pytest
from support.machine_kit import HOME, Play

from tabwarden.supervisor.core.state.state import CONSOLE_RING, ERRORS_RING


def previewed(
    description: str, subtype: str | None = None, *, overflow: bool = False, **properties: str
) -> dict[str, Any]:
    """An object with the preview that the browser adds."""
    shown = [{"name": name, "type": "x", "value": value} for name, value in properties.items()]
    kind = {"type": "object"} | ({"subtype": subtype} if subtype else {})
    preview = {**kind, "overflow": overflow, "properties": shown}
    return {**kind, "description": description, "preview": preview}


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        ("log", "info"),
        ("table", "info"),
        ("assert", "error"),
        ("error", "error"),
        ("warning", "warning"),
        ("debug", "debug"),
    ],
)
def test_each_console_method_maps_to_a_level(kind: str, level: str, one_tab: Play) -> None:
    one_tab.console(kind, {"type": "string", "value": "said"}, {"type": "number", "value": 7})
    (message,) = one_tab.state.console
    assert (message.level, message.text, message.tab_id) == (level, "said 7", "t1")
    assert (message.url, message.line, message.source) == (f"{HOME}app.js", 7, "console")
    assert (message in one_tab.state.console_errors) == (level == "error")


@pytest.mark.parametrize("kind", ["clear", "endGroup", "startGroup", "profile"])
def test_console_drops_calls_without_text(kind: str, one_tab: Play) -> None:
    one_tab.console(kind)
    assert not one_tab.state.console


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ({"type": "object", "description": "Array(2)"}, "Array(2)"),
        ({"type": "number", "unserializableValue": "NaN"}, "NaN"),
        ({"type": "undefined"}, "undefined"),
        ({"type": "object", "subtype": "null"}, "null"),
        (previewed("Object", a="1", b="Object"), "{a: 1, b: Object}"),
        (previewed("Array(2)", "array", overflow=True, x="1"), "[1, …]"),
        (previewed("Map(1)", "map"), "Map(1)"),
        (previewed("Window", x="1"), "Window"),
    ],
)
def test_console_describes_non_json_values_like_the_browser(
    argument: dict[str, Any], text: str, one_tab: Play
) -> None:
    one_tab.console("log", argument)
    assert one_tab.state.console[0].text == text


def test_uncaught_exception_becomes_a_console_error(one_tab: Play) -> None:
    one_tab.thrown("Error: no\n    at app.js:12")
    (message,) = one_tab.state.console_errors
    assert (message.level, message.source, message.line) == ("error", "exception", 12)
    assert message.text.startswith("Error: no")


def test_console_keeps_the_last_messages_and_shortens_long_ones(one_tab: Play) -> None:
    for n in range(CONSOLE_RING + 5):
        one_tab.console("error", {"type": "string", "value": f"{n} " + "x" * 9_000})
    rings = ((one_tab.state.console, CONSOLE_RING), (one_tab.state.console_errors, ERRORS_RING))
    for ring, length in rings:
        assert len(ring) == length
        assert ring[-1].number == CONSOLE_RING + 5
        assert {len(one.text) for one in ring} == {2_000}


def test_console_counts_the_messages_of_each_open_tab(one_tab: Play) -> None:
    one_tab.open_page("T2", "S2")
    for _ in range(CONSOLE_RING + 1):
        one_tab.console("log")
    one_tab.console("log", on="S2")
    assert one_tab.state.console_counts == {"t1": CONSOLE_RING + 1, "t2": 1}
    one_tab.destroy("T1")
    assert one_tab.state.console_counts == {"t2": 1}


def test_console_ignores_unknown_sessions(one_tab: Play) -> None:
    one_tab.console("error", on="S9")
    one_tab.thrown(on="S9")
    assert not one_tab.state.console
