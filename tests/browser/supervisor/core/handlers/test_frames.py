"""Frame trees, compared with a second client's, after any frame changes by a page."""

from __future__ import annotations

import itertools
import json
import os
import random
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from support.cases import ALL
from support.eventually import eventually
from support.needs import require, whole_chromium
from support.pace import allow
from support.reading import ref_of
from support.running import browser_here, running_chromium
from support.site import Site
from websockets.sync.client import ClientConnection, connect

from tabwarden.errors import FrameNotFound, NotOopif, TabwardenError
from tabwarden.sync import Browser

QUIET_S = float(os.environ.get("TABWARDEN_QUIET_S", "20"))
"""How long a tree may take to become correct after a change."""
CHANGES = 300 if ALL else 15
"""The number of changes in a random history."""
SEEDS = int(os.environ.get("TABWARDEN_FRAME_SEEDS", "1"))
"""The number of random histories."""


class Entry(NamedTuple):
    """The facts that must be known about a frame."""

    parent: str | None
    url: str
    name: str
    is_oopif: bool
    loader: str


Tree = dict[str, Entry]


class Refused(Exception):
    """The browser rejected the second client's command: something changed while it looked."""


class Judge:
    """A second client, which attaches anew for each comparison and so has no old state."""

    def __init__(self, port: int) -> None:
        self.port = port
        told = urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version").read()
        self.address: str = json.loads(told)["webSocketDebuggerUrl"]
        self.whole = "Headless" not in json.loads(told)["Browser"]

    def tree(self, target_id: str) -> Tree:
        """The frames of a page, as reported by its processes."""
        with self._look() as look:
            return look.tree(target_id)

    def pages(self) -> set[str]:
        """The targets that a person sees as tabs."""
        with self._look() as look:
            infos = look.call("Target.getTargets")["targetInfos"]
        return {i["targetId"] for i in infos if i["type"] == "page" and not i.get("subtype")}

    @contextmanager
    def _look(self) -> Iterator[Look]:
        with connect(self.address, compression=None, max_size=None) as socket:
            yield Look(socket)

    def open_unattached(self, url: str) -> str:
        """Open a tab that no client is attached to; return its target ID."""
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?{url}", method="PUT")
        return str(json.loads(urllib.request.urlopen(asked).read())["id"])


