"""Typing into the editors that web applications use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.applications import bundle, npm_packages
from support.site import Site

from tabwarden.sync import Browser

pytestmark = pytest.mark.long

SOURCES = Path(__file__).with_name("editors")
PAGE = """<div id=app contenteditable role=textbox aria-label=Editor style="min-height:2em"></div>
<div id=host></div><script src=/script.js></script>"""
EDITORS = {
    "lexical": ("lexical.js", "lexical@0.52.0", "@lexical/rich-text@0.52.0"),
    "slate": (
        "slate.jsx",
        "slate@0.146.0",
        "slate-react@0.146.1",
        "slate-dom@0.146.1",
        "react@19.2.0",
        "react-dom@19.2.0",
    ),
    "prosemirror": (
        "prosemirror.js",
        "prosemirror-view@1.41.3",
        "prosemirror-state@1.4.4",
        "prosemirror-commands@1.7.1",
        "prosemirror-keymap@1.2.3",
        "prosemirror-schema-basic@1.2.4",
    ),
    "quill": ("quill.js", "quill@2.0.3"),
    "codemirror 6": ("codemirror_6.js", "codemirror@6.0.2", "@codemirror/lang-json@6.0.2"),
    "codemirror 5": ("codemirror_5.js", "codemirror@5.65.20"),
}
BUSY = """<script>setInterval(() => {
  const began = performance.now(); while (performance.now() - began < 60);
}, 70)</script>"""
JSON = '{\n  "name": "Ann",\n  "list": [\n    1,\n    {\n      "a": "b"\n    }\n  ]\n}'
CAUGHT = "codemirror 5"
"""An editor that renders its own text."""


def paragraphs(browser: Browser) -> str:
    """The text in the editor's own model."""
    return "\n".join(browser.evaluate("paragraphs()").value).replace("\xa0", " ")


@pytest.fixture(params=EDITORS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_editor(name: str, browser: Browser, site: Site) -> Callable[[str], str]:
    """Open a page with the editor; return the editor's ref."""
    source, *packages = EDITORS[name]
    script = bundle(npm_packages(*packages), (SOURCES / source).read_text("utf-8"))
    site.pages["/script.js"] = partial(javascript, script.encode())

    def opened(more: str = "") -> str:
        page = PAGE if name == "lexical" else PAGE.partition("\n")[2]
        browser.goto(site.page("/", page + more))
        return browser.snapshot().ref("Editor")

    return opened


def javascript(body: bytes, to: BaseHTTPRequestHandler) -> None:
    to.send_response(200)
    to.send_header("Content-Type", "text/javascript; charset=utf-8")
    to.send_header("Content-Length", str(len(body)))
    to.end_headers()
    to.wfile.write(body)


@pytest.mark.whole
@pytest.mark.parametrize("slowly", [False, True])
def test_type_creates_a_paragraph_for_each_line(
    open_editor: Callable[[str], str], browser: Browser, *, slowly: bool
) -> None:
    browser.type("one\ntwo\n\nthree", open_editor(""), slowly=slowly)
    assert paragraphs(browser) == "one\ntwo\n\nthree"


@pytest.mark.whole
@pytest.mark.parametrize("slowly", [False, True])
def test_type_keeps_brackets_and_indentation_or_reports_a_difference(
    open_editor: Callable[[str], str], browser: Browser, *, slowly: bool
) -> None:
    done = browser.type(JSON, open_editor(""), slowly=slowly)
    is_exact = paragraphs(browser) == JSON
    assert is_exact or "Without slowly" in done.note
    assert is_exact or slowly


@pytest.mark.whole
def test_type_replaces_and_deletes_text_while_the_page_is_busy(
    name: str, open_editor: Callable[[str], str], browser: Browser
) -> None:
    ref = open_editor(BUSY)
    for text in ("first", "second", "", "third", ""):
        browser.evaluate("document.activeElement.blur()")
        browser.type(text, ref, clear=True if name == CAUGHT else None)
        assert paragraphs(browser) == text
