"""A task's own window in a browser that a person uses: its settings, and how it is closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection

import msgspec

from tabwarden.budget import Budget
from tabwarden.protocol import decode_result, encode_params, target
from tabwarden.wire import Connection

COMPANY_S = 1.0
"""The time limit for querying the browser which tabs other clients use. The browser usually replies
immediately, and the result is only used for a warning.
"""


async def has_company(connection: Connection) -> bool:
    """Whether another program is attached to a tab. Call this before this connection attaches to
    tabs. Never raises.
    """
    with contextlib.suppress(TimeoutError, msgspec.DecodeError):
        async with asyncio.timeout(COMPANY_S):
            reply = await connection.call(target.GetTargets.METHOD)
        if reply.result is not None:
            infos = decode_result(target.GetTargets, reply.result).target_infos
            return any(info.attached for info in infos if info.type == "page")
    return False


CLOSING_S = 0.02
"""How often to check whether the closed tabs are gone."""


class OwnWindow(msgspec.Struct, frozen=True):
    """The task works only in tabs that it opens, in a new window with the user's login cookies."""


async def close_tabs(connection: Connection, opened: Collection[str], budget: Budget) -> None:
    """Close the tabs that the task opened and wait until they are gone, within the budget; never
    raise.

    A browser without tabs could exit, so if the user has no tabs, leave an empty tab open.
    `Target.closeTarget` replies while a page is still running its `unload` handlers (Chromium 153).
    """
    with contextlib.suppress(TimeoutError, msgspec.DecodeError):
        async with asyncio.timeout(budget.remaining_s()):
            pages = await _pages(connection)
            if pages and pages <= set(opened):
                blank = encode_params(target.CreateTarget(url="about:blank"))
                await connection.call(target.CreateTarget.METHOD, blank)
            closing = [target.CloseTarget(target_id=one) for one in pages & set(opened)]
            await asyncio.gather(
                *(connection.call(one.METHOD, encode_params(one)) for one in closing)
            )
            while pages & set(opened):
                await asyncio.sleep(CLOSING_S)
                pages = await _pages(connection)


async def _pages(connection: Connection) -> set[str]:
    """Return the target IDs of the browser's tabs; none if the connection is lost."""
    reply = await connection.call(target.GetTargets.METHOD)
    if reply.result is None:
        return set()
    infos = decode_result(target.GetTargets, reply.result).target_infos
    return {info.target_id for info in infos if info.type == "page"}
