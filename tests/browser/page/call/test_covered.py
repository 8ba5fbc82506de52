"""A browser window covers a tab: input then fails, and only then."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.pace import in_time
from support.running import running_chromium
from support.site import Site

from tabwarden.errors import BrowserGone, NotInteractable
from tabwarden.page import Snapshot
from tabwarden.sync import Browser

REST = """<button>Other</button><label>Box<input type=checkbox></label><label>Field<input></label>
<p style='height: 3000px'>"""
PASSKEY = """<button onclick="navigator.credentials.get({publicKey:
    {challenge: new Uint8Array(16), rpId: location.hostname}})">Go</button>"""
QUESTIONS = {
    "a passkey": (PASSKEY, "navigator.credentials.get: publicKey"),
    "the screen": (
        "<button onclick='navigator.mediaDevices.getDisplayMedia()'>Go</button>",
        "display-capture",
    ),
    "a wallet": (
        """<button onclick="navigator.credentials.get({digital: {requests:
        [{protocol: 'openid4vp-v1-unsigned', data: {}}]}})">Go</button>""",
        "navigator.credentials.get: digital",
    ),
    "a program, in a frame": (
        """<button onclick="document.body.insertAdjacentHTML('beforeend',
        '<iframe src=zoommtg:x></iframe>')">Go</button>""",
        "zoommtg:x",
    ),
    "a program, after a redirect": ("<a href=/redirect>Go</a>", ""),
}
ACTS: dict[str, Callable[[Browser, Snapshot], Any]] = {
    "click": lambda browser, seen: browser.click(seen.ref("Other")),
    "click at a point": lambda browser, seen: browser.click(x=300, y=300),
    "hover": lambda browser, seen: browser.hover(seen.ref("Other")),
    "press": lambda browser, seen: browser.press("a"),
    "scroll": lambda browser, seen: browser.scroll(),
    "drag": lambda browser, seen: browser.drag(seen.ref("Other"), seen.ref("Box")),
    "touch": lambda browser, seen: browser.touch("tap", seen.ref("Other")),
    "mouse": lambda browser, seen: browser.mouse("move", x=100, y=100),
    "wheel": lambda browser, seen: browser.mouse("wheel", x=100, y=100, delta_y=100),
    "check": lambda browser, seen: browser.check(seen.ref("Box")),
    "type slowly": lambda browser, seen: browser.type("x", ref=seen.ref("Field"), slowly=True),
    "type and Enter": lambda browser, seen: browser.type(
        "x", ref=seen.ref("Field"), press_enter=True
    ),
}
COVERS = "No click, key or scroll reaches this page"


def redirect(request: BaseHTTPRequestHandler) -> None:
    request.send_response(302)
    request.send_header("Location", "zoommtg:x")
    request.send_header("Content-Length", "0")
    request.end_headers()


