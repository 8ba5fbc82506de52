"""Emulation applies to all tabs from their first script on, and survives faults."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from browser.surfaces.mcp.host import hosting
from support.eventually import eventually
from support.pace import allow
from support.relay import Relay
from support.site import Site

from tabwarden import events
from tabwarden.errors import InvalidArgument, PageUnreachable, TargetCrashed
from tabwarden.recording import RECORDER
from tabwarden.sync import Browser

META = "<meta name=viewport content='width=device-width'>"
SEEN = """<script>
window.seen = {
  width: innerWidth, scale: devicePixelRatio, agent: navigator.userAgent,
  language: navigator.language, locale: new Intl.NumberFormat().resolvedOptions().locale,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  print: matchMedia('print').matches, touch: navigator.maxTouchPoints, online: navigator.onLine,
};</script>"""
PHONE = {
    "width": 360, "scale": 3, "language": "de-AT", "locale": "de-AT", "zone": "Asia/Tokyo",
    "dark": True, "still": True, "print": True, "touch": 5, "online": True,
}  # fmt: skip
WHERE = """new Promise((yes) => navigator.geolocation.getCurrentPosition(
  ({coords: at}) => yes([at.latitude, at.longitude, at.accuracy]), (e) => yes(e.message)))"""


@pytest.fixture
def browser(browser: Browser) -> Iterator[Browser]:
    browser.emulate(reset=True)
    yield browser
    browser.emulate(reset=True)


def seen(browser: Browser, **where: Any) -> dict[str, Any]:
    found: dict[str, Any] = browser.evaluate("seen", **where).value
    return found


def as_phone(browser: Browser) -> dict[str, Any]:
    done = browser.emulate(
        device="Pixel 9",
        locale="de-AT",
        timezone="Asia/Tokyo",
        color_scheme="dark",
        reduced_motion="reduce",
        media="print",
    )
    shown: dict[str, Any] = done.value
    return shown


def test_emulate_applies_before_the_first_script_in_all_tabs_until_reset(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", META + SEEN)
    browser.goto(url)
    before = seen(browser)
    shown = as_phone(browser)
    assert shown["device"]["name"] == "Pixel 9"
    assert shown["timezone"] == "Asia/Tokyo"
    browser.goto(url)
    now = seen(browser)
    agent = now.pop("agent")
    assert now == PHONE
    major = browser.cdp("Browser.getVersion").value["product"].partition("/")[2].partition(".")[0]
    assert f"Chrome/{major}.0.0.0 Mobile" in agent
    browser.tabs("open", url=site.there + "/")
    assert seen(browser) == PHONE | {"agent": agent}
    browser.evaluate("void open(location.href)")
    browser.tabs("switch", tab_index=-1 + len(browser.state.tabs))
    browser.wait(load_state="load")
    assert seen(browser) == PHONE | {"agent": agent}
    assert browser.emulate(reset=True).value == {}
    browser.goto(url)
    assert seen(browser) == before


@pytest.mark.parametrize("rel", ["noopener", "opener"])
@pytest.mark.parametrize("device", ["Pixel 7", "iPhone 15"])
def test_first_request_of_a_new_tab_sends_the_emulated_device_headers(
    browser: Browser, site: Site, device: str, rel: str
) -> None:
    told: dict[str, dict[str, str]] = {}

    def told_by(request: BaseHTTPRequestHandler) -> None:
        names = ("user-agent", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform")
        told[request.path] = {one: request.headers[one] for one in names}
        request.send_response(200)
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages |= {"/known": told_by, "/new": told_by}
    browser.emulate(device=device)
    browser.goto(site.here + "/known")
    browser.goto(site.page("/", f"<a href=/new target=_blank rel={rel}>New</a>"))
    browser.click(browser.snapshot().ref("New"))
    eventually(lambda: "/new" in told)
    assert told["/new"] == told["/known"]


def test_emulate_applies_to_a_cross_site_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", SEEN)
    as_phone(browser)
    browser.goto(site.page("/", f"{META}<iframe src={site.there}/inner></iframe>"))
    (inner,) = browser.state.frame_tree.children
    assert inner.is_oopif
    there = seen(browser, frame_id=inner.frame_id)
    for key in ("language", "locale", "zone", "dark", "still", "touch"):
        assert there[key] == PHONE[key], key
    assert "Android" in there["agent"]


@pytest.mark.long
def test_emulate_changes_and_resets_single_settings(browser: Browser, site: Site) -> None:
    url = site.page("/", META + SEEN)
    as_phone(browser)
    shown = browser.emulate(timezone="", media="", user_agent="Agent/1.0").value
    assert "timezone" not in shown
    assert shown["locale"] == "de-AT"
    browser.goto(url)
    now = seen(browser)
    assert (now["agent"], now["print"], now["dark"], now["language"]) == (
        "Agent/1.0", False, True, "de-AT",
    )  # fmt: skip
    assert now["zone"] != "Asia/Tokyo"
    browser.emulate(device="pixel-9 LANDSCAPE", user_agent="")
    browser.goto(url)
    assert (seen(browser)["width"], "Android" in seen(browser)["agent"]) == (756, True)
    assert "device" not in browser.emulate(device="").value


def test_click_hits_refs_on_an_emulated_phone_with_a_desktop_page(
    browser: Browser, site: Site
) -> None:
    as_phone(browser)
    for meta in ("", META):
        button = "<button onclick=\"document.title='hit'\">Go</button>"
        browser.goto(site.page("/", f"{meta}<div style='height:1500px'></div>{button}"))
        browser.click(browser.snapshot().ref("Go"))
        assert browser.evaluate("document.title").value == "hit"


@pytest.mark.parametrize("device", ["Desktop HiDPI", "Pixel 7"])
def test_click_hits_its_target_during_a_full_page_screenshot(
    browser: Browser, site: Site, device: str
) -> None:
    """While Chromium takes a picture, and after one that a navigation cut off, it put clicks at
    ``x / scale``, ``y / scale``: into the frame."""
    browser.emulate(device=device)
    site.page("/inner", "<button style='width: 100%; height: 90vh'>Other")
    url = site.page(
        "/",
        f"{META}<style>* {{ margin: 0 }} button {{ position: absolute; left: 300px; width: 80px }}"
        "</style><button onclick='clicks += 1'>Go</button><script>var clicks = 0</script>"
        f"<iframe src={site.there}/inner width=260 height=200></iframe>",
    )
    task = browser._task
    for _ in range(4):
        browser.goto(url)
        ref = browser.snapshot().ref("Go")
        for clicks in range(1, 4):
            with ThreadPoolExecutor() as pool:
                picture = pool.submit(browser.screenshot)
                eventually(lambda: task.shutter.is_open or picture.done())  # noqa: B023
                browser.click(ref)
                picture.result()
            assert browser.evaluate("clicks").value == clicks
        task.supervisor.loop.call_soon_threadsafe(RECORDER.of(task)._pictures.take)


def test_resize_keeps_its_size_on_a_scaled_device(browser: Browser, site: Site) -> None:
    browser.emulate(device="Desktop HiDPI")
    url = site.page("/", META + SEEN)
    browser.goto(url)
    assert browser.resize(500, 400).value == {"width": 500, "height": 400}
    browser.goto(url)
    assert (seen(browser)["width"], seen(browser)["scale"]) == (500, 2)


def test_emulate_sends_headers_without_showing_their_values(browser: Browser, site: Site) -> None:
    got: list[Any] = []

    def answer(request: Any) -> None:
        got.append((request.headers.get("X-Key"), request.headers.get("Accept-Language")))
        request.send_response(200)
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/"] = answer
    done = browser.emulate(headers={"X-Key": "s3cret"}, locale="de-AT")
    assert done.value["headers"] == ["X-Key"]
    assert "s3cret" not in repr(done)
    browser.goto(site.here + "/")
    browser.tabs("open", url=site.here + "/")
    assert got[0][0] == got[1][0] == "s3cret"
    assert got[0][1].startswith("de-AT,de")
    browser.emulate(headers={})
    browser.goto(site.here + "/")
    assert got[2][0] is None


def test_emulate_switches_the_browser_offline_and_online(browser: Browser, site: Site) -> None:
    url = site.page("/", SEEN)
    browser.goto(url)
    browser.emulate(offline=True)
    assert browser.evaluate("navigator.onLine").value is False
    with pytest.raises(PageUnreachable, match="INTERNET_DISCONNECTED"):
        browser.goto(url)
    with pytest.raises(PageUnreachable, match="INTERNET_DISCONNECTED"):
        browser.tabs("open", url=url)
    browser.emulate(offline=False)
    browser.goto(url)
    assert seen(browser)["online"] is True


def test_emulate_sets_and_removes_the_geolocation(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    query = "navigator.permissions.query({name: 'geolocation'}).then((it) => it.state)"
    before = browser.evaluate(query).value
    browser.emulate(geolocation={"latitude": 52.5, "longitude": 13.4, "accuracy": 10})
    assert browser.evaluate(WHERE).value == [52.5, 13.4, 10]
    browser.emulate(geolocation={"latitude": -33, "longitude": 151})
    assert browser.evaluate(WHERE).value == [-33, 151, 1]
    assert "geolocation" not in browser.emulate(geolocation={}).value
    assert browser.evaluate(query).value in (before, "prompt")
    browser.permission("geolocation", "granted")
    browser.emulate(geolocation={"latitude": 1, "longitude": 1})
    browser.emulate(reset=True)
    assert browser.evaluate(query).value == "granted", "the agent's own grant stays"
    browser.permission("geolocation", "prompt")


@pytest.mark.long
def test_emulation_survives_a_lost_connection(port: int, site: Site) -> None:
    with Relay(port) as relay, Browser.connect(relay.url) as browser:
        url = site.page("/", META + SEEN)
        as_phone(browser)
        browser.emulate(geolocation={"latitude": 1, "longitude": 2})
        browser.goto(url)
        with browser.events(events.EndpointLost) as told:
            relay.cut()
            assert told.get(5) is not None
        browser.snapshot()
        browser.goto(url)
        now = seen(browser)
        now.pop("agent")
        assert now == PHONE | {"print": now["print"]}
        assert browser.evaluate("matchMedia('print').matches").value is True
        assert browser.evaluate(WHERE).value == [1, 2, 1]


@pytest.mark.long
def test_emulation_survives_a_page_crash(browser: Browser, site: Site) -> None:
    url = site.page("/", META + SEEN)
    as_phone(browser)
    browser.goto(url)
    with pytest.raises(TargetCrashed):
        browser.cdp("Page.crash", timeout_ms=allow(5_000))
    browser.reload()
    now = seen(browser)
    now.pop("agent")
    assert now == PHONE


@pytest.mark.long
def test_tab_keeps_its_emulated_timezone_when_its_opener_closes(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", META + SEEN)
    as_phone(browser)
    browser.goto(url)
    first = browser.state.active_tab_id
    browser.evaluate("void open(location.href)")
    second = browser.state.tabs[-1].tab_id
    browser.tabs("switch", tab_id=second)
    browser.wait(load_state="load")
    browser.tabs("close", tab_id=first)
    browser.reload()
    assert (seen(browser)["zone"], seen(browser)["locale"]) == ("Asia/Tokyo", "de-AT")
    browser.emulate(timezone="Europe/Paris")
    browser.reload()
    assert seen(browser)["zone"] == "Europe/Paris"


@pytest.mark.parametrize(
    ("arguments", "field", "nearest"),
    [
        ({"device": "iphone 155"}, "device", "iPhone 15"),
        ({"timezone": "Europe/Berln"}, "timezone", "Europe/Berlin"),
        ({"timezone": "tokio"}, "timezone", "Asia/Tokyo"),
        ({"timezone": "+02:00"}, "timezone", None),
        ({"locale": "de AT"}, "locale", "de-AT"),
        ({"locale": "xx-YY"}, "locale", "en-US"),
        ({"color_scheme": "black"}, "color_scheme", None),
        ({"media": "braille"}, "media", None),
        ({"geolocation": {"latitude": 91, "longitude": 0}}, "latitude", None),
        ({"geolocation": {"lat": 1, "lon": 0}}, "geolocation", None),
        ({"headers": {"X Y": "1"}}, "headers", None),
        ({"headers": {"X": "a\r\nEvil: hidden"}}, "headers", None),
        ({"headers": {"Cookie": "hidden"}}, "headers", None),
        ({"user_agent": "a\nb"}, "user_agent", None),
    ],
)
def test_emulate_rejects_invalid_values_and_suggests_the_nearest_ones(
    browser: Browser, arguments: dict[str, Any], field: str, nearest: str | None
) -> None:
    browser.emulate(color_scheme="dark")
    with pytest.raises(InvalidArgument) as caught:
        browser.emulate(**{"timezone": "Asia/Tokyo", **arguments})
    assert caught.value.data["field"] == field
    assert "hidden" not in str(caught.value)
    if nearest is not None:
        assert caught.value.data["nearest"] == nearest
    assert browser.emulate().value == {"color_scheme": "dark"}


@pytest.mark.anyio
@pytest.mark.long
async def test_emulate_tool_accepts_json_strings_from_a_model(site: Site) -> None:
    async with hosting() as host:
        place = '{"latitude": 1, "longitude": 2}'
        _, data = await host.call("browser_emulate", geolocation=place, device="Desktop")
        assert data["value"]["geolocation"]["longitude"] == 2
        error = await host.fail("browser_emulate", device="Nokia")
        assert error["data"]["field"] == "device"


def test_emulate_throttles_the_network_and_the_cpu(browser: Browser, site: Site) -> None:
    """The page's own clock is emulated, also in a cross-site frame."""
    site.page("/inner", "inner")
    browser.goto(site.page("/", f"<iframe src={site.there}/inner></iframe>"))
    shown = browser.emulate(network={"latency_ms": 300, "download_kbps": 1_000}, cpu=4).value
    assert shown == {"network": {"latency_ms": 300.0, "download_kbps": 1_000.0}, "cpu": 4.0}
    (inner,) = browser.state.frame_tree.children
    took = """(() => {const began = performance.now();
      return fetch('/x').then((r) => r.text()).then(() => performance.now() - began)})()"""
    assert browser.evaluate(took).value >= 290
    assert browser.evaluate(took, frame_id=inner.frame_id).value >= 290
    assert browser.emulate(network="slow 3g").value["network"] == {
        "name": "Slow 3G", "download_kbps": 400.0, "upload_kbps": 400.0, "latency_ms": 2_000.0,
    }  # fmt: skip
    assert browser.emulate(network="", cpu=1).value == {}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"network": "5G"}, "network"),
        ({"network": {"speed": 1}}, "network"),
        ({"network": {"latency_ms": -1}}, "network"),
        ({"cpu": 0.5}, "cpu"),
    ],
)
def test_emulate_rejects_an_invalid_network_or_cpu_speed(
    browser: Browser, wrong: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.emulate(offline=True, **wrong)
    assert refused.value.data["field"] == field
    assert browser.emulate().value == {}
