"""Links to external programs start nothing on the host, by whatever route a page takes."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser

ADDRESS = "mailto:ada@example.com"
TO_FRAME = "<button onclick=\"f.src='{}'\">Go</button>"
DOORS = {
    "a link": f"<a href={ADDRESS}>Go</a>",
    "a script": f"<button onclick=\"location = '{ADDRESS}'\">Go</button>",
    "a new window": f"<a href={ADDRESS} target=_blank>Go</a>",
    "a window with a name": f"<a href={ADDRESS} target=other>Go</a>",
    "window.open": f"<button onclick=\"window.open('{ADDRESS}')\">Go</button>",
    "a form": f"<form action={ADDRESS}><button>Go</button></form>",
    "a form into a new window": f"<form action={ADDRESS} target=_blank><button>Go</button></form>",
    "an image map": f"<map name=m><area shape=default href={ADDRESS} alt=Go></map>"
    "<img usemap=#m width=50 height=50 src='data:image/svg+xml,<svg xmlns="
    '"http://www.w3.org/2000/svg"/>\'>',
    "a frame": f"<iframe id=f src=/frame></iframe>{TO_FRAME.format(ADDRESS)}",
    "a new frame": "<button onclick=\"document.body.insertAdjacentHTML('beforeend', "
    f"'<iframe src={ADDRESS}></iframe>')\">Go</button>",
    "a redirect": "<a href=/redirect>Go</a>",
    "a redirect in a frame": f"<iframe id=f></iframe>{TO_FRAME.format('/redirect')}",
    "a refresh": f'<meta http-equiv=refresh content="0;url={ADDRESS}"><button>Go</button>',
}
REDIRECTS = ("a redirect", "a redirect in a frame")
"""Tabwarden does not see the targets of these links, so there is no note."""


def redirect(request: BaseHTTPRequestHandler) -> None:
    request.send_response(302)
    request.send_header("Location", ADDRESS)
    request.send_header("Content-Length", "0")
    request.end_headers()


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with the arguments that Chromium passed to ``xdg-open``, here a harmless program."""
    told, folder = tmp_path / "opened", tmp_path / "programs"
    folder.mkdir()
    program = folder / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$1" >> {told}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return told


@pytest.mark.threat
@needs("chromium", "linux")  # a headless shell starts no programs
def test_external_scheme_links_start_no_programs_unless_allowed(site: Site, opened: Path) -> None:
    site.pages["/redirect"] = redirect
    with Browser.launch(executable=whole_chromium()) as browser:
        for door, page in DOORS.items():
            browser.goto(site.page("/", page))
            told = browser.click(browser.snapshot().ref("Go"))
            if door not in REDIRECTS:
                eventually(lambda: browser.state.notes and browser.state.notes[-1].text)
                assert browser.state.notes[-1].text.startswith(ADDRESS), (door, told)
            assert len(browser.state.tabs) == 1, door
            browser.goto("about:blank")
    allowed = BrowserConfig(external_schemes=["mailto"])
    with Browser.launch(executable=whole_chromium(), config=allowed) as browser:
        browser.goto(site.page("/", DOORS["a link"].replace(ADDRESS, "mailto:allowed@a.test")))
        browser.click(browser.snapshot().ref("Go"))
        eventually(opened.exists)
    assert opened.read_text().splitlines() == ["mailto:allowed@a.test"]


@needs("chromium")  # a headless shell opens no prompt
@pytest.mark.parametrize("door", ["a link", "a new window", "window.open", "a form"])
def test_tab_stays_usable_after_a_link_that_would_prompt_for_a_program(
    site: Site, door: str
) -> None:
    asked = DOORS[door].replace(ADDRESS, "zoommtg:meet")
    with Browser.launch(executable=whole_chromium()) as browser:
        browser.goto(
            site.page("/", f"{asked}<input aria-label=Name onkeyup='document.title = value'>")
        )
        browser.click(browser.snapshot().ref("Go"))
        (note,) = browser.state.notes
        assert (note.kind, note.text.rstrip("?")) == ("external", "zoommtg:meet")
        assert [tab.url for tab in browser.state.tabs] == [f"{site.here}/"]
        browser.click(browser.snapshot().ref("Name"))
        browser.press("x")
        assert browser.evaluate("document.title").value == "x"
