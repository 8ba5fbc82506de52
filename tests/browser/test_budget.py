"""Budgets that a caller creates: canceled from another thread, shared, interrupted, rejected."""

from __future__ import annotations

import asyncio
import math
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil
import pytest
from support.eventually import eventually
from support.pace import allow, in_time
from support.site import Site
from support.telling import tell_when_begun

from tabwarden import Browser as AsyncBrowser
from tabwarden import BrowserConfig, Budget
from tabwarden.errors import BudgetExceeded, Cancelled, InvalidArgument
from tabwarden.page.call.act import perform
from tabwarden.page.task import ActionSpec, Call
from tabwarden.sync import Browser

ENDLESS = ["fetch('/begun'); while (true) {}", "(fetch('/begun'), new Promise(() => {}))"]


@pytest.mark.parametrize("script", ENDLESS)
def test_another_thread_can_cancel_a_running_browser_call(
    script: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "page"))
    budget = Budget(60_000)
    tell_when_begun(site, lambda: budget.cancel("enough"))
    with pytest.raises(Cancelled, match="enough"):
        browser.evaluate(script, timeout_ms=budget)
    assert browser.evaluate("1 + 1", timeout_ms=allow(5_000)).value == 2


def test_calls_that_share_a_budget_end_at_the_same_time(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    second = browser.tabs("open", url=site.page("/2", "page")).tab_id
    budget, errors = Budget(60_000), []

    def run(tab_id: str | None) -> None:
        try:
            browser.evaluate("new Promise(() => {})", tab_id=tab_id, timeout_ms=budget)
        except Cancelled as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(tab_id,)) for tab_id in (second, None)]
    for thread in threads:
        thread.start()
    budget.cancel()
    for thread in threads:
        thread.join()
    assert len(errors) == 2
    with pytest.raises(Cancelled):
        browser.evaluate("1", timeout_ms=budget)


@pytest.mark.parametrize("way", ["the deadline", "a cancel"])
def test_call_ends_at_its_budget_even_if_a_step_ignores_the_budget(
    way: str, browser: Browser
) -> None:
    budget = Budget(300 if way == "the deadline" else 60_000)
    begun = threading.Event()

    async def stubborn(call: Call) -> None:
        begun.set()
        await asyncio.Event().wait()

    def cancel() -> None:
        assert begun.wait(60)
        budget.cancel("enough")

    if way == "a cancel":
        threading.Thread(target=cancel).start()
    work = perform(browser._task, ActionSpec(name="click"), budget, stubborn)
    wanted = BudgetExceeded if way == "the deadline" else Cancelled
    with in_time(0.3), pytest.raises(wanted) as caught:
        browser._engine.run_sync(work)
    late = "recovering"  # it ends so late that no call needs more
    assert caught.value.data["state"] in ("idle", late)
    assert browser.evaluate("1 + 1").value == 2


@pytest.mark.calm
@pytest.mark.long
def test_queued_endless_scripts_are_all_stopped_and_the_page_is_kept(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "page"))
    browser.evaluate("window.mark = 'kept'")
    own = AsyncBrowser(browser._task, browser._config)

    async def all_at_once() -> list[Any]:
        calls = [own.evaluate("while (true) {}", timeout_ms=4_000) for _ in range(20)]
        return await asyncio.gather(*calls, return_exceptions=True)

    ended = asyncio.run(all_at_once())
    assert {type(one) for one in ended} == {BudgetExceeded}
    assert browser.evaluate("window.mark", timeout_ms=allow(5_000)).value == "kept", ended[0].data


