"""Effects elsewhere: what an input led to in frames, downloads and servers, and what the browser
refused. The page itself shows none of this."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import pytest
from support.eventually import eventually
from support.site import Site

from tabwarden.sync import Browser

BLOB = (
    "Object.assign(document.createElement('a'), {download: 'a.csv',"
    " href: window.URL.createObjectURL(new Blob(['a']))}).click()"
)
FRAME = "<iframe name=f hidden src=/inner></iframe>"
CASES = {
    "a frame": (FRAME + "<a target=f href=/two>Go</a>", 'a frame went to "/two"'),
    "a frame, to another site": (
        FRAME + "<a target=f href={there}/two>Go</a>",
        'a frame went to "{there}/two"',
    ),
    "a frame of another site": (
        "<iframe name=f src={there}/inner></iframe><a target=f href=/two>Go</a>",
        'a frame went to "/two"',
    ),
    "a frame, within another site": (
        "<iframe name=f src={there}/inner></iframe><a target=f href={there}/two>Go</a>",
        'a frame went to "{there}/two"',
    ),
    "a form in an empty frame": (
        "<iframe name=f></iframe><form method=post target=f action=/two><button>Go</button></form>",
        'a frame went to "/two"',
    ),
    "a new frame": (
        "<button onclick=\"document.body.append(Object.assign(document.createElement('iframe'),"
        " {src: '/two', hidden: true}))\">Go</button>",
        'a new frame shows "/two"',
    ),
    "a frame again": (
        FRAME + '<button onclick="f.location.reload()">Go</button>',
        'a frame loaded "/inner" again',
    ),
    "a frame without a page": (
        FRAME + "<a target=f href=/empty>Go</a>",
        'the server answered 204 to "/empty", so the page stays',
    ),
    "a frame that cannot load": (
        FRAME + "<a target=f href=http://nosuch.invalid/>Go</a>",
        'a frame could not load "http://nosuch.invalid/": net::ERR_NAME_NOT_RESOLVED',
    ),
    "a frame that takes long": (
        FRAME + "<a target=f href=/late>Go</a>",
        'a frame is loading "/late"',
    ),
    "a download by attribute": ("<a download href=/slow>Go</a>", "download dl-1 began"),
    "a download by header": (FRAME + "<a target=f href=/file>Go</a>", "download dl-1 began"),
    "a download by script": (f'<button onclick="{BLOB}">Go</button>', "download dl-1 began"),
    "a download that takes long": ("<a download href=/late>Go</a>", 'GET "/late" is in progress'),
    "no page": (
        "<form method=post action=/empty><button>Go</button></form>",
        'the server answered 204 to "/empty", so the page stays',
    ),
    "a data: link": (
        "<a href='data:text/html,hi'>Go</a>",
        'the browser refused: "Not allowed to navigate top frame to data URL: data:text/html,hi"',
    ),
    "a file: link": (
        "<a href=file:///etc/hosts target=_blank>Go</a>",
        'the browser refused: "Not allowed to load local resource: file:///etc/hosts"',
    ),
}


def answers(
    *, status: int = 200, seconds: float = 0, body: str = "", **headers: str
) -> Callable[[BaseHTTPRequestHandler], None]:
    """A server that responds after this time, as a part of the case."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        request.send_response(status)
        for name, value in (("Content-Length", str(len(body))), *headers.items()):
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body.encode())

    return answer


@pytest.fixture
def served(site: Site) -> Site:
    site.page("/two", "Two")
    site.page("/inner", "Inner")
    site.pages |= {
        "/empty": answers(status=204),
        "/file": answers(Content_Disposition="attachment; filename=b.txt"),
        "/slow": answers(seconds=0.3),
        "/late": answers(seconds=2.5),
    }
    return site


@pytest.mark.whole
@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=CASES)
def test_click_reports_effects_in_frames_downloads_and_server_requests(
    browser: Browser, served: Site, html: str, expected: str
) -> None:
    browser.goto(served.page("/", html.replace("{there}", served.there)))
    effect = browser.click(browser.snapshot().ref("Go"), snapshot="diff").effect
    assert expected.replace("{there}", served.there) in re.sub(r"dl-\d+", "dl-1", effect)


def test_click_does_not_report_an_earlier_browser_refusal(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<a href='data:text/html,hi' id=a>Go</a><button>Dead</button>"))
    browser.evaluate("a.click()")
    assert "refused" not in browser.click("text=Dead").effect


def test_click_on_a_link_to_a_dead_server_reports_the_network_error(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<a href=http://nosuch.invalid/>Go</a>"))
    clicked = browser.click("text=Go")
    assert "could not be loaded: net::ERR_NAME_NOT_RESOLVED" in clicked.note
    assert "The server's name could not be resolved" in clicked.note


CONFIRMED = {
    "goes on": ("location = '/two'", 'went to "/two"', 200),
    "goes to no page": ("location = '/missing'", 'went to "/missing"', 404),
    "asks the server": (
        "fetch('/slow').then(() => document.body.append('Deleted'))",
        '1 line appeared: "Deleted"',
        None,
    ),
    "shows it": ("document.body.append('Deleted')", '1 line appeared: "Deleted"', None),
    "opens a frame": ("f.location = '/two'", 'a frame went to "/two"', None),
    "does nothing": ("0", "", None),
}


@pytest.mark.calm  # an observer must be in the page before its dialog opens
@pytest.mark.whole
@pytest.mark.parametrize(("doing", "effect", "status"), CONFIRMED.values(), ids=CONFIRMED)
def test_dialog_reports_effects_of_the_script_after_the_answer(
    browser: Browser, served: Site, doing: str, effect: str, status: int | None
) -> None:
    html = f'{FRAME}<button onclick="confirm(1) && ({doing})">Go</button>'
    browser.goto(served.page("/", html))
    assert browser.click("text=Go").interrupted
    answered = browser.dialog("accept")
    assert answered.effect == effect
    assert answered.http_status == status
    assert answered.navigation == ("new_document" if status else "")
    assert browser.evaluate("1").new_since_last.effects == ()


@pytest.mark.parametrize("asks", ["find", "evaluate"])
def test_find_and_evaluate_return_a_title_set_by_a_script_after_load(
    browser: Browser, site: Site, asks: str
) -> None:
    script = "setTimeout(() => { document.title = 'Late'; fetch('/done') }, 700)"
    browser.goto(site.page("/", f"<script>onload = () => {script}</script>"))
    eventually(lambda: "/done" in site.hits)
    told = browser.evaluate("1") if asks == "evaluate" else browser.find(css="body")
    assert told.title == "Late"


LEAVING = {
    "by header": ("", {"Refresh": "30; url=/two"}, 'navigates to "{here}/two"'),
    "by meta": ("<meta http-equiv=refresh content=30>", {}, "reloads"),
}


@pytest.mark.parametrize(("body", "headers", "does"), LEAVING.values(), ids=LEAVING)
def test_goto_reports_that_the_page_will_refresh_by_itself(
    browser: Browser, site: Site, body: str, headers: dict[str, str], does: str
) -> None:
    site.pages["/leaving"] = answers(body=body, Content_Type="text/html", **headers)
    note = browser.goto(site.here + "/leaving").note
    does = does.replace("{here}", site.here)
    assert f"The page {does} by itself 30 s after it has loaded." in note