class Look:
    """One connection of the second client."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    def call(
        self, method: str, params: dict[str, Any] | None = None, session_id: str | None = None
    ) -> Any:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params or {}}
        self._socket.send(json.dumps(message | ({"sessionId": session_id} if session_id else {})))
        while True:
            told = json.loads(self._socket.recv(timeout=QUIET_S))
            if told.get("id") == number:
                if "error" in told:
                    raise Refused(f"{method}: {told['error']['message']}")
                return told["result"]

    def tree(self, target_id: str) -> Tree:
        # No auto-attach: a second client's makes Chromium detach the first one from targets whose
        # documents are still on their way, and some of them then never arrive.
        found: Tree = {}
        self._add(found, target_id, None, is_oopif=False)
        waiting = [
            i for i in self.call("Target.getTargets")["targetInfos"] if i["type"] == "iframe"
        ]
        while below := [i for i in waiting if i["parentFrameId"] in found]:
            for info in below:
                waiting.remove(info)
                self._add(found, info["targetId"], info["parentFrameId"], is_oopif=True)
        return found

    def _add(self, found: Tree, target_id: str, parent: str | None, *, is_oopif: bool) -> None:
        attach = {"targetId": target_id, "flatten": True}
        session_id = self.call("Target.attachToTarget", attach)["sessionId"]
        tree = self.call("Page.getFrameTree", session_id=session_id)["frameTree"]
        self._fold(found, tree, parent, is_oopif=is_oopif)

    def _fold(self, found: Tree, tree: Any, parent: str | None, *, is_oopif: bool = False) -> None:
        frame = tree["frame"]
        url = frame.get("unreachableUrl") or frame["url"] + frame.get("urlFragment", "")
        told = Entry(parent, url, frame.get("name", ""), is_oopif, frame["loaderId"])
        found[frame["id"]] = told
        for child in tree.get("childFrames", ()):
            self._fold(found, child, frame["id"])


class Stage:
    """A supervised browser and the second client beside it."""

    def __init__(self, browser: Browser, judge: Judge) -> None:
        self.browser = browser
        self.judge = judge

    @property
    def target_id(self) -> str:
        state = self.browser.state
        return next(t.target_id for t in state.tabs if t.tab_id == state.active_tab_id)

    def known(self) -> Tree:
        """The supervisor's tree of the active tab."""
        tree, frames = self.browser.state.frame_tree, self.browser._task.supervisor.state.frames
        return {
            node.frame_id: Entry(
                node.parent_frame_id, node.url, node.name, node.is_oopif,
                frames[node.frame_id].loader_id if node.frame_id in frames else "gone",
            )
            for node in (*((tree.top,) if tree.top else ()), *tree.children)
        }  # fmt: skip

    def strays(self) -> set[str]:
        """Frames in the state that belong to no tab's tree."""
        snapshot = self.browser.state
        trees = snapshot.frame_trees.values()
        shown = {f.frame_id for t in trees for f in t.children}
        shown |= {t.top.frame_id for t in trees if t.top is not None}
        return set(self.browser._task.supervisor.state.frames) - shown

    def agree(self, expected: Callable[[Tree], bool] = bool) -> Tree:
        """Wait until both clients report the same tree, and ``expected`` accepts it."""
        why = ""

        def agreed() -> Tree | None:
            nonlocal why
            try:
                true = self.judge.tree(self.target_id)
            except (Refused, TimeoutError) as refused:
                why = str(refused)
                return None
            why = _difference(self.known(), true) or ", ".join(self.strays())
            if not why and expected(true):
                return true
            why = why or "both say so, but this is not expected: " + _lines(true)
            return None

        tree = eventually(agreed, within_s=QUIET_S, why_not=lambda: why)
        assert tree is not None
        return tree

    def count(self, number: int) -> Tree:
        """Wait until both clients report this many loaded frames."""
        return self.agree(lambda tree: len(tree) == number and all(e.url for e in tree.values()))

    def run(self, script: str, *args: object, frame_id: str | None = None) -> Any:
        return self.browser.evaluate(script, args=list(args), frame_id=frame_id).value

    def all_answer(self, tree: Tree) -> None:
        """Every frame in the tree runs a script."""
        for frame_id, entry in tree.items():
            told = eventually(lambda one=frame_id: self._url_of(one), within_s=QUIET_S)
            assert told == (entry.url or "about:blank")

    def _url_of(self, frame_id: str) -> str | None:
        try:
            return str(self.run("document.URL", frame_id=frame_id))
        except FrameNotFound:  # its document has no execution context yet
            return None


def _difference(known: Tree, true: Tree) -> str:
    lines = [
        f"{key[:6]}\n  known {known.get(key)}\n  true  {true.get(key)}"
        for key in sorted(known.keys() | true.keys())
        if known.get(key) != true.get(key)
    ]
    return "\n".join(lines)


def _lines(tree: Tree) -> str:
    return "".join(f"\n{key[:6]} {entry}" for key, entry in tree.items())


@contextmanager
def running(kind: str) -> Iterator[int]:
    """The debugging port of a Chromium that Tabwarden did not launch."""
    if kind == "whole":  # the headless shell has no back-forward cache
        require("chromium")
    path = whole_chromium() if kind == "whole" else browser_here().path
    with (
        TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_chromium(Path(folder), "--site-per-process", executable=path) as port,
    ):
        yield port


@pytest.fixture(scope="module", params=["chosen", "whole"])
def chromium(request: pytest.FixtureRequest) -> Iterator[int]:
    """One browser for all tests of its kind."""
    with running(request.param) as port:
        yield port


@pytest.fixture(scope="module")
def attached(chromium: int) -> Iterator[Browser]:
    with Browser.connect(f"http://127.0.0.1:{chromium}") as browser:
        yield browser


