"""The end: a picture to keep, and nothing else that stays."""

from __future__ import annotations

import asyncio

from tabwarden.browser import registry
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import expect

__all__ = ["close", "picture"]


async def picture(stage: Stage) -> None:
    """The front page, whole."""
    shop = stage.shop.shop
    await stage.call(f"goto {shop}", stage.browser.goto(shop))
    await stage.picture("shop.png")


async def close(stage: Stage) -> None:
    """The process, its profile and the supervisor are gone; each is looked after."""
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
