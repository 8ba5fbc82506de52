"""The end: take a screenshot, close the browser, and check that nothing is left behind."""

from __future__ import annotations

import asyncio

from tabwarden.browser.opening import registry
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import expect

HANDOFF_MS = 60_000
"""How long the agent waits for a person."""


async def picture(stage: Stage) -> None:
    shop = stage.shop.shop
    await stage.call(f"goto {shop}", stage.browser.goto(shop))
    await stage.picture("shop.png")


async def ask_a_person(stage: Stage) -> None:
    help_result = await stage.call(
        "handoff",
        stage.browser.handoff(
            "Look around the shop, then give control back.", timeout_ms=HANDOFF_MS
        ),
        lambda done: done.value["outcome"],
    )
    stage.teller.show([f"{help_result.value['id']}: {help_result.value['outcome']}"])


async def close(stage: Stage) -> None:
    """Close the browser, and check that its process, profile and supervisor are gone."""
    browser = stage.browser
    supervisor = registry.get(browser.task_id)
    opened = supervisor.opened if supervisor is not None else None
    launched = opened.launched if opened is not None else None
    await stage.call("close", browser.close())
    expect(registry.get(browser.task_id) is None, "The supervisor is still running.")
    if launched is not None:
        expect(
            launched.exit_status is not None, f"The browser (PID {launched.pid}) is still running."
        )
        left = await asyncio.to_thread(launched.profile_dir.exists)
        expect(not left, f"The profile {launched.profile_dir} still exists.")
        stage.teller.show([f"process {launched.pid} has ended, {launched.profile_dir} is gone"])
