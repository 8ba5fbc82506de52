"""A recording of the demo shop, repeated by each kind of script and by a replay."""

from __future__ import annotations

import asyncio
import io
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from support.beside import sync_playwright_browser
from support.recorded import run_in_tabwarden, write_recording
from support.running import browser_here

from tabwarden import Browser
from tabwarden.demo.chapters import STEPS
from tabwarden.demo.chapters.arrival import launch
from tabwarden.demo.stage import Stage, Step
from tabwarden.demo.story import run_demo
from tabwarden.demo.telling import Teller
from tabwarden.export import SCRIPTS, plan_of, read_trace, replay

END = "JSON.stringify([location.href, document.body.innerText, localStorage])"


def record_the_shop(folder: Path, prove: Callable[[Path, str], None]) -> None:
    """Run the demo; while the shop is open, call ``prove(recording, end state)``."""

    async def begin(stage: Stage) -> None:
        await launch(stage)
        stage.browser._task.wants_locators = True

    async def check(stage: Stage) -> None:
        end = (await stage.browser.evaluate(END)).value
        recording = write_recording(stage.browser, folder / "shop.zip")
        await asyncio.to_thread(prove, recording, end)

    told = io.StringIO()
    steps = (
        Step("open", "", "", begin),
        *STEPS[1:],
        Step("prove", "", "", check, tuple(step.name for step in STEPS)),
    )
    teller = Teller(Console(file=told))
    assert run_demo(headed=False, keep=False, output=folder, steps=steps, teller=teller) == 0, (
        told.getvalue()
    )


@pytest.mark.long
def test_exported_scripts_and_replay_repeat_the_demo_shop_recording(tmp_path: Path) -> None:
    def prove(recording: Path, end: str) -> None:
        plan = plan_of(read_trace(recording))
        for kind, write in SCRIPTS.items():
            (tmp_path / f"test_{kind}.py").write_text(write(plan), "utf-8")
        assert in_playwright(tmp_path / "test_playwright.py") == end
        in_pytest(tmp_path / "test_pytest.py")
        assert run_in_tabwarden(tmp_path / "test_tabwarden.py", END) == end
        assert asyncio.run(replayed(plan)) == end

    record_the_shop(tmp_path, prove)
    script = (tmp_path / "test_playwright.py").read_text("utf-8")
    assert 'page.get_by_role("button", name="Add Sencha to basket", exact=True).click()' in script
    assert "Page.crash" not in script  # failed calls are omitted


def in_playwright(script: Path) -> Any:
    run = runpy.run_path(str(script))["run"]
    with sync_playwright_browser() as browser:
        page = browser.new_page()
        run(page)
        return page.evaluate(END)


CONFTEST = """
import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PATH)
        yield browser.new_page()
        browser.close()
"""
"""The fixture that pytest-playwright would provide."""


def in_pytest(script: Path) -> None:
    conftest = CONFTEST.replace("PATH", repr(str(browser_here().path)))
    (script.parent / "conftest.py").write_text(conftest, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(script)],
        cwd=script.parent, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "1 passed" in ran.stdout, ran.stdout


async def replayed(plan: Any) -> Any:
    async with Browser.launch() as browser:
        await replay(browser, plan)
        return (await browser.evaluate(END)).value
