"""Waiting for one condition, in any frame and across navigations; viewport sizes."""

from __future__ import annotations

import re
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.pace import allow, long_before
from support.reading import ref_of
from support.site import Site
from support.telling import hang

from tabwarden.config import BrowserConfig
from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.sync import Browser

LATER = "<script>setTimeout(() => document.body.append('Order  placed'), 300)</script>"
NOW = "<p>Order <b>placed</b></p>"
CLOSES = "<p id=busy>Loading…</p><script>setTimeout(() => busy.remove(), 300)</script>"
SHADOW = """<div id=host></div><script>setTimeout(() => {
  host.attachShadow({mode: 'open'}).innerHTML = '<button class=late>Order placed</button>';
}, 300)</script>"""


def frame(url: str, style: str = "width:300px;height:200px") -> str:
    return f'<iframe src="{url}" style="{style}"></iframe>'


def test_wait_sleeps_for_the_given_time(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    began = time.monotonic()
    assert browser.wait(0.3).value["waited_ms"] >= 295
    assert time.monotonic() - began >= 0.295


def test_wait_rejects_a_time_longer_than_its_budget_at_once(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    with long_before(60), pytest.raises(InvalidArgument, match="exceeds the call's") as caught:
        browser.wait(61, timeout_ms=60_000)
    assert caught.value.data["field"] == "time_s"


@pytest.mark.parametrize("body", [NOW, LATER, SHADOW, '<input type=button value="Order placed">'])
def test_wait_finds_text_that_is_present_or_appears_later(
    body: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", body))
    with long_before(20):
        result = browser.wait(text="order placed", timeout_ms=20_000)
    assert result.value["frame_id"] == browser.state.frame_tree.top.frame_id
    assert result.value["waited_ms"] < 10_000


@pytest.mark.parametrize("where", ["here", "there"])
def test_wait_finds_text_in_a_frame(where: str, browser: Browser, site: Site) -> None:
    site.page("/inner", LATER)
    browser.goto(site.page("/", frame(f"{getattr(site, where)}/inner")))
    inner = browser.state.frame_tree.children[0].frame_id
    assert browser.wait(text="Order placed").value["frame_id"] == inner


@pytest.mark.long
def test_wait_finds_text_in_a_frame_added_later(browser: Browser, site: Site) -> None:
    site.page("/inner", NOW)
    adding = f"""<script>setTimeout(() => {{
      const one = document.createElement('iframe'); one.src = '{site.there}/inner';
      document.body.append(one);
    }}, 300)</script>"""
    browser.goto(site.page("/", adding))
    browser.wait(text="Order placed", timeout_ms=10_000)


@pytest.mark.long
@pytest.mark.parametrize("where", ["here", "there"])
def test_wait_finds_text_on_the_next_page(where: str, browser: Browser, site: Site) -> None:
    site.page("/next", LATER)
    url = f"{getattr(site, where)}/next"
    browser.goto(site.page("/", f"<script>setTimeout(() => location = '{url}', 300)</script>"))
    assert browser.wait(text="Order placed", timeout_ms=10_000).url == url


@pytest.mark.usefixtures("patient")  # or Tabwarden reports a slow page as recovering
@pytest.mark.parametrize(
    "hidden", [f'<div style="display:none">{NOW}</div>', "<script>// Order placed</script>"]
)
def test_wait_does_not_find_hidden_text(hidden: str, browser: Browser, site: Site) -> None:
    site.page("/inner", NOW)
    nowhere = frame(f"{site.there}/inner", "display:none")
    browser.goto(site.page("/", hidden + nowhere))
    with pytest.raises(BudgetExceeded) as caught:
        browser.wait(text="Order placed", timeout_ms=1000)
    assert caught.value.data["state"] == "idle"
    browser.wait(text_gone="Order placed")


@pytest.mark.parametrize("where", ["", "here", "there"])
def test_wait_ends_when_text_disappears(where: str, browser: Browser, site: Site) -> None:
    site.page("/inner", CLOSES)
    body = frame(f"{getattr(site, where)}/inner") if where else CLOSES
    browser.goto(site.page("/", body))
    browser.wait(text_gone="Loading…")
    assert "Loading" not in browser.snapshot().text


@pytest.mark.long
def test_wait_ends_when_text_disappears_with_its_page_or_frame(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<p>Loading…</p>")
    site.page("/next", "there")
    removing = "<script>setTimeout(() => document.querySelector('iframe').remove(), 300)</script>"
    browser.goto(site.page("/", frame(f"{site.there}/inner") + removing))
    browser.wait(text_gone="Loading…")
    going = "<p>Loading…</p><script>setTimeout(() => location = '/next', 300)</script>"
    browser.goto(site.page("/going", going))
    assert browser.wait(text_gone="Loading…").url.endswith("/next")


def test_wait_for_a_selector_returns_a_ref(browser: Browser, site: Site) -> None:
    site.page("/inner", SHADOW)
    browser.goto(site.page("/", frame(f"{site.there}/inner")))
    ref = browser.wait(selector="button.late").value["ref"]
    assert ref == ref_of(browser.snapshot(), '"Order placed"')
    assert browser.click(ref).status == "ok"


def test_wait_for_a_selector_waits_until_the_element_is_visible(
    browser: Browser, site: Site
) -> None:
    showing = "<script>setTimeout(() => late.hidden = false, 300)</script>"
    browser.goto(site.page("/", f"<p id=late hidden>late</p>{showing}"))
    assert browser.wait(selector="#late", timeout_ms=20_000).value["waited_ms"] < 10_000
    assert browser.wait(selector="css=#late").value["ref"]
    assert not browser.evaluate("late.hidden").value


def test_wait_matches_a_url_pattern(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p>x</p>"))
    assert browser.wait(url=site.here).status == "ok"
    browser.evaluate("setTimeout(() => history.pushState(0, '', '/shop/done?a=1'), 300); null")
    assert browser.wait(url="*/shop/*?a=*").url.endswith("/shop/done?a=1")
    with pytest.raises(BudgetExceeded):
        browser.wait(url="*/shop", timeout_ms=600)


@pytest.mark.parametrize("state", ["domcontentloaded", "load", "networkidle"])
def test_wait_reaches_each_load_state(state: Any, browser: Browser, site: Site) -> None:
    assert browser.wait(load_state=state).status == "ok", "an empty tab has nothing to load"
    site.page("/next", "<h1>Next</h1>", title="Next")
    browser.goto(site.page("/", "<p>x</p>"))
    browser.evaluate("location = '/next'; null")
    result = browser.wait(load_state=state)
    assert (result.url, result.title) == (site.here + "/next", "Next")
    browser.back()
    assert browser.wait(load_state=state).status == "ok"


def test_wait_reads_a_frame_while_the_page_around_it_hangs(browser: Browser, site: Site) -> None:
    site.page("/inner", LATER)
    browser.goto(site.page("/", frame(f"{site.there}/inner")))
    inner = browser.state.frame_tree.children[0].frame_id
    browser.snapshot()
    hang(browser, site)
    browser.evaluate("document.body.append('All done')", frame_id=inner)
    with long_before(60):  # not until the page continues
        seen = browser.wait(text="All done", timeout_ms=60_000).value
    assert seen["frame_id"] == inner


@pytest.mark.long
def test_wait_barely_slows_down_a_busy_page(browser: Browser, site: Site) -> None:
    many = "<p>one of many</p>" * 5000
    ticking = "<i id=tick></i><script>setInterval(() => tick.textContent = Date.now(), 10)</script>"
    browser.goto(site.page("/", many + ticking))
    measure = """new Promise((done) => { let n = 0, began = performance.now();
      const next = () => performance.now() - began > 1000 ? done(n) : (n++, setTimeout(next));
      next(); })"""
    alone = browser.evaluate(measure).value
    waiting = threading.Thread(target=lambda: _late(browser))
    waiting.start()
    watched = browser.evaluate(measure).value
    waiting.join()
    assert watched > alone / 3


def _late(browser: Browser) -> None:
    with pytest.raises(BudgetExceeded):
        browser.wait(text="never", timeout_ms=2000)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"text": "Done"}, "waiting for the text 'Done', which is in the page but hidden: e1 ("),
        ({"selector": "#late"}, "'#late' to be visible, which is in the page but hidden: e1 ("),
        ({"text": "Nothing"}, "it was waiting for the text 'Nothing'."),
        ({"text_gone": "Here"}, "it was waiting for the text 'Here' to disappear."),
        ({"url": "/other"}, "it was waiting for a URL like '/other'."),
        ({"script": "window.no"}, "it was waiting for the script 'window.no'."),
        (
            {"any_of": [{"text": "A"}, {"text_gone": "Here"}]},
            "'A'; or the text 'Here' to disappear.",
        ),
    ],
)
def test_wait_timeout_error_contains_the_condition_and_a_hidden_match(
    given: dict[str, Any], words: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<p>Here</p><p id=late style=display:none>Done</p>"))
    with pytest.raises(BudgetExceeded) as late:
        browser.wait(**given, timeout_ms=allow(600))
    assert words.replace("e1 (", "") in late.value.message
    if "e1 (" in words:
        ref = re.search(r"hidden: (e\d+) ", late.value.message)
        assert ref is not None
        assert browser.evaluate("el => el.id", ref[1]).value == "late"


def test_dialog_interrupts_wait(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    browser.evaluate("setTimeout(() => alert('now'), 1000); null")
    assert browser.wait(text="never").interrupted
    browser.dialog("accept")


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({}, "text", "not nothing"),
        ({"text": "a", "url": "b"}, "text", "text and url"),
        ({"time_s": -1}, "time_s", "greater than or equal to 0"),
        ({"time_s": float("nan")}, "time_s", "finite"),
        ({"text": " "}, "text", "non-empty"),
        ({"load_state": "done"}, "load_state", "'domcontentloaded', 'load' or 'networkidle'"),
        ({"selector": "p["}, "selector", "not a CSS selector"),
    ],
)
def test_wait_rejects_invalid_conditions(
    given: dict[str, Any], field: str, words: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "x"))
    with pytest.raises(InvalidArgument, match=words) as caught:
        browser.wait(**given)
    assert caught.value.data["field"] == field


