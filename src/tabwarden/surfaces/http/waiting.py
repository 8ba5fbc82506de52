"""Waiting until a function of the client's gives a true value: asked again and again, from here.

A loop in the page would go on there after the call has ended, and would end with its document.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tabwarden.actions import ACTIONS, Session
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.calls import Done, run

__all__ = ["until_true"]

_PAUSE_S = 0.05


async def until_true(
    session: Session, config: BrowserConfig, arguments: dict[str, Any], budget: Budget
) -> Done:
    """Wait until ``fn`` of ``wait``'s arguments gives a true value, which is the result's.

    Raises:
        InvalidArgument: something else is to be waited for too.
        JsError: it threw. BudgetExceeded, Cancelled: as for any script.
    """
    others = arguments.keys() - {"fn", "tab_id", "timeout_ms"}
    if others:
        raise InvalidArgument(
            f"wait is for one thing: fn or {', '.join(sorted(others))}.",
            "Send one request for each, or a batch.",
            field="fn",
        )
    script = {"script": arguments["fn"], "tab_id": arguments.get("tab_id")}
    while True:
        done = await run(session, config, ACTIONS["browser_evaluate"], script, budget)
        if done.result.value or done.result.interrupted:
            return done
        await asyncio.sleep(min(_PAUSE_S, budget.remaining_s()))