@pytest.fixture
def stage(attached: Browser, chromium: int) -> Stage:
    """The browser with one fresh tab."""
    before = attached.state
    attached.tabs("open")
    for tab in before.tabs:
        attached.tabs("close", tab_id=tab.tab_id)
    return Stage(attached, Judge(chromium))


@pytest.fixture
def unattended() -> Iterator[Judge]:
    """The second client of a browser without other clients."""
    with running("whole") as port:
        yield Judge(port)


SCRIPT = "<script>0</script>"
"""Without any script a document may have no world that a script could be evaluated in: Chromium
stops making them when a session on another frame in the same process ends."""
LEAF = "<p>leaf</p>" + SCRIPT


def frame(source: str, attributes: str = "") -> str:
    return f'<iframe src="{source}" {attributes}></iframe>'


def other(site: Site, origin: str) -> str:
    return site.there if origin == site.here else site.here


def nest(site: Site, origins: list[str], innermost: str) -> str:
    """Nested pages, the outermost on the first origin; return its URL."""
    site.pages.clear()
    site.page(f"/level{len(origins) - 1}", innermost + SCRIPT)
    for level in reversed(range(len(origins) - 1)):
        inner = frame(
            f"{origins[level + 1]}/level{level + 1}", f"name=in{level} width=800 height=600"
        )
        site.page(f"/level{level}", f"<p>Level {level}</p>{SCRIPT}{inner}")
    return f"{origins[0]}/level0"


def deepest(tree: Tree) -> str:
    """The innermost frame."""
    above = {entry.parent for entry in tree.values()}
    (found,) = tree.keys() - above
    return found


def only_child(tree: Tree) -> str:
    (found,) = (key for key, entry in tree.items() if entry.parent is not None)
    return found


# -- static trees ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["same site", "alternating", "pairs"])
def test_frame_tree_is_correct_for_frames_nested_five_deep(
    kind: str, stage: Stage, site: Site
) -> None:
    here, there = site.here, site.there
    origins = {
        "same site": [here] * 6,
        "alternating": [here, there] * 3,
        "pairs": [here, here, there, there, here, here],
    }[kind]
    stage.browser.goto(nest(site, origins, "<p>innermost</p>"))
    tree = stage.count(6)
    oopifs = sum(entry.is_oopif for entry in tree.values())
    assert oopifs == {"same site": 0, "alternating": 5, "pairs": 2}[kind]
    stage.all_answer(tree)


def test_agent_reads_clicks_and_evaluates_in_an_oopif_nested_five_deep(
    stage: Stage, site: Site
) -> None:
    pay = "<button onclick='window.paid = (window.paid || 0) + 1'>Pay</button>"
    stage.browser.goto(nest(site, [site.here, site.there] * 3, pay))
    inside = deepest(stage.count(6))
    snapshot = stage.browser.snapshot()
    assert "Level 4" in snapshot.text
    assert stage.browser.click(ref_of(snapshot, '"Pay"')).status == "ok"
    assert stage.run("window.paid", frame_id=inside) == 1
    assert stage.run("location.host", frame_id=inside) == site.there.removeprefix("http://")


@pytest.mark.long
def test_frame_tree_is_correct_for_200_frames_from_two_sites(stage: Stage, site: Site) -> None:
    site.page("/leaf", LEAF)
    site.page("/branch", SCRIPT + frame(f"{site.here}/leaf") + frame(f"{site.there}/leaf"))
    sources = [f"{origin}/leaf" for origin in (site.here, site.there)] * 40
    branches = [f"{origin}/branch" for origin in (site.here, site.there)] * 20
    stage.browser.goto(site.page("/", "".join(frame(s) for s in sources + branches)))
    tree = stage.count(201)
    assert sum(entry.is_oopif for entry in tree.values()) == 40 + 20 + 40
    told = stage.browser.cdp("Page.getFrameTree").value["frameTree"]
    assert len(told["childFrames"]) == 60, "the page's own process has all of its frames, uncapped"
    stage.run("document.body.textContent = ''")
    stage.count(1)


