"""Waiting for several things, one after the other, within one budget; and for a function of the
client's, which is asked again and again, from here.

A loop in the page would go on there after the call has ended, and would end with its document.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tabwarden.actions import ACTIONS
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.calls import Call, Done, run
from tabwarden.surfaces.http.kinds import KINDS

__all__ = ["wait"]

_PAUSE_S = 0.05
_WAIT = ACTIONS["browser_wait"]
_ORDER = ("time_s", "text", "text_gone", "selector", "url", "load_state", "download")
_LAST = ("filename", "snapshot")
"""What goes with the last of several."""


async def wait(call: Call, arguments: dict[str, Any]) -> Done:
    """Wait until all that ``arguments`` name has come, ``fn`` last; the result is the last one's.

    Raises:
        InvalidArgument: nothing is named, or a time that there is not. JsError: ``fn`` threw.
        BudgetExceeded, Cancelled: as for any wait.
    """
    common = {k: v for k, v in arguments.items() if k not in (*_ORDER, "fn", *_LAST)}
    waits = [{**common, name: arguments[name]} for name in _ORDER if _is_named(arguments, name)]
    script = arguments.get("fn")
    if not waits and script is None:
        scripts = ", fn" if call.config.evaluate_enabled else ""
        raise InvalidArgument(
            "There is nothing to wait for.",
            f"Give one or several of: {', '.join(_ORDER)}{scripts}.",
            field="text",
        )
    pause_ms = (arguments.get("time_s") or 0) * 1000
    if pause_ms >= call.budget.remaining_ms():  # in the unit of the request
        raise InvalidArgument(
            f"timeMs {pause_ms:g} is longer than the call may take "
            f"({call.budget.timeout_ms:g} ms).",
            "Wait less, or give timeout_ms more than that.",
            field="time_s",
        )
    if waits:
        waits[-1] |= {name: arguments[name] for name in _LAST if name in arguments}
    for number, given in enumerate(waits, 1):
        done = await run(call, _WAIT, given)
        if done.result.interrupted or (number == len(waits) and script is None):
            return done
    return await _until_true(call, {"script": script, "tab_id": arguments.get("tab_id")})


def _is_named(arguments: dict[str, Any], name: str) -> bool:
    return arguments.get(name) is not None and arguments[name] is not False


async def _until_true(call: Call, given: dict[str, Any]) -> Done:
    while True:
        try:
            done = await run(call, ACTIONS["browser_evaluate"], given)
        except InvalidArgument as error:
            KINDS["evaluate"].in_fields(error)
            raise
        if done.result.value or done.result.interrupted:
            return done
        await asyncio.sleep(min(_PAUSE_S, call.budget.remaining_s()))
