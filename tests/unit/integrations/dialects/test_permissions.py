"""A caller's permissions apply in each dialect, whose tools map to the same actions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tabwarden.actions import Answer, Toolset, session_of
from tabwarden.config import BrowserConfig, Permission
from tabwarden.toolsets import dialects, toolset_of

pytestmark = pytest.mark.anyio

CASES: list[tuple[str, Permission, str, dict[str, Any]]] = [
    ("operator", "act", "browser", {"action": "goto", "url": "https://example.com"}),
    ("operator", "scripts", "browser", {"action": "script", "script": "1"}),
    ("operator", "files", "browser", {"action": "download", "url": "https://x.y", "filename": "a"}),
    ("operator", "act", "control_center",
     {"action": "set", "key": "hang_patience", "value": 2}),
    ("hermes", "act", "browser_navigate", {"url": "https://example.com"}),
    ("hermes", "read", "browser_snapshot", {}),
    ("hermes", "scripts", "browser_console", {"expression": "1"}),
    ("hermes", "scripts", "browser_cdp", {"method": "Browser.getVersion"}),
    ("openclaw", "act", "browser", {"action": "navigate", "targetUrl": "https://example.com"}),
    ("openclaw", "read", "browser", {"action": "status"}),
    ("openclaw", "read", "browser", {"action": "snapshot"}),
    ("openclaw", "act", "browser", {"action": "start"}),
    ("openclaw", "act", "browser", {"action": "stop"}),
    ("openclaw", "scripts", "browser", {"action": "act", "kind": "evaluate", "fn": "1"}),
    ("openclaw", "scripts", "browser", {"action": "act", "kind": "wait", "fn": "1"}),
    ("claude-browser", "act", "navigate", {"url": "https://example.com"}),
    ("claude-browser", "act", "navigate", {"url": "back"}),
    ("claude-browser", "read", "read_page", {}),
    ("claude-browser", "files", "file_upload",
     {"target": {"type": "ref", "ref": "ref_1"}, "paths": ["a"]}),
    ("claude-browser", "scripts", "javascript_exec", {"text": "1"}),
    ("claude-browser", "act", "browser_dialog", {"action": "accept"}),
    ("openai-browser", "act", "browser_navigate", {"url": "https://example.com"}),
    ("openai-browser", "read", "browser_read_page", {}),
    ("openai-browser", "read", "browser_read_diagnostics", {"source": "network", "limit": 1}),
    ("openai-browser", "scripts", "browser_run_script", {"source": "1", "timeout_ms": 99}),
]  # fmt: skip


async def answered(
    toolset: Toolset, config: BrowserConfig, name: str, arguments: dict[str, Any]
) -> Answer:
    session = session_of(config, auto_open=False)
    return await toolset.prepare(config, name, arguments).run(session)


@pytest.mark.parametrize(("dialect", "permission", "name", "arguments"), CASES)
@pytest.mark.threat
async def test_call_without_its_permission_is_denied(
    dialect: str, permission: Permission, name: str, arguments: dict[str, Any]
) -> None:
    toolset = toolset_of(dialect)
    others: list[Permission] = ["read", "act", "files", "scripts"]
    others.remove(permission)
    refused = await answered(toolset, BrowserConfig(allow=others), name, arguments)
    told = json.dumps(refused.data) + refused.text
    assert refused.is_error
    assert "denied" in told
    assert f"'{permission}'" in told
    allowed = await answered(toolset, BrowserConfig(), name, arguments)
    assert "denied" not in json.dumps(allowed.data) + allowed.text


@pytest.mark.parametrize("dialect", dialects())
def test_dialect_hides_tools_that_the_permissions_do_not_allow(dialect: str) -> None:
    toolset, session = toolset_of(dialect), session_of(BrowserConfig(), auto_open=False)
    shown = str(toolset.tools(BrowserConfig(), session))
    reading = str(toolset.tools(BrowserConfig(allow=["read"]), session))
    assert "navigate" in shown or "goto" in shown
    assert not toolset.tools(BrowserConfig(allow=["read"]), session) or reading != shown
