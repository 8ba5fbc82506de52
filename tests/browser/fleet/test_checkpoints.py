"""Checkpoints: the state that a task's next browser restores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.eventually import eventually
from support.local_fleet import LocalFleet
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone
from tabwarden.page.checkpoint import Checkpoint, Checkpoints
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser


@pytest.fixture
def browser(fleet: LocalFleet) -> Iterator[Browser]:
    """A task without checkpoints."""
    with Browser.connect(
        f"fleet:?cluster={fleet.address}&checkpoint_s=0", task_id="a1", config=BrowserConfig()
    ) as browser:
        yield browser


def checkpoints(browser: Browser) -> Checkpoints:
    found = browser._task.checkpoints
    assert isinstance(found, Checkpoints)
    return found


def take(browser: Browser) -> Checkpoint:
    engine_loop().run_sync(checkpoints(browser).take_now())
    last = checkpoints(browser).last
    assert last is not None
    return last


def node_of(fleet: LocalFleet) -> str:
    [task] = engine_loop().run_sync(fleet.coordinator.status()).tasks
    return task.node


def test_checkpoint_restores_cookies_storage_and_tabs(browser: Browser, site: Site) -> None:
    urls = [site.page("/1", "one"), site.page("/2", "two")]
    browser.goto(urls[0])
    browser.evaluate("document.cookie = 'user=ada'; localStorage.cart = '3'")
    browser.tabs("open", url=urls[1])
    found = take(browser)
    assert (found.urls, found.active) == (tuple(urls), 1)
    assert [cookie["value"] for cookie in found.storage["cookies"]] == ["ada"]
    [origin] = found.storage["origins"]
    assert origin["localStorage"] == [{"name": "cart", "value": "3"}]
    assert "ada" not in repr(found), "it has logins"


@pytest.mark.long
def test_failed_checkpoint_leaves_the_previous_checkpoint_in_place(
    browser: Browser, site: Site, fleet: LocalFleet
) -> None:
    browser.goto(site.page("/1", "one"))
    last = take(browser)
    browser.tabs("close")
    engine_loop().run_sync(checkpoints(browser).take_now())
    assert checkpoints(browser).last is last, "there was no tab to ask"


@pytest.mark.long
def test_drain_saves_a_checkpoint_before_the_task_moves(
    browser: Browser, site: Site, fleet: LocalFleet
) -> None:
    url = site.page("/1", "one", title="One")
    browser.goto(url)
    browser.evaluate("document.cookie = 'user=ada'; localStorage.cart = '3'")
    assert checkpoints(browser).last is None
    before = node_of(fleet)
    engine_loop().run_sync(fleet.coordinator.drain(before))
    assert eventually(lambda: browser._task.state.replacement is not None)
    with pytest.raises(BrowserGone) as told:
        browser.evaluate("1")
    assert told.value.data["previous_node"] == before
    assert "1 cookies" in told.value.message
    kept = "document.title + document.cookie + localStorage.cart"
    assert eventually(lambda: browser.evaluate(kept).value == "Oneuser=ada3")
    assert checkpoints(browser).last is None, "it would be too old for the next move"


@pytest.mark.long
def test_lost_node_error_says_that_the_task_has_no_checkpoint(
    browser: Browser, site: Site, fleet: LocalFleet
) -> None:
    browser.goto(site.page("/1", "one"))
    fleet.end(node_of(fleet))
    with pytest.raises(BrowserGone, match="There is no checkpoint") as told:
        browser.evaluate("1", timeout_ms=15_000)
    assert told.value.data["planned"] is False
    assert site.hits.count("/1") == 1


@pytest.mark.long
def test_restored_checkpoint_activates_the_previously_active_tab(
    browser: Browser, site: Site, fleet: LocalFleet
) -> None:
    urls = [site.page(f"/{number}", "x") for number in range(3)]
    browser.goto(urls[0])
    for url in urls[1:]:
        browser.tabs("open", url=url)
    browser.tabs("switch", tab_id="t2")
    take(browser)
    fleet.end(node_of(fleet))
    with pytest.raises(BrowserGone, match="3 tabs"):
        browser.evaluate("1", timeout_ms=15_000)
    assert eventually(lambda: [tab.url for tab in browser.state.tabs] == urls)
    assert browser.evaluate("location.href").value == urls[1]
