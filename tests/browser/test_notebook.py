"""Jupyter's display of a browser and of a screenshot."""

from __future__ import annotations

import base64
import json
from importlib import import_module
from pathlib import Path

import pytest
from support.needs import needs

from tabwarden.sync import Browser

HOSTILE = "data:text/html,<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><p>Hello"
CELLS = (
    "from tabwarden.sync import Browser\nbrowser = Browser.launch()",
    "browser.goto('data:text/html,<h1>Hello</h1>')\nbrowser",
    "browser.screenshot()",
    "browser.close()",
)


def test_notebook_shows_browser_state_and_escapes_page_text() -> None:
    with Browser.launch(task_id="shown") as browser:
        browser.goto(HOSTILE)
        assert browser.evaluate("alert('<img src=x>')").interrupted
        shown = browser._repr_html_()
        assert shown is not None
        assert "&lt;script&gt;alert(1)" in shown
        assert "alert: &lt;img src=x&gt;" in shown
        assert "<script" not in shown
        assert "<img" not in shown
        assert repr(browser).startswith("<Browser shown: [Browser: ")
        browser.dialog("accept")
    assert repr(browser) == "<Browser shown: closed>"
    assert browser._repr_html_() is None


@pytest.mark.parametrize("image_format", ["png", "jpeg", "webp"])
def test_notebook_shows_a_screenshot_with_its_size(image_format: str) -> None:
    with Browser.launch() as browser:
        browser.resize(400, 300)
        picture = browser.screenshot(image_format=image_format)  # type: ignore[arg-type]
    shown, sizes = picture._repr_mimebundle_()
    kind = f"image/{image_format}"
    assert base64.b64decode(shown[kind]) == picture.data
    assert sizes[kind] == {"width": 400, "height": 300}
    assert "400 x 300" in shown["text/plain"]


@needs("notebook")
def test_jupyter_kernel_displays_a_browser_and_a_screenshot(tmp_path: Path) -> None:
    nbformat, nbclient = import_module("nbformat"), import_module("nbclient")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(made, timeout=60, resources={"metadata": {"path": tmp_path}}).execute()
    (state,), (picture,) = made.cells[1].outputs, made.cells[2].outputs
    assert "[Browser: " in state.data["text/html"]
    assert base64.b64decode(picture.data["image/png"]).startswith(b"\x89PNG")
    assert "pixels" in json.dumps(picture.data["text/plain"])
