"""A person opens the live view and sees the agents' actions."""

from __future__ import annotations

import re
import threading

import pytest
from support.eventually import eventually
from support.pace import allow
from support.site import Site
from support.watching import Agents, RawViewer, Watched, open_view

from tabwarden.sync import Browser

BUSY = """<canvas id=c width=900 height=500></canvas><script>
let n = 0;
const x = c.getContext('2d');
(function draw() {
  x.fillStyle = `hsl(${n % 360}, 70%, 50%)`;
  x.fillRect((n++ * 7) % 900, (n * 3) % 500, 80, 60);
  requestAnimationFrame(draw);
})();
</script>"""
PICTURE = "document.querySelector('canvas').dataset"


def see(viewer: Browser) -> str:
    return str(viewer.evaluate("document.querySelector('main')?.innerText").value)


def open_task(viewer: Browser, watched: Watched) -> None:
    """Open the task "agent" from the overview."""
    viewer.evaluate(f"location.hash = '#/task/{watched.live.id}.agent'")
    eventually(lambda: viewer.evaluate("Boolean(document.querySelector('.stage'))").value)


def test_live_view_link_works_once_and_disappears_from_the_address_bar(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", "hello", title="The shop")))
    link = watched.link()
    open_view(browser, link)
    eventually(lambda: "The shop" in see(browser))
    assert browser.evaluate("location.href").value == f"{watched.url}/live/#/"
    assert browser.evaluate("document.cookie").value == ""  # no script can read it
    browser.tabs("open", url="about:blank")
    browser.cookies("clear")
    browser.goto(link)
    eventually(lambda: "You need a new link" in see(browser))


@pytest.mark.long
def test_live_view_link_opened_from_another_site_works(
    browser: Browser, watched: Watched, site: Site
) -> None:
    browser.goto(
        site.page("/mail", f'<a href="{watched.link()}">watch</a>').replace(
            "127.0.0.1", "localhost"
        )
    )
    browser.click(browser.snapshot().ref("watch"))
    eventually(lambda: "Tasks" in see(browser))


@pytest.mark.long
def test_live_view_survives_a_reload(browser: Browser, watched: Watched) -> None:
    open_view(browser, watched.link())
    browser.reload()
    eventually(lambda: "1 open" in see(browser))


@pytest.mark.long
def test_live_view_streams_images_only_while_the_page_changes(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", BUSY)))
    open_view(browser, watched.link(task="agent"))
    eventually(lambda: int(browser.evaluate(f"{PICTURE}.number ?? 0").value) > 10)
    agents.call(agents.browser.goto(site.page("/still", "still")))
    rate = "document.querySelector('.rate').textContent"
    eventually(lambda: browser.evaluate(rate).value == "no changes")


@pytest.mark.long
def test_timeline_describes_each_call_in_plain_language(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agent = agents.browser
    agents.call(agent.goto(site.page("/", "<button>Buy</button><input aria-label=Name>")))
    open_view(browser, watched.link(task="agent"))
    page = agents.call(agent.snapshot())
    agents.call(agent.click(page.ref("Buy")))
    agents.call(agent.type("Bert", page.ref("Name")))
    eventually(lambda: "Typed “Bert” in field “Name”" in see(browser))
    assert "Clicked button “Buy”" in see(browser)
    waits = agents.begin(agent.evaluate("new Promise(() => {})", timeout_ms=allow(3_000)))
    eventually(lambda: "Running a script" in see(browser))
    assert waits.exception(60) is not None
    eventually(lambda: "Took too long" in see(browser))
    newest = "document.querySelector('.entry .what').textContent"
    eventually(lambda: browser.evaluate(newest).value == "Running a script failed")
    failed = "document.querySelectorAll('[data-status=failed]').length"
    before = browser.evaluate(failed).value
    hangs = agents.begin(agent.evaluate("while (true);", timeout_ms=allow(1_500)))
    assert hangs.exception(60) is not None
    eventually(lambda: browser.evaluate(failed).value == before + 1)
    browser.evaluate("document.querySelector('.entry').click()")
    eventually(lambda: "Tabwarden stopped the page's scripts." in see(browser))


def test_live_view_masks_a_password_that_the_agent_types(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agent, field = agents.browser, "<input type=password aria-label=Password>"
    agents.call(agent.goto(site.page("/", field)))
    open_view(browser, watched.link(task="agent"))
    agents.call(agent.type("hunter2-x", agents.call(agent.snapshot()).ref("Password")))
    eventually(lambda: "Typed masked text in field “Password”" in see(browser))
    assert "hunter2-x" not in str(browser.evaluate("document.documentElement.outerHTML").value)


@pytest.mark.long
def test_timeline_entry_expands_to_show_a_calls_result(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", "<h1>Prices</h1>")))
    open_view(browser, watched.link(task="agent"))
    agents.call(agents.browser.snapshot())
    eventually(lambda: "Read the page" in see(browser))
    browser.evaluate("document.querySelector('.entry').click()")
    eventually(lambda: 'heading "Prices"' in see(browser))


@pytest.mark.long
def test_hover_highlights_an_element_in_page_and_outline(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    browser.resize(1280, 800)  # beside the outline, not above it
    place = "position: fixed; left: 100px; top: 80px; width: 200px; height: 60px"
    agents.call(agents.browser.goto(site.page("/", f"<button style='{place}'>Buy</button>")))
    agents.call(agents.browser.snapshot())
    open_view(browser, watched.link(task="agent"))
    browser.click(browser.snapshot().ref("Outline"))
    eventually(lambda: 'button "Buy"' in see(browser))
    eventually(lambda: browser.evaluate(f"Number({PICTURE}.number)").value)
    found = browser.evaluate(
        """(() => {
      const { left, top, width } = document.querySelector('.stage canvas').getBoundingClientRect();
      const scale = width / document.querySelector('.stage canvas').width;
      return [left + 200 * scale, top + 110 * scale];
    })()"""
    ).value

    def lit() -> bool:
        for nudge in (0, 1):
            browser.hover(x=found[0] + nudge, y=found[1])
        marks = "[...document.querySelectorAll('.lit, .box:not([hidden])')].length"
        return bool(browser.evaluate(marks).value == 2)

    eventually(lit)


@pytest.mark.long
def test_live_view_panels_show_console_messages_and_requests(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", "<script>console.error('no price')</script>")))
    open_view(browser, watched.link(task="agent"))
    browser.click(browser.snapshot().ref("Console"))
    eventually(lambda: "no price" in see(browser))
    browser.click(browser.snapshot().ref("Requests"))
    eventually(lambda: "New requests appear here" in see(browser))
    agents.call(agents.browser.goto(site.page("/next", "next")))
    eventually(lambda: f"{site.here}/next" in see(browser))


def test_live_view_shows_page_text_as_text_and_not_as_markup(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    evil = "<img src=x onerror=alert(1)>"
    escaped = evil.replace("<", "&lt;")
    agents.call(agents.browser.goto(site.page("/", escaped, title=escaped)))
    agents.call(agents.browser.snapshot())
    open_view(browser, watched.link())
    eventually(lambda: evil in see(browser))
    assert browser.evaluate("document.querySelectorAll('main img').length").value == 0


@pytest.mark.long
def test_slow_viewer_gets_fewer_images_and_does_not_delay_the_agent(
    watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", BUSY)))
    viewer = RawViewer(watched)
    name = f"{watched.live.id}.agent"
    viewer.until(lambda told: told.get("task") == name)
    viewer.send({"type": "watch", "task": name, "pictures": "large"})
    viewer.until(lambda told: told["type"] == "picture")
    viewer.rest(0.5)  # it acknowledges no image to the server
    assert viewer.pictures == 2
    for number in range(20):
        assert (
            agents.call(agents.browser.evaluate(str(number), timeout_ms=allow(2000))).value
            == number
        )
    viewer.send({"type": "seen", "task": name})
    viewer.until(lambda told: told["type"] == "picture")
    viewer.close()


def test_screencast_stops_when_the_last_viewer_leaves(
    watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", BUSY)))
    supervisor = agents.browser._task.supervisor
    viewer = RawViewer(watched)
    name = f"{watched.live.id}.agent"
    viewer.until(lambda told: told.get("task") == name)
    viewer.send({"type": "watch", "task": name, "pictures": "small"})
    viewer.until(lambda told: told["type"] == "picture")
    assert supervisor._audience.listeners
    viewer.close()
    eventually(lambda: not supervisor._audience.listeners)


@pytest.mark.long
def test_overview_adds_and_removes_tasks(
    browser: Browser, watched: Watched, agents: Agents
) -> None:
    open_view(browser, watched.link())
    session = watched.tasks.pop("agent")
    eventually(lambda: "No task has an open browser" in see(browser))
    command = "tabwarden open https://example.com"
    assert command in see(browser)
    browser.permission("clipboard-write")
    browser.click(browser.snapshot().ref("Copy"))
    eventually(lambda: browser.clipboard("read").value["text"] == command)
    watched.tasks["second"] = session
    eventually(lambda: "second" in see(browser))


def test_task_counts_as_watched_only_while_its_page_is_open(watched: Watched) -> None:
    """A watched task is not idle. Watching the overview keeps no task open."""
    viewer = RawViewer(watched)
    name = f"{watched.live.id}.agent"
    viewer.until(lambda told: told["type"] == "task")
    viewer.send({"type": "watch", "task": name, "pictures": "small"})
    viewer.until(lambda told: told["type"] == "picture")
    assert not watched.live.is_watched("agent")
    viewer.send({"type": "watch", "task": name, "pictures": "large", "parts": ["outline"]})
    viewer.until(lambda told: told["type"] == "outline")
    assert watched.live.is_watched("agent")
    assert not watched.live.is_watched("another")
    viewer.close()
    eventually(lambda: not watched.live.is_watched("agent"))


LOST = """(() => ({
  line: document.querySelector("#line").innerText,
  page: document.querySelector("main").innerText,
  off: [...document.querySelectorAll(".control, .question form")].map(
    (one) => one.disabled || one.inert),
  dim: getComputedStyle(document.querySelector(".stage canvas")).filter,
  dot: getComputedStyle(document.querySelector("[data-active] span"), "::before").backgroundColor,
}))()"""


def test_live_view_disables_its_controls_when_the_server_dies(
    browser: Browser, agents: Agents, site: Site
) -> None:
    button = "<button onclick='confirm(1)'>Ask</button>"
    agents.call(agents.browser.goto(site.page("/", button, title="The shop")))
    agents.call(agents.browser.click(agents.call(agents.browser.snapshot()).ref("Ask")))
    with Watched(agents) as watched:
        open_view(browser, watched.link(task="agent"))
        eventually(lambda: "Take control" in see(browser))
        alive = browser.evaluate(LOST).value
        assert (alive["off"], alive["dim"], alive["line"]) == ([False, False], "none", "")
    eventually(lambda: "No connection" in browser.evaluate(LOST).value["line"])
    dead = browser.evaluate(LOST).value
    assert (dead["off"], dead["dim"]) == ([True, True], "grayscale(1)")
    assert dead["dot"] != alive["dot"]
    for place in ("line", "page"):
        assert re.search(r"No connection to the server since \d\d:\d\d:\d\d", dead[place])
    agents.call(agents.browser.dialog("dismiss"))


@pytest.mark.long
def test_live_view_reconnects_after_the_server_was_unresponsive(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", "hello")))
    open_view(browser, watched.link(task="agent"))
    eventually(lambda: "Take control" in see(browser))
    goes_on = threading.Event()
    agents.loop.call_soon_threadsafe(goes_on.wait)
    try:
        eventually(lambda: "No connection" in browser.evaluate(LOST).value["line"])
    finally:
        goes_on.set()
    eventually(lambda: browser.evaluate(LOST).value["line"] == "")
    assert browser.evaluate(LOST).value["off"] == [False]


def test_live_view_shows_the_task_name_first(browser: Browser, watched: Watched) -> None:
    open_view(browser, watched.link())
    name = "document.querySelector('.card .about').innerText"
    eventually(lambda: str(browser.evaluate(name).value).startswith("agent"))
    browser.evaluate("document.querySelector('.card').click()")
    eventually(lambda: str(browser.evaluate("document.title").value).startswith("agent"))


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_live_view_fits_the_screen_width(
    browser: Browser, agents: Agents, site: Site, width: int
) -> None:
    agents.call(agents.browser.goto(site.page("/", "hello")))
    browser.resize(width, 800)
    wide = "document.documentElement.scrollWidth - innerWidth"
    with Watched(agents) as watched:
        open_view(browser, watched.link(task="agent", read_only=True))
        eventually(lambda: "View only" in str(browser.evaluate(ALL).value))
        assert browser.evaluate(wide).value <= 0
    eventually(lambda: "No connection" in browser.evaluate(LOST).value["line"])
    assert browser.evaluate(wide).value <= 0
    browser.resize(1280, 720)


ALL = "document.body.innerText"
