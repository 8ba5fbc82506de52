"""One implementation for both of Playwright's APIs."""

from __future__ import annotations

import asyncio

import pytest

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded
from tabwarden.integrations.playwright.asking import at_once, settled


async def _twice(value: object) -> object:
    return await settled(await settled(value))


@pytest.mark.anyio
async def test_awaitable_playwright_value_resolves_within_its_budget() -> None:
    assert await _twice(asyncio.sleep(0, 3)) == 3
    with pytest.raises(BudgetExceeded):
        await settled(asyncio.sleep(60), Budget(20))


def test_plain_playwright_value_resolves_without_an_event_loop() -> None:
    assert at_once(_twice(3)) == 3
