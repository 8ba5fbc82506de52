"""Drivers over browsers that are attached, or that belong to a fleet."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.local_fleet import LocalFleet
from support.needs import require
from support.site import Site

from tabwarden.config import load_config
from tabwarden.fleet import Fleet

require("vendor-sdks")

from support.vendors import ClaudeCalls, OpenAICalls, claude_reply  # noqa: E402 - needs the SDKs

from tabwarden.integrations.anthropic import AsyncClaudeBrowser, ClaudeBrowser  # noqa: E402
from tabwarden.integrations.openai import OpenAIBrowser  # noqa: E402


def test_driver_attaches_to_a_browser_and_leaves_it_running(port: int, site: Site) -> None:
    config = load_config(None, endpoint=f"http://127.0.0.1:{port}").browser
    url = site.page("/", "Hello")
    for _ in range(2):
        with ClaudeBrowser(config) as driver:
            claude = ClaudeCalls(driver)
            assert not claude("navigate", url=url).is_error
            assert "Hello" in claude("get_page_text").text
    with OpenAIBrowser(config) as other:
        openai = OpenAICalls(
            other.toolset(confirm=lambda context: True, url_policy=lambda context, url: True)
        )
        openai("navigate", url=url)
        assert "Hello" in openai("get_page_text").text


def test_driver_runs_on_a_browser_of_a_fleet(tmp_path: Path, site: Site) -> None:
    url = site.page("/", "Hello")
    fleet = LocalFleet(tmp_path / "fleet.sqlite").start()

    async def run() -> None:
        async with (
            Fleet.connect(fleet.address) as programs,
            programs.browser("task-1") as browser,
            AsyncClaudeBrowser(browser) as driver,
        ):
            claude = ClaudeCalls(driver)
            await driver.tool_result(claude.block("navigate", {"url": url}))
            reply = claude_reply(await driver.tool_result(claude.block("get_page_text", {})))
            assert "Hello" in reply.text

    try:
        fleet.add("n1")
        asyncio.run(run())
    finally:
        fleet.stop()
