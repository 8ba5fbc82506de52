"""Performance traces of real pages, also of pages that hang."""

from __future__ import annotations

import json
import random
import struct
import zlib
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.site import Site

from tabwarden.config import load_config
from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

APP = """function busy(ms) { const t = performance.now(); while (performance.now() - t < ms); }
addEventListener("beforeunload", () => {  // the old document's: not of the next load
  document.querySelector("button").style.marginTop = "50px"; fetch("/old");
});
setTimeout(() => busy(120), 50);
setTimeout(() => {
  const ad = document.createElement("div"); ad.style.height = "200px"; ad.textContent = "ad";
  document.querySelector("img").before(ad);
}, 250);"""
PAGE = """<link rel=stylesheet href=/s.css><h1>Shop</h1><img src=/hero.png alt=Hero width=600
height=300><button onclick="busy(150)">Buy</button><script src=/app.js></script>"""


def picture() -> bytes:
    """An image of noise, because Chromium ignores plain images here."""

    def part(kind: bytes, data: bytes) -> bytes:
        size, check = len(data), zlib.crc32(kind + data)
        return struct.pack(">I", size) + kind + data + struct.pack(">I", check)

    noise = random.Random(1)
    rows = b"".join(b"\0" + noise.randbytes(3 * 200) for _ in range(100))
    head = part(b"IHDR", struct.pack(">IIBBBBB", 200, 100, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")


def serve(site: Site, path: str, kind: str, body: bytes) -> None:
    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.pages[path] = respond


def shop(site: Site) -> str:
    serve(site, "/s.css", "text/css", b"h1 { color: red }")
    serve(site, "/app.js", "text/javascript", APP.encode())
    serve(site, "/hero.png", "image/png", picture())
    return site.page("/", PAGE)


def events_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(Path(value["file"]["path"]).read_text())[
        "traceEvents"
    ]
    return events


def test_performance_measures_a_page_load_and_lists_its_phases(
    browser: Browser, site: Site
) -> None:
    browser.goto(shop(site))
    done = browser.performance(duration_s=1, filename="load.json", ignore_cache=True)
    told = done.value
    hero = told["lcp"]
    assert (hero["kind"], hero["element"]["name"]) == ("image", "Hero")
    assert hero["url"].endswith("/hero.png")
    assert sum(hero["parts_ms"].values()) == pytest.approx(hero["ms"], abs=1)
    assert browser.inspect(hero["element"]["ref"]).value["tag"] == "img"
    (shift,) = told["cls"]["shifts"]
    assert {one["name"] for one in shift["elements"]} >= {"Hero", "Buy"}
    long = told["long_tasks"]["tasks"][0]
    assert long["ms"] >= 120
    assert long["script"].startswith(f"{site.here}/app.js:5:")
    assert f"{site.here}/s.css" in [one["url"] for one in told["requests"]["blocking"]]
    assert "/old" not in str(told["requests"])
    assert told["requests"]["bytes"] > len(picture())
    assert told["inp"] is None
    assert Path(told["file"]["path"]).name == "load.json"
    assert "navigationStart" in {one["name"] for one in events_of(told)}


@pytest.mark.long
def test_performance_measures_an_interaction_between_start_and_stop(
    browser: Browser, site: Site
) -> None:
    browser.goto(shop(site))
    with pytest.raises(InvalidArgument) as refused:
        browser.performance("stop")
    assert refused.value.data["field"] == "mode"
    assert browser.performance("start").value == {"recording": True}
    with pytest.raises(InvalidArgument, match="already"):
        browser.performance("start")
    button = browser.find(role="button").value["found"][0]["ref"]
    browser.click(button)
    browser.wait(time_s=0.4)
    told = browser.performance("stop").value
    assert told["lcp"] is None
    assert (told["inp"]["kind"], told["inp"]["element"]["ref"]) == ("click", button)
    assert told["inp"]["parts_ms"]["processing"] >= 150
    with pytest.raises(InvalidArgument) as wrong:
        browser.performance("start", filename="trace.txt")
    assert wrong.value.data["field"] == "filename"


def test_dialog_interrupts_performance_while_the_trace_keeps_recording(
    browser: Browser, site: Site
) -> None:
    site.pages["/"] = "<script>alert('hi')</script>"
    browser.goto(f"{site.here}/quiet")
    browser.evaluate("history.replaceState(null, '', '/')")
    asked = browser.performance(duration_s=0)
    assert asked.interrupted
    assert "still being recorded" in asked.note
    browser.dialog("accept")
    assert browser.performance("stop").value["url"] == f"{site.here}/"


@pytest.mark.long
def test_performance_recovers_a_hung_page_and_returns_its_trace(
    browser: Browser, site: Site
) -> None:
    hangs = "if (sessionStorage.again) setTimeout(function loops() { for (;;); }, 300); "
    browser.goto(
        site.page("/hangs", f"<h1>Hi</h1><script>{hangs}sessionStorage.again = 1</script>")
    )
    done = browser.performance(duration_s=0.6, timeout_ms=30_000)
    assert "hung" in done.note
    long = done.value["long_tasks"]["tasks"][0]
    assert long["ms"] > 1000
    assert (long["script"].startswith(f"{site.here}/hangs"), long["function"]) == (True, "loops")
    assert browser.evaluate("1 + 1").value == 2


def test_performance_trace_contains_no_pages_of_other_tasks_and_no_secrets(
    port: int, site: Site
) -> None:
    secrets = {"KEY": {"value": "hunter2-secret", "origins": [site.here]}}
    config = load_config(None, secrets=secrets).browser
    url = f"http://127.0.0.1:{port}"
    with (
        Browser.connect(url, context="own") as other,
        Browser.connect(url, context="own", config=config) as mine,
    ):
        site.page("/other", "<h1>Other</h1>")
        mine.goto(site.page("/mine", "<h1>Mine</h1><script src='/x.js?q=hunter2-secret'></script>"))
        mine.performance("start")
        other.goto(f"{site.there}/other")
        mine.reload()
        told = mine.performance("stop").value
    text = Path(told["file"]["path"]).read_text()
    assert "/mine" in text
    assert "{{KEY}}" in text
    assert "/other" not in text
    assert "hunter2-secret" not in text