KINDS = {
    "srcdoc": '<iframe srcdoc="<p>x</p><iframe src=/leaf></iframe>"></iframe>',
    "about:blank": '<iframe src="about:blank" name=blank></iframe>',
    "no source": "<iframe id=empty></iframe>",
    "data:": '<iframe src="data:text/html,<p>data</p>"></iframe>',
    "javascript:": "<iframe src=\"javascript:'<p>made</p>'\"></iframe>",
    "blob:": """<iframe></iframe><script>document.querySelector('iframe').src =
        URL.createObjectURL(new Blob(['<p>blob</p>'], {type: 'text/html'}))</script>""",
    "object": '<object data="/leaf" type="text/html"></object>',
    "embed": '<embed src="/leaf" type="text/html">',
    "object of another site": '<object data="THERE/leaf" type="text/html"></object>',
    "frameset": '<frameset cols="1,1"><frame src=/leaf name=l><frame src=THERE/leaf></frameset>',
    "sandboxed": '<iframe sandbox src=/leaf></iframe><iframe sandbox srcdoc="x"></iframe>',
    "credentialless": "<iframe credentialless src=THERE/leaf></iframe>",
    "named": '<iframe name="a/\u00e9" src=/leaf#part></iframe>',
    "refused": '<iframe src="http://127.0.0.1:9/"></iframe>',
    "framing forbidden": "<iframe src=/forbidden></iframe><iframe src=THERE/forbidden></iframe>",
    "no content": "<iframe src=/nothing></iframe><iframe src=THERE/nothing></iframe>",
    "redirected": "<iframe src=/away></iframe>",
    "same URL as above": '<iframe src="/"></iframe>',
    "lazy": """<div style="height:20000px"></div><iframe loading=lazy src=THERE/leaf></iframe>""",
    "in shadow": """<x-y></x-y><script>document.querySelector('x-y').attachShadow({mode: 'closed'})
        .innerHTML = '<iframe src=THERE/leaf></iframe>'</script>""",
    "fenced": "<fencedframe></fencedframe><iframe src=THERE/leaf></iframe>",
    "written": """<iframe id=w></iframe><script>w.contentDocument.open();
        w.contentDocument.write('<p>hello</p><iframe src=THERE/leaf></' + 'iframe>');
        w.contentDocument.close()</script>""",
    "written later": """<iframe id=w src=/leaf></iframe><script>onload = () => {
        w.contentDocument.open(); w.contentDocument.write('<iframe srcdoc=x></' + 'iframe>');
        w.contentDocument.close(); document.title = 'done' }</script>""",
}
EXPECTED: dict[str, int | None] = {
    "srcdoc": 3,
    "frameset": 3,
    "sandboxed": 3,
    "framing forbidden": 3,
    "no content": 3,
    "written": 3,
    "written later": 3,
    "same URL as above": 3,
    "fenced": None,
}


