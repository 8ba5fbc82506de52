"""Drivers over the worker's browser. Their tests need the vendors' SDKs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from support.needs import require

from tabwarden.sync import Browser

if TYPE_CHECKING:
    from support.vendors import ClaudeCalls, OpenAICalls


@pytest.fixture
def claude(browser: Browser) -> Iterator[ClaudeCalls]:
    """Every member of Anthropic's toolset, in the worker's browser."""
    require("vendor-sdks")
    from support.vendors import ClaudeCalls

    from tabwarden.integrations.anthropic import ClaudeBrowser

    members = ("javascript_exec", "read_console", "read_network", "file_upload")
    configs: Any = {member: {"enabled": True} for member in members}
    with ClaudeBrowser(browser, configs=configs, confirm=lambda context: True) as driver:
        yield ClaudeCalls(driver)


@pytest.fixture
def openai(browser: Browser) -> Iterator[OpenAICalls]:
    """Every member of OpenAI's toolset, in the worker's browser."""
    require("vendor-sdks")
    from openai.lib.browser import BROWSER_MEMBERS
    from support.vendors import OpenAICalls

    from tabwarden.integrations.openai import OpenAIBrowser

    with OpenAIBrowser(browser) as driver:
        toolset = driver.toolset(
            members=BROWSER_MEMBERS,
            confirm=lambda context: True,
            url_policy=lambda context, url: True,
        )
        yield OpenAICalls(toolset)
