"""Refs on a page that changes at random before each click: none hits another element than its own.

``bench/witness.py`` is the whole of it; here some hundred of its clicks.
"""

from __future__ import annotations

import importlib.util
import sys
import urllib.parse
from pathlib import Path
from types import ModuleType

import pytest
from support.cases import ALL
from support.reading import ref_of

from tabwarden.sync import Browser


@pytest.fixture(scope="module")
def witness() -> ModuleType:
    path = Path(__file__).parents[5] / "bench" / "witness.py"
    spec = importlib.util.spec_from_file_location("witness", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["witness"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.threat
def test_click_never_hits_another_element_on_a_randomly_changing_page(
    browser: Browser, witness: ModuleType
) -> None:
    times = 402 if ALL else 51  # three a round
    count = witness.run(browser, times, seed=4)
    assert (count.wrong, count.lost, count.reused) == (0, 0, 0), count.stories
    assert count.acted + count.refused + count.unreachable == times
    assert count.acted > times * 0.375
    assert count.healed > times * 0.025
    assert count.refused > times * 0.125


def test_click_benchmark_counts_a_click_on_the_wrong_element(
    browser: Browser, witness: ModuleType
) -> None:
    browser.goto("data:text/html;charset=utf-8," + urllib.parse.quote(witness.PAGE))
    browser.evaluate("witness.begin(1)")
    ref = ref_of(browser.snapshot(), '"Delete"')
    count = witness.Count()
    witness._click(browser, ref, browser.evaluate("(el) => witness.of(el)", ref).value, count)
    assert (count.acted, count.wrong, count.lost) == (1, 0, 0)
    witness._click(browser, ref, "999 Delete", count)
    assert (count.acted, count.wrong) == (2, 1)