def answer(status: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        if status != 204:
            request.send_header("Content-Length", "0")
        request.end_headers()

    return respond


def serve_kinds(site: Site) -> None:
    site.page("/leaf", LEAF)
    site.pages["/forbidden"] = answer(200, X_Frame_Options="DENY")
    site.pages["/nothing"] = answer(204)
    site.pages["/away"] = answer(302, Location=f"{site.there}/leaf")


@pytest.mark.parametrize("kind", KINDS)
def test_frame_tree_is_correct_for_each_kind_of_frame(kind: str, stage: Stage, site: Site) -> None:
    serve_kinds(site)
    body = KINDS[kind].replace("THERE", site.there)
    url = site.page("/", body)
    if kind == "frameset":  # in place of a body
        site.pages["/"] = body
    stage.browser.goto(url)
    number = EXPECTED.get(kind, 2)

    def expected(tree: Tree) -> bool:
        return number is None or len(tree) == number

    if kind == "lazy":
        stage.agree(expected)
        stage.run("document.querySelector('iframe').scrollIntoView()")
        stage.count(2)
    stage.agree(expected)
    stage.run("new Promise((done) => document.readyState === 'complete' ? done() : onload = done)")
    tree = stage.agree(expected)
    if kind not in ("framing forbidden", "refused"):
        stage.all_answer(tree)
    stage.browser.goto(site.page("/next", "next"))
    stage.count(1)


# -- changes -----------------------------------------------------------------------------------


@pytest.mark.long
def test_frame_tree_tracks_frames_that_scripts_add_remove_and_move(
    stage: Stage, site: Site
) -> None:
    site.page("/leaf", LEAF)
    site.page("/branch", SCRIPT + frame(f"{site.there}/leaf") + frame(f"{site.here}/leaf"))
    stage.browser.goto(site.page("/", "<div id=a></div><div id=b></div>"))
    for origin in (site.here, site.there):
        before = set(stage.count(1))
        stage.run(ADD_FRAME, f"{origin}/branch")
        (first,) = {k for k, e in stage.count(4).items() if e.url.endswith("/branch")} - before
        stage.run("b.append(document.querySelector('iframe'))")
        moved = stage.agree(lambda tree, first=first: len(tree) == 4 and first not in tree)  # type: ignore[misc]
        stage.all_answer(stage.count(4))
        stage.run("b.moveBefore?.(document.querySelector('iframe'), null)")
        stage.run("a.moveBefore?.(document.querySelector('iframe'), null)")
        assert set(stage.count(4)) >= {k for k, e in moved.items() if e.parent is None}
        stage.run("document.querySelector('iframe').remove()")
        stage.count(1)


GO = """(url) => new Promise((done) => {
    const frame = document.querySelector('iframe');
    frame.onload = done;
    frame.src = url;
}).then(() => 0)"""
ADD_FRAME = """(url) => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.onload = done;
    frame.src = url;
    document.querySelector('#a').append(frame);
}).then(() => 0)"""


@pytest.mark.long
@pytest.mark.parametrize("below", [False, True], ids=["leaf", "with child frames"])
def test_frame_keeps_its_entry_when_it_changes_processes(
    stage: Stage, site: Site, *, below: bool
) -> None:
    site.page("/leaf", LEAF)
    inside = frame(f"{site.here}/leaf") + frame(f"{site.there}/leaf")
    site.page("/inner", SCRIPT + inside if below else LEAF)
    stage.browser.goto(site.page("/", frame(f"{site.here}/inner", "name=one")))
    number = 4 if below else 2
    top = stage.target_id

    def place(tree: Tree) -> str:
        (found,) = (key for key, entry in tree.items() if entry.parent == top)
        return found

    first = place(stage.count(number))
    for step in range(6):
        origin = site.there if step % 2 == 0 else site.here
        url = f"{origin}/inner?{step}"
        stage.run(GO, url)

        def there(tree: Tree, url: str = url) -> bool:
            return len(tree) == number and tree[place(tree)].url == url

        tree = stage.agree(there)
        assert place(tree) == first
        assert tree[first].is_oopif == (origin == site.there)
        assert tree[first].name == "one"
        stage.all_answer(stage.count(number))


def test_frame_tree_tracks_navigations_inside_frames(stage: Stage, site: Site) -> None:
    site.page("/leaf", LEAF)
    stage.browser.goto(
        site.page("/", frame(f"{site.there}/leaf") + frame(f"{site.here}/leaf", "name=n"))
    )
    tree = stage.count(3)
    for key, entry in tree.items():
        stage.run("location.hash = '#deep'", frame_id=key)
        stage.agree(lambda tree, key=key: tree[key].url.endswith("#deep"))  # type: ignore[misc]
        if entry.parent is not None:
            stage.run("history.pushState(0, '', '/pushed')", frame_id=key)
            stage.agree(lambda tree, key=key: tree[key].url.endswith("/pushed"))  # type: ignore[misc]
            stage.run("setTimeout(() => location.href = '/leaf?again', 0)", frame_id=key)
            stage.agree(lambda tree, key=key: tree[key].url.endswith("?again"))  # type: ignore[misc]
    stage.all_answer(stage.count(3))


def test_frame_rewritten_by_document_open_gets_the_callers_url(stage: Stage, site: Site) -> None:
    site.page("/leaf", "leaf" + frame(f"{site.there}/inner"))
    site.page("/inner", "inner")
    stage.browser.goto(site.page("/", "<p>top</p>" + frame(f"{site.here}/leaf", "id=f")))
    stage.count(3)
    stage.run("f.contentDocument.open(); f.contentDocument.write('<p>new'); 0")
    stage.agree(lambda tree: len(tree) == 2)
    stage.run("f.contentDocument.close()")
    tree = stage.agree(lambda tree: len(tree) == 2)
    assert tree[only_child(tree)].url == f"{site.here}/"
    stage.all_answer(tree)
    stage.run("document.open(); document.write('<iframe srcdoc=x></iframe>'); document.close()")
    stage.all_answer(stage.agree(lambda tree: len(tree) == 2))


# -- back and forth ----------------------------------------------------------------------------


PAST = "<p>past</p>"


@pytest.mark.long
@pytest.mark.parametrize("cache", ["restored", "blocked"])
def test_frame_tree_is_correct_after_back_and_forward(cache: str, stage: Stage, site: Site) -> None:
    here, there = site.here, site.there
    restored = cache == "restored" and stage.judge.whole
    start = nest(site, [here, there, there, here], PAST)
    if cache == "blocked":
        site.pages["/level0"] = no_store(str(site.pages["/level0"]))
    for away in (f"{here}/next", f"{there}/next"):
        site.page("/next", frame(f"{there}/other"))
        site.page("/other", LEAF)
        stage.browser.goto(start)
        stage.run("window.kept = 1")
        before = stage.count(4)
        for _ in range(3 if ALL else 1):
            stage.browser.goto(away)
            stage.count(2)
            stage.browser.back()
            tree = stage.count(4)
            assert (stage.run("window.kept") == 1) == restored
            if restored:
                assert tree == before
            stage.all_answer(tree)
            assert "past" in stage.browser.snapshot().text
        stage.browser.forward()
        stage.all_answer(stage.count(2))


def no_store(body: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """A page with an unload listener, which keeps it out of the back-forward cache."""
    held = body + "<script>addEventListener('unload', () => {})</script>"

    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(held.encode())))
        request.send_header("Cache-Control", "no-store")
        request.end_headers()
        request.wfile.write(held.encode())

    return respond


