"""Which tools a host's model is shown, and how `tabwarden mcp` is told."""

from __future__ import annotations

import asyncio

import pytest
from click.testing import CliRunner

from tabwarden.actions import TOOLSETS, Session, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli import main
from tabwarden.toolsets import toolset_of


def test_a_toolset_is_found_by_its_name() -> None:
    assert toolset_of() is toolset_of("full") is TOOLSETS["full"]
    assert toolset_of("core") is TOOLSETS["core"]


def test_a_dialect_is_found_under_either_option() -> None:
    dialects = pytest.importorskip("tabwarden.dialects").DIALECTS
    assert "operator" in dialects
    for name, dialect in dialects.items():
        assert toolset_of("full", name) is toolset_of(name) is dialect


@pytest.mark.parametrize(
    ("tools", "dialect", "field", "words"),
    [("ful", None, "tools", "Did you mean full?"), ("full", "nobodys", "dialect", "Available: ")],
)
def test_an_unknown_one_is_told_with_those_there_are(
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
        (["--dialect", "nobodys"], "nobodys"),
        (["--port", "8000"], "Add --http"),
        (["--host", "127.0.0.1"], "Add --http"),
        (["--http", "--host", "no.such.host.invalid"], "can't listen on no.such.host.invalid"),
        (["--http", "--port", "70000"], "server.port"),
    ],
)
def test_wrong_options_are_told(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["mcp", *arguments])
    assert result.exit_code == 2
    assert words in result.output


def test_a_small_model_sees_few_tools_and_gets_no_others() -> None:
    async def no_browser(way: Way, budget: Budget) -> Browser:
        raise AssertionError

    core, session, config = toolset_of("core"), Session(no_browser), BrowserConfig()
    names = {tool.name for tool in core.tools(config, session)}
    assert {"browser_navigate", "browser_snapshot", "browser_dialog"} < names
    assert len(names) < 15
    script = {"script": "1"}
    call = core.prepare(config, "browser_evaluate", script).run(session)
    answer = asyncio.run(call)
    assert answer.data["error"]["code"] == "disabled"
    assert "--tools" in answer.text
