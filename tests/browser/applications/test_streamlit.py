"""Streamlit: widgets without native controls; the tests check the application's own values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.applications import free_port, python_packages, serving
from support.eventually import eventually

from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.calm]

PROGRAM = Path(__file__).with_name("apps") / "streamlit_app.py"
VALUES: list[tuple[str, str, Any, Any]] = [
    ("Fruit", "one", "Lemon", "Lemon"),
    ("Fruits", "many", ["Lemon", "Apple"], ["Apple", "Lemon"]),
    ("Volume Volume", "volume", "17", 17),
    ("Between — start Between", "range", "30", [30, 60]),
    ("Size Size", "size", "L", "L"),
    ("Count", "count", "7", 7),
    ("Name", "name", "Ann", "Ann"),
    ("hour, Hour", "hour", "09", "09:45:00"),
    ("Notes", "notes", "one\ntwo", "one\ntwo"),
    ("Agree", "agreed", True, True),
    ("Banana", "picked", True, "Banana"),
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    streamlit = python_packages("streamlit==1.67.0") / "streamlit"
    port = str(free_port())
    options = ["--server.headless=true", f"--server.port={port}", "--server.address=127.0.0.1",
               "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]  # fmt: skip
    command = [streamlit, "run", PROGRAM, *options]
    with serving(command, f"http://127.0.0.1:{port}/", tmp_path_factory.mktemp("streamlit")) as url:
        yield url


def drawn(browser: Browser, url: str) -> Browser:
    browser.goto(url)
    browser.wait(text="Banana")
    return browser


def holds(browser: Browser, wanted: dict[str, Any]) -> None:
    """Wait until the application has these values."""

    def held() -> dict[str, Any]:
        told = browser.evaluate("document.querySelector('[data-testid=stCode] code')?.textContent")
        now: dict[str, Any] = json.loads(told.value or "{}")
        return {key: sorted(v) if isinstance(v := now.get(key), list) else v for key in wanted}

    eventually(lambda: held() == wanted, why_not=held)


def test_goto_waits_until_streamlit_has_rendered(browser: Browser, url: str) -> None:
    for _ in range(2):
        note = browser.goto(url).note
        text = browser.snapshot().text
        assert '"Fruits"' in text or "still changing" in note + text


def test_fill_form_fills_every_streamlit_widget(browser: Browser, url: str) -> None:
    snapshot = drawn(browser, url).snapshot()
    assert "obscured" not in snapshot.text
    done = browser.fill_form([{"ref": snapshot.ref(name), "value": v} for name, _, v, _ in VALUES])
    assert not [one for one in done.value["filled"] if "note" in one]
    holds(browser, {key: held for _, key, _, held in VALUES})


def test_select_chooses_several_options_in_a_multiselect(browser: Browser, url: str) -> None:
    ref = drawn(browser, url).snapshot().ref("Fruits")
    done = browser.select(ref, labels=["Lemon", "Apple"])
    assert (done.value, done.note) == ({"selected": ["Lemon", "Apple"]}, "")
    holds(browser, {"many": ["Apple", "Lemon"]})


def test_slider_accepts_typed_values_clicks_and_keys(browser: Browser, url: str) -> None:
    ref = drawn(browser, url).snapshot().ref("Volume Volume")
    assert browser.type("40", ref, clear=True).value == {"value": "40"}
    holds(browser, {"volume": 40})
    browser.click(ref)
    browser.press("ArrowRight")
    holds(browser, {"volume": 41})


def test_type_returns_a_diff_with_the_opened_list(browser: Browser, url: str) -> None:
    ref = drawn(browser, url).snapshot().ref("Fruits")
    diff = browser.type("Le", ref, snapshot="diff").snapshot
    assert diff is not None
    assert 'option "Lemon"' in diff.text