# -- prerendering ------------------------------------------------------------------------------


def prerendering(judge: Judge, site: Site, body: str) -> str:
    """A tab of nobody's that has prerendered /next; its target's id.

    Chromium prerenders nothing in a tab that a client of the debugging port is attached to.
    """
    rules = '{"prerender": [{"source": "list", "urls": ["/next"], "eagerness": "immediate"}]}'
    site.page("/next", body, title="Next")
    start = site.page("/", f"<script type=speculationrules>{rules}</script>start", title="Start")
    target_id = judge.open_unattached(start)
    eventually(lambda: "/leaf" in site.hits)
    return target_id


NEXT = """<button onclick="document.title = 'pressed'">Go</button><iframe src=/leaf></iframe>
    <iframe src="THERE/leaf"></iframe><script>fetch('/running')</script>"""


def test_prerendering_page_is_not_listed_as_a_tab(unattended: Judge, site: Site) -> None:
    site.page("/leaf", LEAF)
    target_id = prerendering(unattended, site, NEXT.replace("THERE", site.there))
    with Browser.connect(f"http://127.0.0.1:{unattended.port}") as browser:
        state = browser.state
        assert {tab.target_id for tab in state.tabs} == unattended.pages()
        (tab,) = (tab for tab in state.tabs if tab.target_id == target_id)
        browser.tabs("switch", tab_id=tab.tab_id)
        Stage(browser, unattended).count(1)
        assert browser.state.pending_dialogs == ()
        assert browser.evaluate("document.title").value == "Start"
        browser.tabs("close", tab_id=tab.tab_id)