def test_earlier_calls_use_up_a_shared_budget(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    budget = Budget(700)
    with in_time(0.7):
        for _ in range(2):
            with pytest.raises(BudgetExceeded, match="700 ms"):
                browser.evaluate("new Promise(() => {})", timeout_ms=budget)


WRONG = [0, -1, math.nan, math.inf, 86_400_001, True, "soon", "500", [1]]
CALLS: list[Callable[[Browser, Any], Any]] = [
    lambda browser, wrong: browser.goto("about:blank", timeout_ms=wrong),
    lambda browser, wrong: browser.snapshot(timeout_ms=wrong),
    lambda browser, wrong: browser.evaluate("1", timeout_ms=wrong),
    lambda browser, wrong: browser.click(x=1, y=1, timeout_ms=wrong),
    lambda browser, wrong: browser.dialog("accept", timeout_ms=wrong),
    lambda browser, wrong: browser.tabs(timeout_ms=wrong),
    lambda browser, wrong: browser.cdp("Browser.getVersion", timeout_ms=wrong),
    lambda browser, wrong: browser.console(timeout_ms=wrong),
    lambda browser, wrong: browser.close(timeout_ms=wrong),
    lambda browser, wrong: Browser.launch(timeout_ms=wrong),
    lambda browser, wrong: Browser.connect("http://127.0.0.1:9", timeout_ms=wrong),
]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_every_call_rejects_an_invalid_timeout(wrong: Any, browser: Browser) -> None:
    for call in CALLS:
        with pytest.raises(InvalidArgument) as caught:
            call(browser, wrong)
        assert caught.value.data["field"] == "timeout_ms"
    assert browser.is_open


def test_action_uses_its_configured_timeout(port: int) -> None:
    config = BrowserConfig(default_timeout_ms=60_000, timeouts_ms={"evaluate": 300})
    with Browser.connect(f"http://127.0.0.1:{port}", config=config) as browser:
        with pytest.raises(BudgetExceeded, match="300 ms"):
            browser.evaluate("new Promise(() => {})")
        with pytest.raises(BudgetExceeded, match="200 ms"):
            browser.evaluate("new Promise(() => {})", timeout_ms=200)
        assert browser.goto("about:blank").status == "ok"


def test_canceling_an_asyncio_task_cancels_its_browser_call(site: Site) -> None:
    async def main() -> None:
        async with AsyncBrowser.launch() as browser:
            await browser.goto(site.page("/", "page"))
            for script in ENDLESS:
                loop, begun = asyncio.get_running_loop(), asyncio.Event()
                tell_when_begun(site, partial(loop.call_soon_threadsafe, begun.set))
                running = asyncio.ensure_future(browser.evaluate(script))
                await begun.wait()
                running.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await running
                assert (await browser.evaluate("1 + 1", timeout_ms=allow(5_000))).value == 2

    asyncio.run(main())


CTRL_C = """
import sys
from tabwarden.sync import Browser

with Browser.launch() as browser:
    browser.goto(sys.argv[1])
    for _ in range(2):
        try:
            browser.evaluate("fetch('/begun'); while (true) {}")
        except KeyboardInterrupt:
            print("interrupted", browser.evaluate("1 + 1", timeout_ms=5000).value, flush=True)
"""


def test_ctrl_c_cancels_a_sync_call_and_keeps_the_browser_open(site: Site) -> None:
    url = site.page("/", "page")
    begun = threading.Semaphore(0)
    tell_when_begun(site, begun.release)
    command = [sys.executable, "-W", "error", "-c", CTRL_C, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(2):
            assert begun.acquire(timeout=60)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted 2\n"
        assert process.wait(60) == 0


LAUNCH = """
import sys
from tabwarden.sync import Browser

try:
    Browser.launch(executable=sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_during_launch_leaves_no_browser_process(tmp_path: Any) -> None:
    slow, started = tmp_path / "slow-browser", tmp_path / "started"
    slow.write_text(f"#!/bin/sh\necho $$ > {started}.new\nmv {started}.new {started}\nsleep 300\n")
    slow.chmod(0o755)
    command = [sys.executable, "-c", LAUNCH, str(slow)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        eventually(started.exists)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert out == "interrupted\n"
        assert process.returncode == 0
    assert not _runs(int(started.read_text()))


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
