"""Pages that hang or crash. Each call ends within its budget, and the tab keeps working."""

from __future__ import annotations

from tabwarden.demo.reading import excerpt, find
from tabwarden.demo.stage import Stage
from tabwarden.demo.surprise import expect
from tabwarden.demo.telling import facts
from tabwarden.errors import BudgetExceeded, StaleRef, TargetCrashed

HANG_BUDGET_MS = 1_500
"""The demo's budget for a call on a hung page. It is short so that viewers don't have to wait
long."""


async def endless_script(stage: Stage) -> None:
    browser, page = stage.browser, f"{stage.shop.shop}/report"
    await stage.call(f"goto {page}", browser.goto(page))
    hanging = browser.evaluate("while (true) {}", timeout_ms=HANG_BUDGET_MS)
    error = await stage.refused(
        f"evaluate while (true) {{}} with timeout_ms={HANG_BUDGET_MS}", BudgetExceeded, hanging
    )
    stage.teller.show(facts(error.to_dict()))
    sum_ = await stage.call("evaluate 1 + 1", browser.evaluate("1 + 1"), lambda r: str(r.value))
    expect(sum_.value == 2, "The tab is not working after the endless script.")


async def endless_handler(stage: Stage) -> None:
    """Click an element whose handler never ends."""
    browser, page = stage.browser, f"{stage.shop.shop}/report"
    await stage.call(f"goto {page}", browser.goto(page))
    seen = await stage.look()
    ref = find(seen.text, "button", "Build the yearly report")
    error = await stage.refused(
        f'click {ref}, "Build the yearly report", with timeout_ms={HANG_BUDGET_MS}',
        BudgetExceeded,
        browser.click(ref, timeout_ms=HANG_BUDGET_MS),
    )
    stage.teller.show(facts(error.to_dict()))
    seen = await stage.look()
    ref = find(seen.text, "button", "Show today's sales")
    await stage.call(f'click {ref}, the button "Show today\'s sales"', browser.click(ref))
    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ['status "']))
    expect('"Today: 12' in seen.text, "The page is not responding after the endless handler.")


async def crash(stage: Stage) -> None:
    """Crash the renderer during a call. The call reports the crash, and the tab recovers."""
    browser, shop = stage.browser, stage.shop.shop
    await stage.call(f"goto {shop}", browser.goto(shop))
    seen = await stage.look()
    before = find(seen.text, "button", "Add Chamomile")
    await stage.call(f'click {before}, the button "Add Chamomile to basket"', browser.click(before))
    await stage.look()
    dead = await stage.refused("cdp Page.crash", TargetCrashed, browser.cdp("Page.crash"))
    stage.teller.show(facts(dead.to_dict(), "code", "message", "hint"))
    await stage.call("evaluate 1 + 1", browser.evaluate("1 + 1"))
    seen = await stage.look()
    stage.teller.show(excerpt(seen.text, ['status "']))
    expect("Chamomile" in seen.text, "The reloaded page does not show the product in the basket.")
    stale = await stage.refused(
        f"click {before}, a ref from the crashed page", StaleRef, browser.click(before)
    )
    stage.teller.show(facts(stale.to_dict(), "code", "message", "hint"))
