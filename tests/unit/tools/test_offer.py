"""The ``Tools`` session's reaction to a changed configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabwarden.config import BrowserConfig, load_config
from tabwarden.live_config import LiveConfig
from tabwarden.tools.sync import Tools


def test_changed_configuration_keeps_the_dialects_defaults(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text("{}")
    config = LiveConfig(lambda: load_config(file), file)
    with Tools(config, toolset="operator") as tools:
        file.write_text(json.dumps({"browser": {"hang_patience": 3}}))
        assert tools.definitions("openai")
        now = tools._session.obeyed
        assert now is not None
        assert (now.hang_patience, now.dialog_policy) == (3, "auto_accept")


@pytest.mark.parametrize("own", ["look_up", "click", "calculator.browser_sum"])
def test_tools_do_not_handle_calls_to_other_tools_of_the_program(own: str) -> None:
    calls = [
        {"id": f"call-{name}", "type": "function", "function": {"name": name, "arguments": "{}"}}
        for name in ("browser_tabs", own, "browser_clik")
    ]
    reply = {"role": "assistant", "content": None, "tool_calls": calls}
    with Tools(BrowserConfig(), auto_open=False) as tools:
        results = tools.answer("openai", reply)
        assert [one["tool_call_id"] for one in results] == [
            "call-browser_tabs",
            "call-browser_clik",
        ]
        assert [call.name for call in tools.calls("openai", reply)] == [
            "browser_tabs",
            own,
            "browser_clik",
        ]
        assert tools.answer("openai", {**reply, "tool_calls": calls[1:2]}) == []


def test_tools_leave_calls_of_a_vendors_toolset_to_its_driver() -> None:
    reply = {"role": "assistant", "content": [
        {"type": "tool_use", "id": "1", "name": "navigate", "input": {}, "toolset_name": "browser"},
        {"type": "tool_use", "id": "2", "name": "get_weather", "input": {}, "toolset_name": None},
        {"type": "tool_use", "id": "3", "name": "browser_tabs", "input": {}},
    ]}  # fmt: skip
    for toolset in ("core", "claude-browser"):
        with Tools(BrowserConfig(), toolset=toolset, auto_open=False) as tools:
            (message,) = tools.answer("anthropic", reply)
            assert [one["tool_use_id"] for one in message["content"]] == ["3"]
            names = [call.name for call in tools.calls("anthropic", reply)]
            assert names == ["get_weather", "browser_tabs"]


def test_program_names_its_own_tools_whose_names_look_like_ours() -> None:
    items = [
        {"type": "function_call", "call_id": name, "name": name, "arguments": "{}"}
        for name in ("browser_navigate", "browser_read_page", "browser_tabs")
    ]
    with Tools(BrowserConfig(), auto_open=False) as tools:
        results = tools.answer(
            "openai-responses", items, others=["browser_navigate", "browser_read_page"]
        )
        assert [one["call_id"] for one in results] == ["browser_tabs"]
