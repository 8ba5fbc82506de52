"""A client session's reaction to a changed configuration."""

from __future__ import annotations

import pytest

from tabwarden.actions import Limits, Tasks, session_of
from tabwarden.config import BrowserConfig
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.mcp.clients import Client
from tabwarden.toolsets import toolset_of

pytestmark = pytest.mark.anyio


async def test_changed_configuration_keeps_the_dialects_defaults() -> None:
    config = LiveConfig.fixed(BrowserConfig(hang_patience=3))
    tasks = Tasks(lambda _: session_of(config, auto_open=False), lambda: Limits(max_tasks=1))
    client = Client("one", tasks, toolset_of("operator"), config, lambda: "inline")
    client.configured()
    now = client.session.obeyed
    assert now is not None
    assert (now.hang_patience, now.dialog_policy) == (3, "auto_accept")
    await client.close()
