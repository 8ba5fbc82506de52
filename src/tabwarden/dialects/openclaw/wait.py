"""Wait for several conditions, one after the other, within one budget.

A condition may be a client's function ``fn``. The server evaluates it repeatedly, because a loop in
the page would continue after the call and would end when the page navigates.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tabwarden.actions import ACTIONS, Performed
from tabwarden.dialects.openclaw.call import Acting
from tabwarden.dialects.openclaw.kinds import KINDS
from tabwarden.dialects.openclaw.timing import WAIT_POLL_S
from tabwarden.errors import InvalidArgument

_WAIT = ACTIONS["browser_wait"]
_ORDER = ("time_s", "text", "text_gone", "selector", "url", "load_state", "download")
_LAST = ("filename", "snapshot")
"""Parameters that apply only to the last condition."""


async def wait(call: Acting, arguments: dict[str, Any]) -> Performed:
    """Wait for all conditions in ``arguments``, ``fn`` last. Return the last condition's result.

    Raises:
        InvalidArgument: ``arguments`` has no condition, or the wait exceeds the budget.
        JsError: ``fn`` threw an error.
        BudgetExceeded, Cancelled: the conditions were not met in time.
    """
    common = {k: v for k, v in arguments.items() if k not in (*_ORDER, "fn", *_LAST)}
    waits = [{**common, name: arguments[name]} for name in _ORDER if _is_named(arguments, name)]
    script = arguments.get("fn")
    if not waits and script is None:
        scripts = ", fn" if call.config.evaluate_enabled else ""
        raise InvalidArgument(
            "No wait condition was given.",
            f"Give one or more of: {', '.join(_ORDER)}{scripts}.",
            field="text",
        )
    pause_ms = (arguments.get("time_s") or 0) * 1000
    if pause_ms >= call.budget.remaining_ms():  # report milliseconds, like the request
        raise InvalidArgument(
            f"timeMs {pause_ms:g} exceeds the call's time limit ({call.budget.timeout_ms:g} ms).",
            "Use a shorter wait, or a larger timeoutMs.",
            field="time_s",
        )
    if waits:
        waits[-1] |= {name: arguments[name] for name in _LAST if name in arguments}
    for number, given in enumerate(waits, 1):
        done = await call.run(_WAIT, given)
        if done.result.interrupted or (number == len(waits) and script is None):
            return done
    return await _until_true(call, {"script": script, "tab_id": arguments.get("tab_id")})


def _is_named(arguments: dict[str, Any], name: str) -> bool:
    return arguments.get(name) is not None and arguments[name] is not False


async def _until_true(call: Acting, given: dict[str, Any]) -> Performed:
    while True:
        try:
            done = await call.run(ACTIONS["browser_evaluate"], given)
        except InvalidArgument as error:
            KINDS["evaluate"].in_fields(error)
            raise
        if done.result.value or done.result.interrupted:
            return done
        await asyncio.sleep(min(WAIT_POLL_S, call.budget.remaining_s()))
