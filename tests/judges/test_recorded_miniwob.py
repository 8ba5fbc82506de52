"""Recordings of MiniWoB++ tasks solved by an oracle, repeated with the same result."""

from __future__ import annotations

import asyncio
import os
import runpy
from pathlib import Path
from typing import Any

import pytest
from support.beside import sync_playwright_browser
from support.recorded import run_in_tabwarden, write_recording

from judges.miniwob.episode import Site
from judges.miniwob.oracles import ORACLES
from judges.miniwob.tasks import pages
from judges.miniwob.tools.tabwarden import TabwardenTool
from judges.miniwob.verbs import Page
from tabwarden import Browser
from tabwarden.export import SCRIPTS, plan_of, read_trace, replay

pytestmark = [pytest.mark.anyio, pytest.mark.long, pytest.mark.whole]

TASKS = [
    "click-button", "click-checkboxes", "click-shape", "choose-list", "choose-date", "login-user",
    "enter-time", "use-slider", "drag-items", "email-inbox-reply",
]  # fmt: skip
SEED = 2100
HAS_ENDED = "WOB_DONE_GLOBAL"
REWARD = "WOB_RAW_REWARD_GLOBAL"


@pytest.fixture
async def site() -> Any:
    with Site(pages()) as site:
        yield site


@pytest.mark.parametrize("task", TASKS)
async def test_exported_scripts_and_replay_solve_a_recorded_miniwob_task(
    task: str, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = site.episode(task, SEED)
    async with Browser.launch() as browser:
        browser._task.wants_locators = True
        tool = TabwardenTool(browser)
        await tool.open(episode.url)
        page = Page(tool, await episode.instruction())
        await ORACLES[task](page)
        assert await episode.verdict() == 1.0
        for entry in browser._task.journal.entries:
            if entry.redacted_arguments().get("text") == "(secret)":
                monkeypatch.setenv("PASSWORD", entry.arguments["text"])
        plan = plan_of(read_trace(write_recording(browser, tmp_path / "task.zip")))
    for kind, write in SCRIPTS.items():
        (tmp_path / f"{kind}.py").write_text(write(plan), "utf-8")
    assert await asyncio.to_thread(in_playwright, tmp_path / "playwright.py") == 1.0
    assert await asyncio.to_thread(run_in_tabwarden, tmp_path / "tabwarden.py", WAITED) == 1.0
    async with Browser.launch() as browser:
        await replay(browser, plan, secrets=os.environ)
        assert await ended(browser) == 1.0


def in_playwright(script: Path) -> Any:
    run = runpy.run_path(str(script))["run"]
    with sync_playwright_browser() as browser:
        page = browser.new_page()
        run(page)
        page.wait_for_function(HAS_ENDED, timeout=5_000)
        return page.evaluate(REWARD)


async def ended(browser: Browser) -> Any:
    return (await browser.evaluate(WAITED)).value


WAITED = f"""async () => {{
  for (let looks = 0; looks < 100 && !{HAS_ENDED}; looks++) {{
    await new Promise(later => setTimeout(later, 50));
  }}
  return {HAS_ENDED} && {REWARD};
}}"""
