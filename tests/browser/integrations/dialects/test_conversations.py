"""Conversations of agents for other products, unchanged, on a real Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from browser.integrations.dialects.conversation import Answered, Conversation, conversations
from jsonschema import Draft202012Validator
from support.site import Site

from tabwarden.actions import Session
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig
from tabwarden.toolsets import toolset_of

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(dialect: str, config: BrowserConfig) -> AsyncIterator[Session]:
    session = session_of(config, auto_open=toolset_of(dialect).auto_open)
    session.name_call = toolset_of(dialect).call
    try:
        yield session
    finally:
        await session.close()


def recorded(dialect: str) -> pytest.MarkDecorator:
    found = conversations(dialect)
    return pytest.mark.parametrize("path", found, ids=[path.stem for path in found])


def named_elsewhere(text: str) -> set[str]:
    """The tools that a text mentions."""
    return set(re.findall(r"\b(browser_[a-z_]+)(?!\w)", text))


async def replay(dialect: str, path: Path, site: Site, tmp_path: Path) -> None:
    talk = Conversation(path, site, tmp_path / "uploads")
    config = BrowserConfig(download_dir=tmp_path / "downloads")
    toolset = toolset_of(dialect)
    async with opened(dialect, config) as session:
        for turn in talk.turns:
            name, arguments = talk.call(turn)
            prepared = toolset.prepare(config, name, arguments)
            shown = {tool.name: tool for tool in toolset.tools(config, session)}
            answer = await prepared.run(session)
            data = json.loads(json.dumps(answer.data))
            if name in shown:
                Draft202012Validator(shown[name].output_schema).validate(data)
            if dialect == "hermes":
                assert json.loads(answer.text) == data
                code = answer.data.get("code")
                assert answer.data["success"] is not answer.is_error
            else:
                code = answer.data["error"]["code"] if answer.is_error else None
            talk.check(turn, Answered(answer.text, answer.data, code))
            known = {name, *(tool.name for tool in toolset.tools(config, session))}
            assert not named_elsewhere(answer.text) - known, answer.text


@recorded("operator")
async def test_recorded_operator_agent_conversations_run_unchanged(
    path: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # that product uploads from ./uploads
    await replay("operator", path, site, tmp_path)


@recorded("hermes")
async def test_recorded_hermes_agent_conversations_run_unchanged(
    path: Path, site: Site, tmp_path: Path
) -> None:
    await replay("hermes", path, site, tmp_path)


@pytest.mark.parametrize("path", conversations("openclaw_tool"), ids=lambda path: path.stem)
async def test_recorded_openclaw_agent_conversations_run_unchanged(
    path: Path, site: Site, tmp_path: Path
) -> None:
    talk = Conversation(path, site, tmp_path / "uploads")
    config = BrowserConfig(download_dir=tmp_path / "downloads", upload_dir=tmp_path / "uploads")
    toolset, called = toolset_of("openclaw"), set()
    async with opened("openclaw", config) as session:
        for turn in talk.turns:
            name, arguments = talk.call(turn)
            answer = await toolset.prepare(config, name, arguments).run(session)
            talk.check(turn, Answered(answer.text, answer.data, answer.data.get("code")))
            assert not named_elsewhere(answer.text), answer.text
            called.add(arguments["action"])
        (tool,) = toolset.tools(config, session)
        offered = tool.input_schema["properties"]
        assert set(offered["action"]["enum"]) <= called
        assert len(offered["action"]["enum"]) == 24
        assert {"batch", "clickCoords", "scrollIntoView"} <= set(offered["kind"]["enum"])
