"""Gradio: dropdown lists cover the next field; the tests check the application's own values."""

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

PROGRAM = Path(__file__).with_name("apps") / "gradio_app.py"
VALUES: list[tuple[str, str, Any, Any]] = [
    ("Fruit", "one", "Lemon", "Lemon"),
    ("Fruits", "many", ["Lemon", "Apple"], ["Apple", "Lemon"]),
    ("Own", "own", "Quince", "Quince"),
    ("number input for Volume", "volume", "17", 17),
    ("Count", "count", 7, 7),
    ("Name", "name", "Ann", "Ann"),
    ("Banana", "picked", True, "Banana"),
    ("Agree", "agreed", True, True),
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    python = python_packages("gradio==6.31.0") / "python"
    port = str(free_port())
    quiet = {"GRADIO_ANALYTICS_ENABLED": "False"}
    folder = tmp_path_factory.mktemp("gradio")
    with serving([python, PROGRAM, port], f"http://127.0.0.1:{port}/", folder, quiet) as url:
        yield url


def drawn(browser: Browser, url: str) -> Browser:
    browser.goto(url)
    browser.wait(text="Banana")
    return browser


def holds(browser: Browser, wanted: dict[str, Any]) -> None:
    """Wait until the application has these values."""

    def held() -> dict[str, Any]:
        told = browser.evaluate("document.querySelector('#held textarea')?.value")
        now: dict[str, Any] = json.loads(told.value or "{}")
        return {key: sorted(v) if isinstance(v := now.get(key), list) else v for key in wanted}

    eventually(lambda: held() == wanted, why_not=held)


def test_fill_form_fills_every_gradio_widget(browser: Browser, url: str) -> None:
    snapshot = drawn(browser, url).snapshot()
    browser.fill_form([{"ref": snapshot.ref(name), "value": v} for name, _, v, _ in VALUES])
    holds(browser, {key: held for _, key, _, held in VALUES})


def test_select_chooses_several_options_in_a_dropdown(browser: Browser, url: str) -> None:
    ref = drawn(browser, url).snapshot().ref("Fruits")
    done = browser.select(ref, labels=["Lemon", "Apple"])
    assert (sorted(done.value["selected"]), done.note) == (["Apple", "Lemon"], "")
    holds(browser, {"many": ["Apple", "Lemon"]})


def test_fill_form_closes_a_dropdown_list_that_covers_the_next_field(
    browser: Browser, url: str
) -> None:
    snapshot = drawn(browser, url).snapshot()
    browser.fill_form([{"ref": snapshot.ref("Fruit"), "value": "Lemon"}])
    browser.click(snapshot.ref("Fruits"))
    holds(browser, {"one": "Lemon"})


def test_type_sets_a_slider_value(browser: Browser, url: str) -> None:
    ref = drawn(browser, url).snapshot().ref("range slider for Volume")
    browser.type("40", ref, clear=True)
    holds(browser, {"volume": 40})
