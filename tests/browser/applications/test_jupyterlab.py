"""JupyterLab: a single-page application with submenus, code cells and a beforeunload dialog."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.applications import free_port, python_packages, serving
from support.eventually import eventually

from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.calm]

CODE = "for n in range(3):\n    print('line', n)"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    jupyter = python_packages("jupyterlab==4.6.6", "ipykernel==7.4.0") / "jupyter-lab"
    port = free_port()
    folder = tmp_path_factory.mktemp("jupyterlab")
    (folder / "work").mkdir()
    options = ["--no-browser", f"--port={port}", "--ip=127.0.0.1", "--allow-root",
               "--ServerApp.token=", "--ServerApp.password=",
               f"--ServerApp.root_dir={folder / 'work'}"]  # fmt: skip
    own = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    own["IPYTHONDIR"] = str(folder / "ipython")
    with serving([jupyter, *options], f"http://127.0.0.1:{port}/lab", folder, own) as url:
        yield url


@pytest.fixture
def lab(browser: Browser, url: str) -> Browser:
    """The browser on the launcher page, with the news prompt disabled."""
    browser.goto(f"{url}?reset")
    browser.wait(text="Python File")
    if "about official Jupyter news" in (snapshot := browser.snapshot()).text:
        browser.click(snapshot.ref("No"))
    return browser


def line_of(browser: Browser, *words: str) -> str:
    """The first line of the outline that contains these words."""
    lines = browser.snapshot(full=True).text.splitlines()
    return next((line for line in lines if all(word in line for word in words)), "")


def ref_in(line: str) -> str:
    found = re.search(r"\[ref=(e\d+)\]", line)
    assert found is not None, line
    return found[1]


def test_goto_waits_until_the_page_has_rendered_content(browser: Browser, url: str) -> None:
    note = browser.goto(f"{url}?reset").note
    text = browser.snapshot().text
    assert '"Python File"' in text or "still changing" in note + text


def test_hover_returns_a_diff_with_the_opened_submenu(lab: Browser) -> None:
    lab.click(lab.snapshot().ref("File"))
    diff = lab.hover(lab.snapshot().ref("New"), snapshot="diff").snapshot
    assert diff is not None
    assert 'menuitem "Notebook"' in diff.text
    lab.press("Escape")


def test_button_in_a_custom_element_has_one_ref(lab: Browser) -> None:
    assert len(re.findall(r'"New Folder" \[ref=', lab.snapshot(full=True).text)) == 1


def test_type_keeps_lines_in_a_code_cell_and_reload_opens_a_beforeunload_dialog(
    lab: Browser,
) -> None:
    lab.click(ref_in(line_of(lab, "button", "Python 3")))
    lab.wait(text="Click to add a cell")
    eventually(lambda: line_of(lab, "| Idle"), within_s=30)  # the kernel starts
    assert lab.type(CODE, "css=.jp-Notebook .cm-content", clear=True).value == {"value": CODE}
    assert '"for n in range(3):\\n    print(' in line_of(lab, "textbox", "multiline", "range(3)")
    lab.press("Shift+Enter")
    lab.wait(text="line 2")
    lab.type("n", "css=.jp-Notebook .jp-Cell:last-of-type .cm-content")  # it may have saved itself
    assert lab.reload().interrupted
    told = lab.snapshot().text
    assert re.search("leave and lose unsaved changes .*'accept'.* or stay .*'dismiss'", told)
    assert "stays open" in lab.dialog("dismiss").note
    eventually(lambda: not lab.state.pending_dialogs)


def test_snapshot_shows_an_html_dialog_first_and_summarizes_its_background(lab: Browser) -> None:
    lab.click(ref_in(line_of(lab, "button", "Python 3")))
    lab.wait(text="Click to add a cell")
    lab.press("Control+Shift+q")
    lab.wait(text="Are you sure you want to close")
    lines = lab.snapshot().text.partition("<page")[2].splitlines()
    assert lines[1].startswith('- dialog "Shut down the notebook?')
    behind = [line for line in lines if "elements behind dialog" in line]
    assert len(behind) == 1
    assert len(lines) < 12
    lab.click(lab.snapshot().ref("Ok"))
