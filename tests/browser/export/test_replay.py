"""A replay repeats the recorded actions, or stops and reports how the page differs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.recorded import write_recording
from support.running import browser_here
from support.site import Site

from tabwarden import Browser as AsyncBrowser
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, InvalidArgument, PageDiffers
from tabwarden.export import RecordedCall, TraceCalls, plan_of, read_trace, replay
from tabwarden.sync import Browser

SHOP = """<p id=said></p><script>const say = what => said.textContent += what + " "</script>
<button onclick="say('tea')">Buy tea</button> <button onclick="say('cup')">Buy cup</button>
<button onclick="say('X')">x</button>
<i onclick="say('i')" style="display:block; width:50px; height:50px"></i>"""
SAID = "said.textContent"

Record = Callable[[Callable[[Browser], object]], Path]


@pytest.fixture
def record(browser: Browser, site: Site, tmp_path: Path) -> Record:
    def record(act: Callable[[Browser], object], page: str = SHOP) -> Path:
        url = site.page("/", page)
        browser._task.wants_locators = True
        before = browser._task.journal.entries
        first = before[-1].number if before else 0
        browser.goto(url)
        act(browser)
        return write_recording(browser, tmp_path / "calls.zip", since=first)

    return record


class Replays:
    """Replays recordings in one browser, each in a fresh tab."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.browser = self._runner.run(self._launch())

    async def _launch(self) -> AsyncBrowser:
        return await AsyncBrowser.launch()

    def close(self) -> None:
        self._runner.run(self.browser.close())
        self._runner.close()

    def __call__(self, path: Path) -> str:
        """Replay the recording; return the page's record of its input."""
        return self._runner.run(self._replayed(path))

    async def _replayed(self, path: Path) -> str:
        await self.browser.tabs("open")
        await replay(self.browser, plan_of(read_trace(path)))
        return str((await self.browser.evaluate(SAID)).value)

    def stops(self, path: Path) -> PageDiffers:
        """Replay up to the step at which the page recorded no more input."""
        with pytest.raises(PageDiffers) as differs:
            self(path)
        if not self.browser.state.pending_dialogs:
            assert self._runner.run(self.browser.evaluate(SAID)).value == ""
        return differs.value


@pytest.fixture(scope="module")
def replayed() -> Iterator[Replays]:
    replays = Replays()
    yield replays
    replays.close()


def buy_tea(browser: Browser) -> None:
    browser.click('text="Buy tea"')


@pytest.mark.long
def test_replay_stops_at_a_renamed_element_and_suggests_the_closest_match(
    record: Record, site: Site, replayed: Replays
) -> None:
    path = record(buy_tea)
    assert replayed(path) == "tea "
    site.page("/", SHOP.replace("Buy tea", "Buy teas"))
    differs = replayed.stops(path)
    assert differs.data["step"] == 2
    assert differs.data["nearest"][0]["name"] == "Buy teas"
    assert "Step 2 of 2 (click button 'Buy tea')" in differs.message


def test_replay_stops_if_a_locator_matches_two_elements(
    record: Record, site: Site, replayed: Replays
) -> None:
    path = record(buy_tea)
    site.page("/", SHOP + "<button onclick=\"say('new')\">Buy tea</button>")
    differs = replayed.stops(path)
    assert "matches 2 visible elements" in differs.message


def test_replay_stops_if_another_element_is_at_the_recorded_position(
    record: Record, site: Site, replayed: Replays
) -> None:
    """The only locator is the position in the document, where there is now another element."""
    page = "<p id=said></p><ul><li>One<li>Two</ul><ul><li>One<li>Two</ul>"
    path = record(lambda browser: browser.click("css=ul:last-child > li:first-child"), page)
    assert replayed(path) == ""
    site.page("/", page.replace("<ul><li>One<li>Two</ul>", "<ul><li>Zero<li>One<li>Two</ul>"))
    assert "now finds listitem" in replayed.stops(path).message


