"""A task that shares a browser's tabs is warned when another program uses them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.running import running_chromium
from support.site import Site

from tabwarden.actions import Way, session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser


def test_session_gets_a_warning_if_another_program_uses_its_tabs(site: Site) -> None:
    async def note(url: str) -> str:
        session = session_of(BrowserConfig())
        try:
            return (await session.connect(Way(endpoint=url), Budget(20_000)))[1]
        finally:
            await session.close()

    with Browser.launch(transport="port") as browser:
        browser.goto(site.page("/", "page"))
        assert browser.warnings == ()
        assert browser.address is not None
        assert "Another program is also controlling" in asyncio.run(note(browser.address))
        with Browser.connect(browser.address, context="own") as own:
            assert own.warnings == ()


def test_session_gets_no_warning_if_it_uses_the_browser_alone(site: Site, folder: Path) -> None:
    with running_chromium(folder) as port:
        for _ in range(2):
            with Browser.connect(str(port)) as browser:
                browser.goto(site.page("/", "page"))
                assert browser.warnings == ()
