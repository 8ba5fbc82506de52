"""Roots: the folders that the host works in, on this machine. Pages may get files in them.

Until protocol version 2025-11-25, the server asks for them. Since 2026-07-28, a call that names
files returns the question, and the client repeats the call with the answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from tabwarden.actions import Session
from tabwarden.surfaces.mcp.timing import ROOTS_S

log = logging.getLogger("tabwarden.mcp")

Context = ServerRequestContext[dict[str, Any], Any]

_QUESTION = "roots"
_NAMES_FILES = {"files", "filenames", "path", "paths"}
"""Arguments of any tool that name files for a page."""
_DEPTH = 5
"""How deep such an argument may be: in a step's arguments of a batch."""


class Roots:
    """The roots of one host, which a session lends to its browsers. A host that tells of changes
    is asked again after each; any other is asked for each call that names files."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._are_known = False
        self._changes = 0

    def changed(self) -> None:
        """The host has other roots now: forget the old ones."""
        self._are_known = False
        self._changes += 1
        self._session.lend(())

    async def learn(
        self, context: Context, params: types.CallToolRequestParams, within_s: float
    ) -> types.InputRequiredResult | None:
        """Before a call that names files, find out the roots. Return the question with which the
        call must end, if the client answers only so.

        Args:
            context: the call's context.
            params: the call's parameters.
            within_s: how long to wait for the host at most.
        """
        has = context.session.client_capabilities
        if has is None or has.roots is None or not _names_files(params.arguments, _DEPTH):
            return None
        if not context.session.can_send_request:
            answer = (params.input_responses or {}).get(_QUESTION)
            if not isinstance(answer, types.ListRootsResult):
                asked: types.InputRequests = {_QUESTION: types.ListRootsRequest()}
                return types.InputRequiredResult(input_requests=asked, request_state=_QUESTION)
            self._session.lend(_folders(answer.roots))
            return None
        if not self._are_known:
            before = self._changes
            folders = await _asked(context, min(within_s, ROOTS_S))
            if before == self._changes:
                self._session.lend(folders)
                self._are_known = bool(has.roots.list_changed)
        return None


async def _asked(context: Context, within_s: float) -> list[Path]:
    try:
        async with asyncio.timeout(within_s):
            asked = types.ListRootsRequest()
            told = await context.session.send_request(asked, types.ListRootsResult)
    except (MCPError, OSError, TimeoutError, ValueError) as error:
        log.info("the host did not tell its roots: %s", type(error).__name__)
        return []
    return _folders(told.roots)


def _folders(roots: Iterable[types.Root]) -> list[Path]:
    urls = [urlsplit(str(root.uri)) for root in roots]
    return [
        Path(url2pathname(url.path))
        for url in urls
        if url.scheme == "file" and url.netloc in ("", "localhost")
    ]


def _names_files(given: object, depth: int) -> bool:
    if isinstance(given, Mapping):
        return any(
            (name in _NAMES_FILES and bool(value)) or (depth and _names_files(value, depth - 1))
            for name, value in given.items()
        )
    if isinstance(given, list):
        return bool(depth) and any(_names_files(one, depth - 1) for one in given)
    return False
