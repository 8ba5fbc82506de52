"""Actions on the browser itself."""

from __future__ import annotations

from typing import Any

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.page import ActionResult

__all__: list[str] = []


@action("browser_close", "close", of_tab=False)
async def close(browser: Browser, **common: Any) -> Any:
    """Close the browser. Nothing is left running; browser_navigate opens a fresh one."""
    await browser.close(**common)
    return ActionResult(action="close", note="The browser is closed.")