@pytest.mark.parametrize("when", ["while attached", "before"])
def test_activated_prerendered_page_keeps_the_same_tab(
    when: str, unattended: Judge, site: Site
) -> None:
    site.page("/leaf", LEAF)
    target_id = prerendering(unattended, site, NEXT.replace("THERE", site.there))
    address = f"http://127.0.0.1:{unattended.port}"

    def tab_id(browser: Browser) -> str:
        (tab,) = (tab for tab in browser.state.tabs if tab.target_id == target_id)
        browser.tabs("switch", tab_id=tab.tab_id)
        return tab.tab_id

    if when == "before":
        with Browser.connect(address) as first:
            tab_id(first)
            first.evaluate("location.href = '/next'; 0")
            first.wait(url="*/next")
    with Browser.connect(address) as browser:
        before = tab_id(browser)
        stage = Stage(browser, unattended)
        if when == "while attached":
            browser.evaluate("location.href = '/next'; 0")
        tree = stage.count(3)
        assert tab_id(browser) == before
        stage.all_answer(tree)
        browser.click(ref_of(browser.snapshot(), '"Go"'))
        assert browser.evaluate("document.title").value == "pressed"
        browser.evaluate("setTimeout(() => { document.title = confirm('Sure?') }, 0); 0")
        eventually(lambda: browser.state.pending_dialogs)
        browser.snapshot()
        assert [d.message for d in browser.state.pending_dialogs] == ["Sure?"]
        browser.dialog("accept")
        browser.goto(site.page("/after", "after"))
        stage.count(1)
        assert "after" in browser.snapshot().text
        browser.tabs("close", tab_id=before)


# -- raw CDP -----------------------------------------------------------------------------------


def test_raw_cdp_command_runs_in_the_specified_frame(stage: Stage, site: Site) -> None:
    url = nest(site, [site.here, site.there, site.there, site.here], "<p>innermost</p>")
    stage.browser.goto(url)
    tree = stage.count(4)
    cdp = stage.browser.cdp
    expression = {"expression": "window.ran = document.URL"}
    for frame_id, entry in tree.items():
        if entry.parent is None or entry.is_oopif:
            told = cdp("Runtime.evaluate", expression, frame_id=frame_id).value
            assert told["result"]["value"] == entry.url
            assert stage.run("window.ran", frame_id=frame_id) == entry.url
            own = cdp("Page.getFrameTree", frame_id=frame_id).value["frameTree"]
            assert own["frame"]["id"] == frame_id
        else:
            with pytest.raises(NotOopif) as refused:
                cdp("Runtime.evaluate", expression, frame_id=frame_id)
            assert refused.value.code == "not_oopif"
            assert "contentWindow" in str(refused.value)
            assert "browser.evaluate(script=" in str(refused.value)
            assert stage.run("window.ran", frame_id=frame_id) is None
    with pytest.raises(FrameNotFound):
        cdp("Runtime.evaluate", expression, frame_id="gone")


# -- random changes ----------------------------------------------------------------------------

