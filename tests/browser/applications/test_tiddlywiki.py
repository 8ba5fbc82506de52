"""TiddlyWiki: one page that draws everything, text areas, lists that come a moment after a key."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.applications import free_port, npm_packages, serving
from support.eventually import eventually
from support.reading import ref_of

from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.alone]


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


def test_a_note_of_several_lines_is_written_saved_and_found(wiki: Browser, url: str) -> None:
    wiki.click(wiki.snapshot().ref("new tiddler"))
    eventually(lambda: "multiline" in wiki.snapshot(full=True).text)
    text = ref_of(wiki.snapshot(full=True), "multiline")
    wiki.type("one\ntwo", text, clear=True)
    assert 'value="one\\ntwo"' in wiki.snapshot(full=True).text
    wiki.click(ref_of(wiki.snapshot(full=True), "Confirm changes to this tiddler"))
    asked = f"fetch('{url}recipes/default/tiddlers/New%20Tiddler').then(r => r.text())"
    eventually(lambda: '"text":"one\\ntwo"' in str(wiki.evaluate(asked).value))

    # Results come a moment after the keys.
    field = re.search(r"searchbox .*?\[ref=(e\d+)\]|searchbox \[ref=(e\d+)\]", wiki.snapshot().text)
    assert field is not None
    diff = wiki.type("New Tid", field[1] or field[2], snapshot="diff").snapshot
    assert diff is not None
    assert re.search(r'\+ .*link "New Tiddler"', diff.text), diff.text
