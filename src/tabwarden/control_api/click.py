"""Click, after hovering over the element if the client requests it (``delayMs``)."""

from __future__ import annotations

import asyncio
from typing import Any

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api.call import Acting

_PLACE = ("ref", "x", "y", "tab_id")


async def click(call: Acting, arguments: dict[str, Any]) -> Performed:
    """Hover for ``delayMs``, then click. A dialog that opens during the hover prevents the
    click.
    """
    rest_s = arguments.pop("delayMs", 0) / 1000
    if rest_s:
        place = {name: arguments[name] for name in _PLACE if name in arguments}
        hovered = await call.run(ACTIONS["browser_hover"], place)
        if hovered.result.interrupted:
            return hovered
        async with call.budget.waiting_for("delayMs"):
            await asyncio.sleep(rest_s)
    return await call.run(ACTIONS["browser_click"], arguments)