MUTATE = """(kind, pick, url, markup) => new Promise((done) => {
    const frames = [...document.querySelectorAll('iframe, object, embed')];
    const frame = frames[pick % (frames.length || 1)];
    const body = document.body || document.documentElement;
    setTimeout(done, 400);  // what never loads (a 204, a lazy frame) is not waited for any longer
    const loaded = (element) => { element.onload = element.onerror = () => done() };
    const holder = document.createElement('div');
    switch (kind) {
    case 'add':
        holder.innerHTML = markup;
        loaded(holder.firstElementChild);
        body.append(holder.firstElementChild);
        return;
    case 'blob':
        holder.innerHTML = '<iframe></iframe>';
        holder.firstChild.src = URL.createObjectURL(new Blob([markup], {type: 'text/html'}));
        loaded(holder.firstChild);
        body.append(holder.firstChild);
        return;
    case 'go':
        if (!frame || frame.localName !== 'iframe') return done();
        loaded(frame);
        frame.src = url;
        return;
    case 'remove': frame?.remove(); return done();
    case 'move': if (frame) { loaded(frame); body.prepend(frame); } else done(); return;
    case 'slide': if (frame) body.moveBefore?.(frame, body.firstChild); return done();
    case 'clear': body.replaceChildren(); return done();
    case 'hash': location.hash = pick; return done();
    case 'push': if (location.protocol === 'http:') history.pushState(0, '', '?' + pick);
        return done();
    case 'open':
        try {
            const inner = frame.contentDocument;
            inner.open(); inner.write(markup); inner.close();
        } catch {}
        return done();
    case 'leave': setTimeout(() => { location.href = url }, 0); return;
    case 'twice': if (frame) { frame.src = 'about:blank?' + pick; frame.src = url; } return done();
    }
}).then(() => 0)"""
STEPS = ["add"] * 8 + (
    "blob go go go remove remove move slide clear hash push open leave twice top away back forward "
    "reload"
).split()
MANY = 30


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.long
def test_frame_tree_is_correct_after_random_frame_changes(
    seed: int, stage: Stage, site: Site
) -> None:
    serve_kinds(site)
    site.page("/branch", SCRIPT + frame("/leaf") + frame(f"{site.there}/leaf"))
    site.page("/deep", SCRIPT + frame(f"{site.there}/branch") + frame(f"{site.here}/branch"))
    top = site.page("/top", SCRIPT + frame(f"{site.there}/leaf"))
    chance = random.Random(f"{seed}")
    stage.browser.goto(top)
    steps: list[str] = []
    for number in range(CHANGES):
        tree = stage.known()
        frame_id = chance.choice(list(tree)) if tree else None
        kind = (
            chance.choice(STEPS) if len(tree) < MANY else chance.choice(["remove", "clear", "top"])
        )
        origin = chance.choice([site.here, site.there])
        url = origin + chance.choice(["/leaf", "/leaf", "/branch", "/deep", "/nothing", "/away"])
        markup = chance.choice(list(MARKUPS)).replace("URL", url)
        steps.append(f"{number} {kind} in {str(frame_id)[:6]} {url} {markup}")
        try:
            _step(stage.browser, kind, chance.randrange(1000), frame_id, url, markup, top)
        except TabwardenError as error:  # its frame was removed, so there is nothing to go back to
            steps[-1] += f": {error.code}"
        if number % 5 == 4:
            try:
                stage.agree()
            except AssertionError as error:
                raise AssertionError(f"{error}\nafter\n" + "\n".join(steps[-25:])) from None
    stage.browser.goto(site.page("/end", "end"))
    stage.count(1)


MARKUPS = (
    '<iframe src="URL"></iframe>',
    '<iframe src="URL" name="named"></iframe>',
    '<iframe src="URL" sandbox></iframe>',
    '<iframe src="URL" sandbox="allow-scripts allow-same-origin"></iframe>',
    '<iframe src="URL" loading=lazy></iframe>',
    "<iframe></iframe>",
    "<iframe src='about:blank'></iframe>",
    "<iframe srcdoc='<p>x</p><iframe src=\"URL\"></iframe>'></iframe>",
    "<iframe src='data:text/html,<iframe src=\"URL\"></iframe>'></iframe>",
    "<iframe src=\"javascript:'made'\"></iframe>",
    '<object data="URL" type="text/html"></object>',
    '<embed src="URL" type="text/html">',
)


def _step(
    browser: Browser, kind: str, pick: int, frame_id: str | None, url: str, markup: str, top: str
) -> None:
    match kind:
        case "top":
            browser.goto(top)
        case "away":
            browser.goto(url.replace("/nothing", "/leaf"))
        case "back":
            browser.back(timeout_ms=allow(3_000))
        case "forward":
            browser.forward(timeout_ms=allow(3_000))
        case "reload":
            browser.reload()
        case _:
            arguments = [kind, pick, url, markup]
            browser.evaluate(MUTATE, args=arguments, frame_id=frame_id, timeout_ms=allow(3_000))