@pytest.fixture(scope="module")
def whole() -> Iterator[Browser]:
    """A browser of somebody else: in a browser of its own, Tabwarden prevents most windows."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_chromium(Path(folder), executable=whole_chromium()) as port,
        Browser.connect(str(port)) as browser,
    ):
        yield browser


def lost_focus(browser: Browser) -> bool:
    return browser.evaluate("document.hasFocus()").value is False


def cover(browser: Browser, site: Site, question: str) -> None:
    """Make a page open a browser prompt, and wait until its window is open."""
    page, _ = QUESTIONS[question]
    site.pages["/redirect"] = redirect
    site.page("/", page + REST)
    browser.goto(f"{site.there}/")  # a passkey needs a name
    browser.click(browser.snapshot().ref("Go"))
    eventually(lambda: lost_focus(browser))


@needs("chromium")  # a headless shell opens no windows
@pytest.mark.whole
@pytest.mark.parametrize("act", ACTS)
def test_input_fails_when_a_browser_window_covers_the_page(
    whole: Browser, site: Site, act: str
) -> None:
    cover(whole, site, "a passkey")
    with pytest.raises(NotInteractable, match="did not receive the input") as refused, in_time(6):
        ACTS[act](whole, whole.snapshot())
    assert refused.value.data["reason"] == "covered_by_browser"
    assert "goto" in refused.value.hint


@needs("chromium")
@pytest.mark.whole
@pytest.mark.parametrize("question", QUESTIONS)
def test_press_and_snapshot_report_the_covering_window_until_goto(
    whole: Browser, site: Site, question: str
) -> None:
    whole.goto("about:blank")
    cover(whole, site, question)
    with pytest.raises(NotInteractable) as refused:
        whole.press("a")
    _, named = QUESTIONS[question]
    assert named in refused.value.message
    assert ("The likely cause" in refused.value.message) is bool(named)
    assert COVERS in whole.snapshot().text
    whole.goto(f"{site.there}/")
    seen = whole.snapshot()
    assert COVERS not in seen.text
    for act in ("click", "press", "scroll", "hover"):
        ACTS[act](whole, seen)


@needs("chromium")
@pytest.mark.whole
@pytest.mark.parametrize(
    ("leave", "path"), [("reload", "/"), ("back", "/before"), ("forward", "/after")]
)
def test_reload_back_and_forward_uncover_a_covered_tab(
    whole: Browser, site: Site, leave: str, path: str
) -> None:
    site.page("/before", REST)
    site.page("/after", REST)
    site.page("/", QUESTIONS["a wallet"][0] + REST)
    for visited in ("/before", "/", "/after"):
        whole.goto(site.there + visited)
    whole.back()
    whole.click(whole.snapshot().ref("Go"))
    eventually(lambda: lost_focus(whole))
    with pytest.raises(NotInteractable):
        whole.press("a")
    getattr(whole, leave)()
    assert whole.evaluate("location.pathname").value == path
    seen = whole.snapshot()
    assert COVERS not in seen.text
    whole.click(seen.ref("Other"))


@needs("chromium")
def test_click_works_again_after_the_page_closes_the_covering_window(
    whole: Browser, site: Site
) -> None:
    page = """<script>let stop = new AbortController();</script><button onclick="
    navigator.credentials.get({signal: stop.signal, publicKey:
    {challenge: new Uint8Array(16), rpId: location.hostname}})">Go</button>"""
    site.page("/", page + REST)
    whole.goto(f"{site.there}/")
    whole.click(whole.snapshot().ref("Go"))
    eventually(lambda: lost_focus(whole))
    with pytest.raises(NotInteractable):
        whole.press("a")
    whole.evaluate("stop.abort()")
    eventually(lambda: COVERS not in whole.snapshot().text)
    whole.click(whole.snapshot().ref("Other"))


STOPS = """<script>for (const kind of ['mousemove', 'pointermove', 'pointerrawupdate', 'mouseover',
    'pointerover', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'wheel', 'keydown',
    'keyup', 'keypress', 'touchstart', 'touchend', 'scroll'])
    addEventListener(kind, (e) => e.stopImmediatePropagation(), true)</script>"""
ALIVE = {
    "stops each event first": STOPS + REST,
    "is one canvas": "<canvas width=2000 height=2000></canvas>",
    "has a closed shadow root": """<div id=host></div><script>
        host.attachShadow({mode: 'closed'}).innerHTML = `<button>Other</button>`</script>""",
    "removes what is pressed": "<button onmousedown='this.remove()'>Other</button>",
    "removes itself": "<body onmousemove='document.documentElement.remove()'>Other",
    "takes no pointer": "<style>* { pointer-events: none }</style>Other",
    "is one frame": "<iframe srcdoc='<button>Other</button>' style='position: fixed; inset: 0;"
    " width: 100%; height: 100%; border: 0'></iframe>",
    "is one frame without scripts": "<iframe sandbox srcdoc='<button>Other</button>'"
    " style='position: fixed; inset: 0; width: 100%; height: 100%; border: 0'></iframe>",
    "is one frame of another site": "<iframe src=OTHER style='position: fixed; inset: 0;"
    " width: 100%; height: 100%; border: 0'></iframe>",
    "hides a frame in a closed shadow root": """<div id=host></div><script>
        host.attachShadow({mode: 'closed'}).innerHTML = `<iframe src=OTHER style='position: fixed;
        inset: 0; width: 100%; height: 100%; border: 0'></iframe>`</script>""",
    "has the focus in a frame of another site": "<iframe src=OTHER></iframe><p>Other<script>"
    "document.querySelector('iframe').focus()</script>",
    "opens a list": "<select autofocus><option>1<option>2</select><script>onmousemove = () =>"
    " document.querySelector('select').showPicker()</script>",
    "replaces itself": "<body onmousedown='document.open(); document.write(`new`);"
    " document.close()'>Other",
    "goes elsewhere": "<body style='height: 600px' onmousedown='location = `/other`'>Other",
    "is empty": "",
}
"""Pages that are not covered, whatever they do with an input."""


