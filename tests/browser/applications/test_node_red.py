"""Node-RED: a palette without roles, drags onto a chart, a dialog that covers the editor."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.applications import free_port, npm_packages, serving
from support.eventually import eventually

from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.calm]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program = npm_packages("node-red@4.1.15") / "node_modules/node-red/red.js"
    port, folder = str(free_port()), tmp_path_factory.mktemp("node-red")
    settings = "module.exports = { editorTheme: { tours: false } }"
    (folder / "settings.js").write_text(settings, "utf-8")
    command = ["node", program, "--userDir", folder, "--port", port]
    with serving(command, f"http://127.0.0.1:{port}/", folder) as url:
        yield url


@pytest.fixture
def editor(browser: Browser, url: str) -> Browser:
    """The browser on the editor page, with the update prompt disabled."""
    browser.goto(url)
    browser.wait(text="inject")
    if "No, do not enable" in (snapshot := browser.snapshot()).text:
        browser.click(snapshot.ref("No, do not enable notifications"))
        browser.wait(text_gone="No, do not enable notifications")
    return browser


def test_goto_waits_while_the_page_shows_only_a_logo(browser: Browser, url: str) -> None:
    note = browser.goto(url).note
    text = browser.snapshot().text
    assert text.count("[ref=") > 2 or "still changing" in note + text


def test_snapshot_shows_a_dialog_before_the_covered_editor(browser: Browser, url: str) -> None:
    browser.goto(url)
    browser.wait(text="inject")
    eventually(lambda: "Enable Update Notifications" in browser.snapshot().text)
    lines = browser.snapshot().text.partition("<page")[2].splitlines()
    assert "Enable Update Notifications" in "".join(lines[1:3])
    assert len([line for line in lines if re.search(r"\d+ elements behind", line)]) == 1
    assert '"inject"' not in "".join(lines)


def test_palette_nodes_have_refs_and_can_be_dragged_to_the_chart(editor: Browser) -> None:
    snapshot = editor.snapshot(full=True)
    refs = [snapshot.ref(name) for name in ("inject", "debug", "catch", "comment")]
    assert len(set(refs)) == 4
    chart = editor.find(css="#red-ui-workspace-chart svg").value["found"][0]["ref"]
    count = "RED.nodes.filterNodes({}).length"
    before = editor.evaluate(count).value
    editor.drag(refs[0], chart)
    eventually(lambda: editor.evaluate(count).value == before + 1)
