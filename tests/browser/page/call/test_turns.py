"""Calls that are sent concurrently run one after another on a tab, in their order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from support.eventually import eventually
from support.pace import in_time
from support.site import Site

import tabwarden
from tabwarden.errors import BudgetExceeded, Cancelled, DialogPending
from tabwarden.sync import Browser

TWO = "<input aria-label=One><input aria-label=Two>"
VALUES = "[...document.querySelectorAll('input')].map(field => field.value)"
WORDS = ["first words of some length", "SECOND WORDS OF SOME LENGTH"]


@pytest.fixture
def beside(browser: Browser) -> tabwarden.Browser:
    """The same browser, for concurrent calls."""
    return tabwarden.Browser(browser._task, browser.config)


@pytest.fixture
def never(site: Site) -> Iterator[str]:
    """The URL of a page whose server accepts the request and never responds."""
    over = threading.Event()

    def answer(_: BaseHTTPRequestHandler) -> None:
        over.wait(60)

    site.pages["/never"] = answer
    yield site.here + "/never"
    over.set()


@pytest.mark.parametrize("slowly", [True, False])
def test_concurrent_type_calls_do_not_mix_their_text(
    browser: Browser, beside: tabwarden.Browser, site: Site, *, slowly: bool
) -> None:
    browser.goto(site.page("/", TWO))
    page = browser.snapshot()
    refs = [page.ref("One"), page.ref("Two")]

    async def all_at_once() -> list[tabwarden.ActionResult]:
        return await asyncio.gather(
            beside.type(WORDS[0], refs[0], slowly=slowly),
            beside.type(WORDS[1], refs[1], slowly=slowly),
            beside.press("End"),
            beside.type(" and more", slowly=slowly),
            beside.evaluate(VALUES),
        )

    done = asyncio.run(all_at_once())
    assert done[-1].value == [WORDS[0], f"{WORDS[1]} and more"]


def test_snapshot_shows_the_effect_of_the_preceding_concurrent_call(
    browser: Browser, beside: tabwarden.Browser, site: Site
) -> None:
    browser.goto(site.page("/", TWO))
    ref = browser.snapshot().ref("One")

    async def both() -> str:
        _, page = await asyncio.gather(beside.type(WORDS[0], ref, slowly=True), beside.snapshot())
        return page.text

    assert f'value="{WORDS[0]}"' in asyncio.run(both())


def test_queued_call_runs_in_the_tab_that_an_earlier_call_opens(
    browser: Browser, beside: tabwarden.Browser, site: Site
) -> None:
    browser.goto(site.page("/", TWO))
    other = site.page("/other", "<input aria-label=Three autofocus>")

    async def both() -> None:
        await asyncio.gather(beside.tabs("open", url=other), beside.type("Ann"))

    asyncio.run(both())
    assert browser.evaluate(VALUES).value == ["Ann"]


def test_calls_on_different_tabs_do_not_wait_for_each_other(
    browser: Browser, beside: tabwarden.Browser, site: Site, never: str
) -> None:
    browser.goto(site.page("/", TWO))
    first = browser.state.active_tab_id
    browser.tabs("open", url=site.page("/other", TWO))

    async def both() -> None:
        stuck = asyncio.create_task(beside.goto(never, tab_id=first))
        await asyncio.sleep(0)  # it begins
        await beside.type("Ann")
        assert not stuck.done()
        stuck.cancel()

    asyncio.run(both())


def test_queued_call_that_times_out_identifies_the_call_it_waited_for(
    browser: Browser, beside: tabwarden.Browser, site: Site, never: str
) -> None:
    browser.goto(site.page("/", TWO))

    async def both() -> BudgetExceeded:
        stuck = asyncio.create_task(beside.goto(never))
        await asyncio.sleep(0)  # it begins
        with in_time(0.4), pytest.raises(BudgetExceeded) as late:
            await beside.press("a", timeout_ms=400)
        assert not stuck.done()  # no call stopped it
        stuck.cancel()
        return late.value

    error = asyncio.run(both())
    assert "waiting for its turn in tab" in error.message
    assert "after goto. This call did nothing." in error.message


def test_queued_call_can_be_canceled(
    browser: Browser, beside: tabwarden.Browser, site: Site, never: str
) -> None:
    browser.goto(site.page("/", TWO))

    async def both() -> None:
        stuck = asyncio.create_task(beside.goto(never))
        await asyncio.sleep(0)  # it begins
        budget = tabwarden.Budget(20_000)
        waits = asyncio.create_task(beside.press("a", timeout_ms=budget))
        gone = asyncio.create_task(beside.press("b"))
        await asyncio.sleep(0)  # they wait
        gone.cancel()
        budget.cancel("enough")
        with pytest.raises(Cancelled, match="enough"):
            await waits
        stuck.cancel()

    asyncio.run(both())
    browser.goto(site.page("/", TWO))
    browser.type("Ann", browser.snapshot().ref("One"))
    assert browser.evaluate(VALUES).value == ["Ann", ""]


def test_snapshot_works_while_goto_is_still_loading(
    browser: Browser, beside: tabwarden.Browser, site: Site, never: str
) -> None:
    browser.goto(site.page("/", TWO))

    async def both() -> str:
        stuck = asyncio.create_task(beside.goto(never))
        await asyncio.sleep(0)  # it begins
        page = await beside.snapshot(timeout_ms=1_000)
        stuck.cancel()
        return page.text

    assert "goto is still running in this tab" in asyncio.run(both())


def test_open_dialog_fails_the_queued_call_and_can_be_answered(
    browser: Browser, beside: tabwarden.Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick='document.title = prompt()'>Ask</button>" + TWO))
    page = browser.snapshot()
    ask, field = page.ref("Ask"), page.ref("One")

    async def all_at_once() -> None:
        asked, refused = await asyncio.gather(
            beside.click(ask), beside.type("Ann", field), return_exceptions=True
        )
        assert isinstance(asked, tabwarden.ActionResult)
        assert asked.interrupted
        assert isinstance(refused, DialogPending)
        await beside.dialog("accept", "Ann")
        await beside.type("Bea", field)

    asyncio.run(all_at_once())
    assert browser.evaluate(f"[document.title, {VALUES}[0]]").value == ["Ann", "Bea"]


def test_other_calls_run_during_wait_and_a_pending_evaluate(
    browser: Browser, beside: tabwarden.Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick='this.after(\"Thanks\")'>Buy</button>"))
    buy = browser.snapshot().ref("Buy")

    async def click() -> None:
        await beside.wait(text="Go")
        await beside.click(buy)

    async def both() -> None:
        await asyncio.gather(
            beside.wait(text="Thanks"),
            beside.evaluate(
                "new Promise(done => {addEventListener('click', done); document.body.append('Go')})"
            ),
            click(),
        )

    asyncio.run(both())


def test_batch_runs_without_other_calls_in_between(
    browser: Browser, beside: tabwarden.Browser, site: Site
) -> None:
    browser.goto(site.page("/", TWO))
    page = browser.snapshot()
    one, two = page.ref("One"), page.ref("Two")

    async def both() -> None:
        steps = [
            {"tool": "click", "ref": one},
            {"tool": "type", "text": "Ann"},
            {"tool": "evaluate", "script": "document.activeElement.ariaLabel"},
        ]
        await asyncio.gather(beside.batch(steps), beside.click(two), beside.type("Bea"))

    asyncio.run(both())
    assert browser.evaluate(VALUES).value == ["Ann", "Bea"]
    assert eventually(lambda: not browser._task.turns._lines)
