"""Live images of a task's tabs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from support.eventually import eventually
from support.pixels import colours
from support.site import Site

from tabwarden.errors import TargetCrashed
from tabwarden.page.screencast import Picture, Screencasts
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser

T = TypeVar("T")

FLICKERS = """<div id=d style="position:fixed; inset:0"></div><script>
let n = 0;
function draw() {
  d.style.background = document.title === 'end' ? 'green' : `hsl(${n++ * 9}, 80%, 50%)`;
  if (document.title !== 'end') requestAnimationFrame(draw);
}
draw();
</script>"""


def on_engine(function: Callable[[], T]) -> T:
    async def call() -> T:
        return function()

    return engine_loop().run_sync(call())


@contextmanager
def watched(browser: Browser, **wish: Any) -> Iterator[list[Picture]]:
    """The images that one listener receives."""
    pictures: list[Picture] = []
    screencasts: Screencasts = browser._task.screencasts
    watching = on_engine(lambda: screencasts.watch(pictures.append, **wish))
    try:
        yield pictures
    finally:
        on_engine(lambda: screencasts.unwatch(watching))


def color(browser: Browser, picture: Picture) -> str:
    image = SimpleNamespace(data=picture.data, media_type="image/jpeg")
    return colours(browser, image, (50, 50))[0]  # type: ignore[arg-type]


@pytest.mark.long
def test_last_screencast_frame_of_a_busy_page_shows_its_final_state(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FLICKERS))
    with watched(browser) as pictures:
        eventually(lambda: len(pictures) >= 20)
        browser.evaluate("document.title = 'end'")
        eventually(lambda: color(browser, pictures[-1]) == "green")
    assert pictures[-1].taken_at is not None
    assert pictures[-1].width == browser.evaluate("innerWidth").value


def test_screencast_sends_one_frame_of_a_static_page_and_one_after_each_change(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<body style='background: red'>"))
    with watched(browser) as pictures:
        eventually(lambda: pictures)
        browser.evaluate("document.body.style.background = 'blue'")
        eventually(lambda: color(browser, pictures[-1]) == "blue")
    assert len(pictures) <= 3


@pytest.mark.long
def test_screencast_frames_show_the_active_tab(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "one"))
    with watched(browser) as pictures:
        eventually(lambda: pictures)
        browser.tabs("open", url=site.page("/two", "two"))
        active = browser.state.active_tab_id
        eventually(lambda: pictures[-1].tab_id == active)


@pytest.mark.long
def test_screencast_listener_with_a_low_frame_rate_gets_the_newest_frame(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FLICKERS))
    with watched(browser) as all_of_them, watched(browser, fps=2, max_width=320) as few:
        eventually(lambda: len(all_of_them) >= 15)
        browser.evaluate("document.title = 'end'")
        eventually(lambda: few and color(browser, few[-1]) == "green")
        assert len(few) < len(all_of_them) / 2


def test_screencast_stops_when_no_listener_remains(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", FLICKERS))
    with watched(browser) as pictures:
        eventually(lambda: pictures)
    number = len(pictures)
    assert not browser._task.supervisor._audience.listeners
    browser.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert len(pictures) == number


@pytest.mark.parametrize("way", ["crash", "navigate"])
def test_screencast_continues_in_the_next_document(
    own_browser: Browser, site: Site, way: str
) -> None:
    browser = own_browser
    browser.goto(site.page("/", "<body style='background: red'>"))
    with watched(browser) as pictures:
        eventually(lambda: pictures)
        if way == "crash":
            with pytest.raises(TargetCrashed):
                browser.cdp("Page.crash")
        elsewhere = site.page("/green", "<body style='background: green'>")
        browser.goto(elsewhere.replace(site.here, site.there))
        eventually(lambda: color(browser, pictures[-1]) == "green")
