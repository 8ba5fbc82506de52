"""Turn the agent's script into one expression, which is all that the server's evaluate takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tabwarden.budget import Budget
from tabwarden.camofox.server import Server
from tabwarden.errors import BudgetExceeded, InvalidArgument, JsError
from tabwarden.page.scripts import as_function, is_function, only_as_statements
from tabwarden.supervisor import Tab

__all__ = ["evaluated", "expressions_of"]

_MARGIN_MS = 200


def expressions_of(script: str, args: Sequence[Any]) -> list[str]:
    """Return the expressions to try in turn: the next one if the last did not parse.

    Raises:
        InvalidArgument: the script is empty, or ``args`` are no JSON values.
    """
    if not isinstance(script, str) or not script.strip():
        raise InvalidArgument("script must be a non-empty string.", field="script")
    try:
        given = ", ".join(json.dumps(one, allow_nan=False) for one in args)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"args must be JSON values: {error}.", "Pass strings, numbers, lists.", field="args"
        ) from None
    statements = f"(async () => {{\n{script}\n}})()"
    if is_function(script):
        return [f"({as_function(script)})({given})"]
    if given:
        return [f"({as_function(script)})(undefined, {given})"]
    # An async function keeps what the script's value is: the server calls a function that it gets.
    return [statements] if only_as_statements(script) else [f"(\n{script}\n)", statements]


async def evaluated(
    server: Server, tab: Tab, frame_id: str | None, expressions: Sequence[str], budget: Budget
) -> Any:
    """Return the value of the first expression that parses.

    Args:
        frame_id: the frame, which only a server with our plugin knows; None for the page.

    Raises:
        JsError: the script threw an exception. BudgetExceeded: it did not end in time.
    """
    for number, expression in enumerate(expressions):
        try:
            if frame_id is None:
                path = f"/tabs/{tab.target_id}/evaluate"
                return (await server.post(path, expression=expression)).data.get("result")
            return await _in_frame(server, tab, frame_id, expression, budget)
        except JsError as error:
            if "SyntaxError" not in error.message or number == len(expressions) - 1:
                raise
    return None


async def _in_frame(
    server: Server, tab: Tab, frame_id: str, expression: str, budget: Budget
) -> Any:
    told = await server.post(
        f"/tabwarden/tabs/{tab.target_id}/evaluate",
        frameId=None if frame_id == tab.target_id else frame_id,
        expression=expression,
        timeoutMs=max(1, round(budget.remaining_ms() - _MARGIN_MS)),
    )
    if told.data.get("ok"):
        return told.data.get("result")
    why = str(told.data.get("error", ""))
    if why == "timeout":
        raise BudgetExceeded("The script did not end in time.", timeout_ms=budget.timeout_ms)
    raise JsError(why)
