"""Company: other programs that are attached to the tabs which a task is about to share."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from tabwarden.protocol import decode_result, target
from tabwarden.supervisor.contexts.timing import COMPANY_S
from tabwarden.wire import Connection


async def has_company(connection: Connection) -> bool:
    """Whether another program is attached to a tab, before this connection is; never raises."""
    with contextlib.suppress(TimeoutError, msgspec.DecodeError):
        async with asyncio.timeout(COMPANY_S):
            reply = await connection.call(target.GetTargets.METHOD)
        if reply.result is not None:
            infos = decode_result(target.GetTargets, reply.result).target_infos
            return any(info.attached for info in infos if info.type == "page")
    return False
