"""One event subscription, with three ways to read it."""

from __future__ import annotations

import asyncio
import threading

import pytest
from support.pace import allow
from support.site import Site

import tabwarden
from tabwarden import events
from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser


def is_popup_there(event: events.Notice) -> bool:
    return isinstance(event, events.NavigationSettled) and event.url.endswith("/popup")


def test_event_iterator_yields_typed_events_in_order(browser: Browser, site: Site) -> None:
    page = """<button onclick="if (confirm('Go?')) window.open('/popup')">Go</button>"""
    site.page("/popup", "popup")
    with browser.events() as told:
        browser.goto(site.page("/", page))
        browser.click(browser.snapshot().ref("Go"))
        browser.dialog("accept")
        seen: list[events.Notice] = []
        while not (seen and is_popup_there(seen[-1])):
            event = told.get(10)
            assert event is not None, [type(one).__name__ for one in seen]
            seen.append(event)
    names = [type(event).__name__ for event in seen]
    assert names[:2] == ["NavigationStarted", "NavigationSettled"]
    later = [name for name in names[2:] if not name.startswith("Navigation")]
    assert later == ["DialogOpened", "DialogClosed", "TabOpened", "PopupOpened"]
    popup = next(event for event in seen if isinstance(event, events.PopupOpened))
    assert popup.opener_tab_id == browser.state.tabs[0].tab_id
    assert told.get(0) is None
    assert list(told) == []


def test_operator_use_event_names_subscribe_to_the_corresponding_events(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", "plain")
    with browser.events(events.NavigationSettledEvent, events.StateInvalidatedEvent) as told:
        browser.goto(url)
        settled = told.get(10)
    assert isinstance(settled, events.NavigationSettledEvent)
    assert settled.url == url


def test_callback_receives_only_the_event_types_it_subscribed_to(
    browser: Browser, site: Site
) -> None:
    seen: list[events.Notice] = []
    done = threading.Event()

    def heard(event: events.Notice) -> None:
        seen.append(event)
        done.set()
        raise RuntimeError("a subscriber's own fault")

    with browser.events(events.DialogOpened, callback=heard):
        browser.goto(site.page("/", "<script>setTimeout(() => alert('ding'))</script>"))
        assert done.wait(60)
        browser.dialog("accept")
    (event,) = seen
    assert isinstance(event, events.DialogOpened)
    assert event.dialog.message == "ding"
    assert browser.evaluate("1").value == 1
    with pytest.raises(InvalidArgument, match="not an event type"):
        browser.events(int)  # type: ignore[arg-type]


@pytest.mark.anyio
async def test_async_event_iterator_stops_when_the_browser_closes(site: Site) -> None:
    seen: list[str] = []
    async with tabwarden.Browser.launch() as browser:

        async def read() -> None:
            told = browser.events(events.TargetCrashed, events.EndpointLost)
            seen.extend([type(event).__name__ async for event in told])

        reader = asyncio.create_task(read())
        await browser.goto(site.page("/", "page"))
        with pytest.raises(tabwarden.TabwardenError):
            await browser.cdp("Page.crash", timeout_ms=allow(5_000))
    await asyncio.wait_for(reader, 60)
    assert seen == ["TargetCrashed", "EndpointLost"]
