"""Pins what a call costs apart from time, so that a commit that adds to a cost shows it here."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from support.site import Site

from bench.costs import COMMANDS, ROUND_TRIPS, traffic
from tabwarden import Browser

pytestmark = pytest.mark.anyio

TIMES = 8


@pytest.fixture
async def opened() -> AsyncIterator[tuple[Browser, str]]:
    """A browser on a page with a button, and the button's ref."""
    with Site() as site:
        async with Browser.launch() as browser:
            await browser.goto(site.page("/", "<button>Buy now</button>"))
            yield browser, (await browser.snapshot()).ref("Buy now")


async def test_a_click_after_another_sends_five_commands_in_two_round_trips(
    opened: tuple[Browser, str],
) -> None:
    browser, ref = opened
    counts = await traffic(browser, lambda: browser.click(ref), TIMES)
    # A busy machine only adds: an element that still moves is looked at again.
    assert min(one[COMMANDS] for one in counts) <= 5, counts
    assert min(one[ROUND_TRIPS] for one in counts) <= 2, counts


async def test_an_evaluate_on_a_ref_sends_one_command(opened: tuple[Browser, str]) -> None:
    browser, ref = opened
    counts = await traffic(
        browser, lambda: browser.evaluate("(one) => one.textContent", ref), TIMES
    )
    assert min(one[COMMANDS] for one in counts) == 1, counts
    assert min(one[ROUND_TRIPS] for one in counts) == 1, counts


async def test_an_evaluate_after_a_click_sends_three_commands_together(
    opened: tuple[Browser, str],
) -> None:
    browser, ref = opened
    counts = await traffic(
        browser, lambda: browser.evaluate("1 + 1"), TIMES, lambda: browser.click(ref)
    )
    assert min(one[COMMANDS] for one in counts) <= 3, counts
    assert min(one[ROUND_TRIPS] for one in counts) <= 2, counts
