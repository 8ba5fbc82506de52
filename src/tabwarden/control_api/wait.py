"""Wait for several conditions in sequence, within one budget."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api.call import Acting
from tabwarden.errors import InvalidArgument

_WAIT = ACTIONS["browser_wait"]
_ORDER = (
    "time_s", "text", "text_gone", "selector", "url", "load_state", "download", "ref", "any_of",
    "script",
)  # fmt: skip
_OF_ELEMENTS = ("state", "has_text")
_ADDS = {"ref": _OF_ELEMENTS, "selector": ("state",), "script": ("frame_id",)}
"""Parameters that apply to one condition only."""
_LAST = ("filename", "snapshot")
"""Parameters that apply only to the last condition."""


async def wait(call: Acting, arguments: dict[str, Any]) -> Performed:
    """Wait for each condition in ``arguments`` in turn; the script comes last. Return the last
    condition's result.

    Raises:
        InvalidArgument: ``arguments`` has no condition, or the wait exceeds the budget.
        JsError: the script threw.
        BudgetExceeded, Cancelled: the conditions were not met in time.
    """
    own = {name for names in _ADDS.values() for name in names}
    common = {k: v for k, v in arguments.items() if k not in {*_ORDER, *_LAST, *own}}
    named = [name for name in _ORDER if _is_named(arguments, name)]
    taken = {name for kind in named for name in _ADDS.get(kind, ())}
    if stray := [name for name in own - taken if arguments.get(name) is not None]:
        kinds = [kind for kind, names in _ADDS.items() if stray[0] in names]
        raise InvalidArgument(f"{stray[0]} works only with {' or '.join(kinds)}.", field=stray[0])
    waits = [
        {
            **common,
            **{more: arguments[more] for more in _ADDS.get(name, ()) if more in arguments},
            name: arguments[name],
        }
        for name in named
    ]
    if not waits:
        order = (*_ORDER[:-1], *(["fn"] if call.config.evaluate_enabled else []))
        raise InvalidArgument(
            "No wait condition was given.",
            f"Pass one or more of: {', '.join(order)}.",
            field="text",
        )
    pause_ms = (arguments.get("time_s") or 0) * 1000
    if pause_ms >= call.budget.remaining_ms():  # report milliseconds, as the request does
        raise InvalidArgument(
            f"timeMs {pause_ms:g} exceeds the call's time limit ({call.budget.timeout_ms:g} ms).",
            "Use a shorter wait, or a longer time limit (`timeoutMs`).",
            field="time_s",
        )
    waits[-1] |= {name: arguments[name] for name in _LAST if name in arguments}
    for condition in waits:
        done = await call.run(_WAIT, condition)
        if done.result.interrupted:
            break
    value = done.result.value
    if (
        "script" in waits[-1] and not done.result.interrupted
    ):  # OpenClaw's response contains only the value
        return done._replace(result=msgspec.structs.replace(done.result, value=value["value"]))
    return done


def _is_named(arguments: dict[str, Any], name: str) -> bool:
    return arguments.get(name) is not None and arguments[name] is not False
