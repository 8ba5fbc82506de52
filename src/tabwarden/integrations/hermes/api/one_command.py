"""Send one CDP command on its own connection, to a browser without a supervisor."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded, Denied, InvalidArgument
from tabwarden.wire import Connection, open_websocket

Refuses = Callable[[str], bool]
"""Whether a page at this URL is forbidden."""


async def send_once(
    ws_url: str,
    method: str,
    params: dict[str, Any],
    target_id: str | None,
    timeout: float,
    *,
    refuses: Refuses | None = None,
) -> dict[str, Any]:
    """Connect, send one command, disconnect, and return the command's result. Call it only on the
    engine's loop.

    Args:
        ws_url: the browser's ``ws(s)://`` address.
        method, params: the command.
        target_id: the target to send it to; None for the browser itself.
        timeout: limit in seconds for connecting and for the command together.
        refuses: returns whether to forbid a target with this URL; None to allow every target.

    Raises:
        EndpointUnreachable: no browser responds at ``ws_url``.
        InvalidArgument: the browser rejected the command.
        Denied: the target is forbidden.
        BudgetExceeded: the browser did not respond in time.
    """
    budget = Budget(timeout * 1000)
    connection = Connection(
        await open_websocket(ws_url, budget), lambda event: None, lambda reason: None
    )
    connection.start()
    try:
        async with asyncio.timeout(budget.remaining_s()):
            session_id = None
            if target_id is not None:
                attached = await _ask(
                    connection, "Target.attachToTarget", {"targetId": target_id, "flatten": True}
                )
                session_id = str(attached["sessionId"])
            if target_id is not None and refuses is not None:
                info = await _ask(connection, "Target.getTargetInfo", {"targetId": target_id})
                url = str(info["targetInfo"].get("url") or "")
                if refuses(url):
                    raise Denied(
                        f"The page {url} is at a private or internal address, or a local file."
                    )
            return await _ask(connection, method, params, session_id)
    except TimeoutError:
        raise BudgetExceeded(
            f"{method} timed out after {timeout:g} s.", timeout_ms=timeout * 1000
        ) from None
    finally:
        await connection.aclose()


async def _ask(
    connection: Connection, method: str, params: dict[str, Any], session_id: str | None = None
) -> dict[str, Any]:
    reply = await connection.call(method, json.dumps(params).encode(), session_id)
    if reply.result is None:
        why = reply.error or reply.lost
        raise InvalidArgument(f"CDP error: the browser refused {method}: {why}.", field="method")
    result: dict[str, Any] = json.loads(bytes(reply.result))
    return result
