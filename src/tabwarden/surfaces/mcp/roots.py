"""Roots: the folders in which a host works, whose files a page may receive."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import mcp_types as types
from mcp import MCPError

from tabwarden.actions import Session
from tabwarden.surfaces.mcp.calls import names_files
from tabwarden.surfaces.mcp.elicitation import Context

log = logging.getLogger("tabwarden.mcp")

ROOTS_S = 2.0
"""How long a host may take to report its roots. After this time, the call continues without
roots.
"""


_QUESTION = "roots"


class Roots:
    """The roots of one host, the folders in which it works. A session makes them available to its
    browsers.

    Until protocol version 2025-11-25, the server requests the roots. Since 2026-07-28, a call with
    file arguments returns a request for the roots, and the client repeats the call with the answer.
    If the host announces changes, the roots are requested again after each change, otherwise for
    each call with file arguments.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._are_known = False
        self._changes = 0

    def changed(self) -> None:
        """Forget the roots, because the host has changed them."""
        self._are_known = False
        self._changes += 1
        self._session.lend(())

    async def learn(
        self, context: Context, params: types.CallToolRequestParams, within_s: float
    ) -> types.InputRequiredResult | None:
        """Find out the roots before a call with file arguments. Return the request with which the
        call must end, if the client supports only this way.

        Args:
            context: the call's context.
            params: the call's parameters.
            within_s: the maximum time to wait for the host.
        """
        has = context.session.client_capabilities
        if has is None or has.roots is None or not names_files(params.arguments):
            return None
        if not context.session.can_send_request:
            answer = (params.input_responses or {}).get(_QUESTION)
            if not isinstance(answer, types.ListRootsResult):
                requests: types.InputRequests = {_QUESTION: types.ListRootsRequest()}
                return types.InputRequiredResult(input_requests=requests, request_state=_QUESTION)
            self._session.lend(_folders(answer.roots))
            return None
        if not self._are_known:
            before = self._changes
            folders = await _requested_roots(context, min(within_s, ROOTS_S))
            if before == self._changes:
                self._session.lend(folders)
                self._are_known = bool(has.roots.list_changed)
        return None


async def _requested_roots(context: Context, within_s: float) -> list[Path]:
    try:
        async with asyncio.timeout(within_s):
            request = types.ListRootsRequest()
            response = await context.session.send_request(request, types.ListRootsResult)
    except (MCPError, OSError, TimeoutError, ValueError) as error:
        log.info("the host did not report its roots: %s", type(error).__name__)
        return []
    return _folders(response.roots)


def _folders(roots: Iterable[types.Root]) -> list[Path]:
    urls = [urlsplit(str(root.uri)) for root in roots]
    return [
        Path(url2pathname(url.path))
        for url in urls
        if url.scheme == "file" and url.netloc in ("", "localhost")
    ]
