"""TiddlyWiki: a single-page application with text areas and lists that appear after a key press."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.applications import free_port, npm_packages, serving
from support.eventually import eventually
from support.reading import ref_of

from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.calm]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program = npm_packages("tiddlywiki@5.4.1") / "node_modules/tiddlywiki/tiddlywiki.js"
    port, folder = free_port(), tmp_path_factory.mktemp("tiddlywiki")
    command = ["node", program, folder / "wiki", "--init", "server", "--listen", f"port={port}"]
    with serving(command, f"http://127.0.0.1:{port}/", folder) as url:
        yield url


@pytest.fixture
def wiki(browser: Browser, url: str) -> Browser:
    browser.goto(url)
    browser.wait(text="new tiddler")
    return browser


def test_agent_writes_saves_and_finds_a_multiline_note(wiki: Browser) -> None:
    wiki.click(wiki.snapshot().ref("new tiddler"))
    field = "Type the text for this tiddler"
    eventually(lambda: field in wiki.snapshot(full=True).text)
    text = ref_of(wiki.snapshot(full=True), field)
    wiki.type("one\ntwo", text, clear=True)
    assert f'textbox "{field}" [ref={text}] active multiline value="one\\ntwo"' in (
        wiki.snapshot(full=True).text
    )
    wiki.click(ref_of(wiki.snapshot(full=True), "Confirm changes to this tiddler"))
    assert wiki.evaluate("$tw.wiki.getTiddlerText('New Tiddler')").value == "one\ntwo"

    # Results appear a moment after the key presses.
    query = ref_of(wiki.snapshot(), "- searchbox")
    diff = wiki.type("New Tid", query, snapshot="diff").snapshot
    assert diff is not None
    assert re.search(r'\+ .*link "New Tiddler"', diff.text), diff.text