SIZE = "[innerWidth, innerHeight, matchMedia('(max-width: 700px)').matches]"


@pytest.mark.long
def test_viewport_keeps_its_size_across_navigations(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Go</button>"))
    assert browser.resize(600, 420).value == {"width": 600, "height": 420}
    assert browser.evaluate(SIZE).value == [600, 420, True]
    browser.goto(site.there + "/")
    assert browser.evaluate(SIZE).value == [600, 420, True]
    assert browser.click(ref_of(browser.snapshot(), '"Go"')).status == "ok"
    browser.tabs("open")
    assert browser.evaluate(SIZE).value[2] is False, "another tab has its own size"


@pytest.mark.parametrize(
    ("size", "field"), [((0, 500), "width"), ((500, 8193), "height"), ((500.5, 500), "width")]
)
def test_resize_rejects_sizes_out_of_range(size: Any, field: str, browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.resize(*size)
    assert caught.value.data["field"] == field


def serve_file(site: Site, path: str) -> None:
    """A file that browsers download."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Disposition", 'attachment; filename="report.bin"')
        handler.send_header("Content-Length", "3")
        handler.end_headers()
        handler.wfile.write(b"all")

    site.pages[path] = respond


def test_wait_finds_a_download_that_started_before_or_starts_during_the_wait(
    site: Site, tmp_path: Path
) -> None:
    serve_file(site, "/file")
    with Browser.launch(config=BrowserConfig(download_dir=tmp_path)) as browser:
        browser.goto(site.page("/", "<a href=/file>Get</a>"))
        browser.download(site.here + "/file", "ours.bin")  # reported by its own result
        ref = ref_of(browser.snapshot(), "Get")
        browser.click(ref)
        first = browser.wait(download=True, filename="first.bin").value["download"]
        assert (first["status"], first["tab_id"]) == ("completed", "t1")
        assert Path(first["path"]) == tmp_path / "first.bin"
        assert browser.state.downloads[-1].path == first["path"]
        browser.click(ref)
        browser.click(ref)
        assert browser.wait(download="dl-3").value["download"]["id"] == "dl-4"
        assert browser.wait(download=True).value["download"]["id"] == "dl-3"
        with pytest.raises(BudgetExceeded, match="download"):
            browser.wait(download=True, timeout_ms=200)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"download": "report.bin"}, "download"),
        ({"download": True, "text": "a"}, "text"),
        ({"text": "a", "filename": "b"}, "filename"),
        ({"download": True, "filename": "a/b"}, "filename"),
    ],
)
def test_wait_rejects_invalid_download_conditions(
    given: dict[str, Any], field: str, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.wait(**given, timeout_ms=2000)
    assert caught.value.data["field"] == field
