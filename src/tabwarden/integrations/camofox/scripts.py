"""Convert the agent's script to one expression, because the server's evaluate accepts nothing
else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, JsError
from tabwarden.integrations.camofox.answers import Result
from tabwarden.integrations.camofox.server import Server
from tabwarden.page.scripts import as_function, is_function, only_as_statements
from tabwarden.supervisor.core.state.tabs import Tab

__all__ = ["evaluated", "expressions_of"]

_MARGIN_MS = 150


def expressions_of(script: str, args: Sequence[Any]) -> list[str]:
    """Return the expressions to try, in order, until one of them parses.

    Raises:
        InvalidArgument: the script is empty, or ``args`` are not JSON values.
    """
    if not isinstance(script, str) or not script.strip():
        raise InvalidArgument("script must be a non-empty string.", field="script")
    try:
        arguments = ", ".join(json.dumps(one, allow_nan=False) for one in args)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"args must be JSON values: {error}.", "Pass strings, numbers, lists.", field="args"
        ) from None
    if is_function(script):
        return [_wrapped(f"({as_function(script)})({arguments})")]
    if arguments:
        return [_wrapped(f"({as_function(script)})(undefined, {arguments})")]
    statements = _wrapped(f"(async () => {{\n{script}\n}})()")
    return [statements] if only_as_statements(script) else [_wrapped(f"(\n{script}\n)"), statements]


def _wrapped(expression: str) -> str:
    """Return an expression for ``[value, null]`` or ``[null, error]``. With it, evaluation fails
    only if the script does not parse, so no script runs twice.
    """
    return (
        f"(async () => {{ try {{ return [await (\n{expression}\n), null] }}"
        " catch (error) { return [null, String(error)] } })()"
    )


async def evaluated(
    server: Server,
    tab: Tab,
    frame_id: str | None,
    expressions: Sequence[str],
    budget: Budget,
    *,
    has_plugin: bool,
) -> Any:
    """Return the value of the first expression that parses.

    Args:
        frame_id: the frame; None for the page.
        has_plugin: whether the server has our plugin, which supports frames and keeps the tab open
            after a script that never ends.

    Raises:
        JsError: the script threw an exception. BudgetExceeded: it did not finish in time.
        FrameNotFound: the frame does not exist.
    """
    for number, expression in enumerate(expressions):
        try:
            if has_plugin:
                result = await _by_plugin(server, tab, frame_id, expression, budget)
            else:
                path = f"/tabs/{tab.target_id}/evaluate"
                result = (await server.post(path, expression=expression)).read(Result).result
        except JsError as unparsed:
            if "SyntaxError" not in unparsed.message or number == len(expressions) - 1:
                raise
            continue
        value, error = result if isinstance(result, list) and len(result) == 2 else (None, None)
        if error is not None:
            raise JsError(str(error))
        return value
    return None


async def _by_plugin(
    server: Server, tab: Tab, frame_id: str | None, expression: str, budget: Budget
) -> Any:
    fields = {} if frame_id in (None, tab.target_id) else {"frameId": frame_id}
    reply = await server.post(
        f"/tabwarden/tabs/{tab.target_id}/evaluate",
        expression=expression,
        timeoutMs=max(1, round(budget.remaining_ms() - _MARGIN_MS)),
        **fields,
    )
    result = reply.read(Result)
    if result.ok:
        return result.result
    raise JsError(result.error.removeprefix("frame.evaluate: "))