def test_replay_clicks_the_recorded_offset_in_a_moved_element(
    record: Record, site: Site, replayed: Replays
) -> None:
    def act(browser: Browser) -> None:
        box = browser.evaluate(
            "(() => { const { x, y } = document.querySelector('i').getBoundingClientRect();"
            " return [x, y] })()"
        ).value
        browser.click(x=box[0] + 10, y=box[1] + 10)

    path = record(act)
    site.page("/", "<br><br>" + SHOP)
    assert replayed(path) == "i "
    site.page("/", SHOP.replace("width:50px", "width:90px"))
    assert "size is now" in replayed.stops(path).message


def test_replay_stops_at_an_unrecorded_dialog_without_answering_it(
    record: Record, site: Site, replayed: Replays
) -> None:
    path = record(buy_tea)
    site.page("/", SHOP.replace("say('tea')", "if (confirm('Sure?')) say('tea')"))

    assert "A dialog opened" in replayed.stops(path).message
    assert [one.message for one in replayed.browser.state.pending_dialogs] == ["Sure?"]


def test_replay_reads_a_secret_from_the_environment(record: Record, replayed: Replays) -> None:
    def act(browser: Browser) -> None:
        browser.type("tea time", "css=input")

    path = record(act, "<p id=said></p><label>Pass word <input type=password></label>")
    with pytest.raises(InvalidArgument, match="PASS_WORD"):
        replayed(path)


@pytest.mark.parametrize("call", [("__init_subclass__", {}), ("_task", {}), ("press", {"no": 1})])
def test_replay_rejects_a_step_that_is_not_a_browser_call(
    replayed: Replays, call: tuple[str, dict[str, Any]]
) -> None:
    action, arguments = call
    recorded = RecordedCall(number=1, action=action, tab_id="t1", arguments=arguments)
    with pytest.raises(PageDiffers, match="does not exist"):
        replayed._runner.run(replay(replayed.browser, plan_of(TraceCalls(calls=[recorded]))))


def test_replay_reports_a_killed_browser_as_browser_gone(record: Record, site: Site) -> None:
    plan = plan_of(read_trace(record(buy_tea)))

    async def replayed_until_killed() -> None:
        async with AsyncBrowser.launch() as browser:
            opened = browser._task.supervisor.opened
            assert opened is not None
            assert opened.launched is not None
            pid = opened.launched.pid
            await replay(
                browser, plan, lambda line: os.kill(pid, signal.SIGKILL) if "2/2" in line else None
            )

    with pytest.raises(BrowserGone) as gone:
        asyncio.run(replayed_until_killed())
    assert gone.value.data["step"] == 2


@pytest.mark.long
def test_replay_command_prints_the_step_where_it_stopped(
    record: Record, site: Site, tmp_path: Path
) -> None:
    path = record(buy_tea)
    site.page("/", SHOP.replace("Buy tea", "Sell tea"))
    told = subprocess.run(
        [sys.executable, "-m", "tabwarden", "replay", str(path), "--json"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert told.returncode == 1
    error = json.loads(told.stdout or told.stderr)["error"]
    assert (error["code"], error["data"]["step"]) == ("page_differs", 2)


def test_exported_script_runs_without_tabwarden(site: Site, tmp_path: Path) -> None:
    early = tmp_path / "early.js"
    early.write_text("window.early = true", "utf-8")
    config = BrowserConfig(
        record=tmp_path / "records", timezone="Europe/Berlin", init_scripts=[early]
    )
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", SHOP))
        buy_tea(browser)
    [path] = (tmp_path / "records").glob("*.zip")
    script = tmp_path / "shop.py"
    exported = subprocess.run(
        [sys.executable, "-m", "tabwarden", "export", str(path), "--to", "playwright", "-o",
         str(script)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert 'get_by_role("button", name="Buy tea", exact=True)' in script.read_text("utf-8")
    assert 'timezone_id="Europe/Berlin"' in script.read_text("utf-8")
    assert f'add_init_script(path="{early}")' in script.read_text("utf-8")
    assert (exported.returncode, exported.stdout) == (0, f"{script}\n"), exported.stderr
    alone = (
        "import sys, runpy; sys.modules['tabwarden'] = None; "
        f"runpy.run_path({str(script)!r}, run_name='__main__')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", alone],
        env={"CHROMIUM": str(browser_here().path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False, timeout=90,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