@pytest.mark.whole
@pytest.mark.parametrize("page", ALIVE)
def test_input_does_not_report_an_uncovered_page_as_covered(
    browser: Browser, site: Site, page: str
) -> None:
    site.page("/other", "<button>Other</button>")
    browser.goto(site.page("/", ALIVE[page].replace("OTHER", f"{site.there}/other")))
    for _ in range(2):  # before and after the first snapshot
        browser.press("a")
        browser.hover(x=200, y=200)
        if "sandbox" not in ALIVE[page]:  # no timers run there, so `scroll` would wait forever
            browser.scroll()
        browser.click(x=200, y=200)
        browser.mouse("move", x=100, y=100)
        browser.mouse("wheel", x=100, y=100, delta_y=50)
        browser.press("Escape")
        browser.touch("tap", x=220, y=220)
        browser.drag(from_x=50, from_y=50, to_x=300, to_y=300)
        seen = browser.snapshot()
        assert COVERS not in seen.text
        for ref, told in seen.refs.items():
            if told["name"] == "Other" and told["role"] == "button":
                browser.click(ref)
                break
    assert COVERS not in browser.snapshot().text


PDF = b"""%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 2000]>>endobj
trailer<</Root 1 0 R>>
"""


def pdf(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "application/pdf")
    request.send_header("Content-Length", str(len(PDF)))
    request.end_headers()
    request.wfile.write(PDF)


@needs("chromium")  # a headless shell shows no PDF
@pytest.mark.parametrize("path", ["/pdf", "/embedded"])
def test_input_does_not_report_a_pdf_page_as_covered(whole: Browser, site: Site, path: str) -> None:
    site.pages["/pdf"] = pdf
    site.page("/embedded", "<embed src=/pdf style='position: fixed; inset: 0; width: 100%'>")
    whole.goto("about:blank")
    whole.goto(site.here + path)
    for _ in range(2):
        whole.press("PageDown")
        whole.hover(x=200, y=200)
        whole.scroll()
        whole.click(x=200, y=200)
        whole.mouse("move", x=100, y=100)
        whole.mouse("wheel", x=100, y=100, delta_y=50)
        assert COVERS not in whole.snapshot().text


def test_input_that_closes_a_tab_or_opens_a_dialog_reports_no_covering_window(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<body style='height: 600px' onmousedown='alert(1)'>"))
    assert browser.click(x=50, y=50).interrupted
    browser.dialog("accept")
    closes = " ".join(f"on{kind}='window.close()'" for kind in ("mouseup", "keydown", "touchend"))
    site.page("/closes", f"<body style='height: 600px' {closes}>Shut")
    browser.goto(site.page("/", "<button onclick='window.open(`/closes`)'>Go</button>"))
    acts: list[Callable[[str], Any]] = [
        lambda tab_id: browser.click(x=50, y=50, tab_id=tab_id),
        lambda tab_id: browser.press("a", tab_id=tab_id),
        lambda tab_id: browser.touch("tap", x=50, y=50, tab_id=tab_id),
    ]
    for act in acts:
        browser.click(browser.snapshot().ref("Go"))
        eventually(lambda: len(browser.state.tabs) == 2)
        popup = browser.state.tabs[-1]
        eventually(lambda: f"{site.here}/closes" in {tab.url for tab in browser.state.tabs})
        browser.snapshot(tab_id=popup.tab_id)  # waits until it is rendered
        with contextlib.suppress(BrowserGone):
            act(popup.tab_id)
        eventually(lambda: len(browser.state.tabs) == 1)
