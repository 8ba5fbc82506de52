"""The end: take a picture, close the browser, and check that nothing else remains."""

from __future__ import annotations

import asyncio

from tabwarden.browser import registry
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import expect


async def picture(stage: Stage) -> None:
    """Capture the whole front page."""
    shop = stage.shop.shop
    await stage.call(f"goto {shop}", stage.browser.goto(shop))
    await stage.picture("shop.png")


async def close(stage: Stage) -> None:
    """Check that the process, its profile and the supervisor are gone."""
    browser = stage.browser
    supervisor = registry.get(browser.task_id)
    opened = supervisor.opened if supervisor is not None else None
    launched = opened.launched if opened is not None else None
    await stage.call("close", browser.close())
    expect(registry.get(browser.task_id) is None, "The supervisor still runs.")
    if launched is not None:
        expect(launched.exit_status is not None, f"The browser {launched.pid} still runs.")
        left = await asyncio.to_thread(launched.profile_dir.exists)
        expect(not left, f"The profile {launched.profile_dir} is still there.")
        stage.teller.show([f"process {launched.pid} has ended, {launched.profile_dir} is gone"])
