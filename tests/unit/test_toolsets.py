"""The tools that a host's model sees, and the options of `tabwarden mcp`."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from click.testing import CliRunner

from tabwarden.actions import ACTIONS, GROUPS, TOOLSETS, Answer, Session, Toolset, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli import main
from tabwarden.toolsets import dialects, toolset_of


def test_toolset_lookup_finds_a_toolset_by_name() -> None:
    assert toolset_of() is toolset_of("core") is TOOLSETS["core"]
    assert toolset_of("full") is TOOLSETS["full"]


def test_toolset_lookup_finds_a_dialect_by_either_option() -> None:
    assert set(dialects()) == {
        "claude-browser", "hermes", "openai-browser", "openclaw", "operator",
    }  # fmt: skip
    for name in dialects():
        assert toolset_of("core", name) is toolset_of(name)


@pytest.mark.parametrize(
    ("tools", "dialect", "field", "words"),
    [("ful", None, "tools", "Did you mean full?"), ("full", "nobodys", "dialect", "Available: ")],
)
def test_unknown_toolset_error_suggests_available_ones(
    tools: str, dialect: str | None, field: str, words: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        toolset_of(tools, dialect)
    assert caught.value.data["field"] == field
    assert words in caught.value.hint


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--tools", "cor"], "Did you mean core?"),
        (["--structured", "fat"], "none"),
        (["--dialect", "nobodys"], "nobodys"),
        (["--port", "8000"], "Add --http"),
        (["--host", "127.0.0.1"], "Add --http"),
        (["--http", "--host", "no.such.host.invalid"], "can't listen on no.such.host.invalid"),
        (["--http", "--port", "70000"], "server.port"),
    ],
)
def test_mcp_command_prints_an_error_for_an_invalid_option(
    arguments: list[str], words: str
) -> None:
    result = CliRunner().invoke(main, ["mcp", *arguments])
    assert result.exit_code == 2
    assert words in result.output


async def no_browser(way: Way, budget: Budget) -> Browser:
    raise AssertionError


@pytest.fixture
def session() -> Session:
    return Session(no_browser)


def names_of(toolset: Toolset, session: Session) -> set[str]:
    return {tool.name for tool in toolset.tools(BrowserConfig(), session)}


def call(toolset: Toolset, session: Session, name: str, arguments: dict[str, Any]) -> Answer:
    session.name_call = toolset.call
    return asyncio.run(toolset.prepare(BrowserConfig(), name, arguments).run(session))


def weight_of(toolset: Toolset, session: Session) -> int:
    """The number of characters of the tools' compact JSON, which a model pays for."""
    return sum(
        len(json.dumps([tool.name, tool.description, tool.input_schema], separators=(",", ":")))
        + len('"name":"description":"inputSchema":')
        for tool in toolset.tools(BrowserConfig(), session)
    )


def test_tool_definitions_stay_below_their_size_limits(session: Session) -> None:
    core = toolset_of("core")
    assert len(names_of(core, session)) <= 14
    assert weight_of(core, session) <= 9_000
    assert weight_of(toolset_of("full"), session) <= 36_000
    assert len(core.instructions) <= 1_000


def test_optional_tool_fields_have_no_null_type(session: Session) -> None:
    for tool in toolset_of("full").tools(BrowserConfig(), session):
        for field in tool.input_schema["properties"].values():
            assert {"type": "null"} not in field.get("anyOf", ())
        assert "timeout_ms" in tool.input_schema["properties"]


def test_tool_groups_contain_each_tool_once() -> None:
    grouped = [tool for tools in GROUPS.values() for tool in tools]
    assert sorted(grouped) == sorted(ACTIONS)


def test_toolset_lookup_accepts_groups_separated_by_commas(session: Session) -> None:
    names = names_of(toolset_of("storage,files"), session)
    assert names == {*GROUPS["core"], *GROUPS["storage"], *GROUPS["files"], "browser_tools"}
    assert "browser_tools" not in names_of(toolset_of("full"), session)
    with pytest.raises(InvalidArgument) as caught:
        toolset_of("storage,filez")
    assert "Did you mean files?" in caught.value.hint


def test_model_can_add_a_tool_group(session: Session) -> None:
    core = toolset_of("core")
    told: list[bool] = []
    session.watch(lambda: told.append(True))
    answer = call(core, session, "browser_tools", {"add": ["storage"]})
    assert "- browser_cookies: List, set, delete" in answer.text
    assert set(GROUPS["storage"]) < names_of(core, session)
    assert told == [True]
    call(core, session, "browser_tools", {"add": "storage"})
    assert told == [True]


def test_browser_tools_lists_the_available_groups_for_an_unknown_group(session: Session) -> None:
    answer = call(toolset_of("core"), session, "browser_tools", {"add": ["magic"]})
    assert answer.data["error"]["data"]["field"] == "add"
    assert "storage" in answer.data["error"]["hint"]


def test_tool_mentioned_in_a_hint_becomes_callable(session: Session) -> None:
    core = toolset_of("core")
    assert "browser_open" not in names_of(core, session)
    answer = call(core, session, "browser_snapshot", {})
    assert "Open one with browser_open" in answer.text
    assert "browser_open" in names_of(core, session)
    unlisted = call(core, session, "browser_back", {})
    assert unlisted.data["error"]["code"] == "not_open"
