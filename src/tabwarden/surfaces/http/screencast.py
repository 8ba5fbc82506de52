"""``POST /screencast`` and its WebSocket: live images of a tab, as in OpenClaw's control API. The
request returns a token that opens the WebSocket once. This is necessary because a page can't send
the server's own token.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabwarden.browser import Browser
from tabwarden.control_api import tabs_json
from tabwarden.page.screencast import Picture
from tabwarden.surfaces.guard.principal import until_first, until_over
from tabwarden.surfaces.http.files import STALLED_S
from tabwarden.surfaces.live.watched import PictureQueue

TICKET_S = 60.0
"""How long a token for a screencast is valid, as in OpenClaw."""
LOOK_S = 0.5
"""The pause between checks whether the tab is still open, and what its URL is."""

PATH = "/browser/screencast"
_MOST_TICKETS = 200
_MOST_VIEWERS = 20
"""The maximum number of viewers for each tenant and for the operator."""
_WRONG_TOKEN, _TAB_CLOSED, _FULL = 4001, 4004, 1013
_REVOKED = 4006
_UNREADABLE = 1003
_GONE = (WebSocketDisconnect, ConnectionError, RuntimeError, TimeoutError)


class Ticket(msgspec.Struct, frozen=True):
    """The screencast that a token opens."""

    browser: Browser
    tab_id: str
    max_width: int
    tenant: str | None
    is_valid: Callable[[], bool]
    """Checks whether the caller that received the token may still use the server."""


class Tickets:
    """The unused tokens, and the number of each tenant's viewers."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[float, Ticket]] = {}
        self.viewers: Counter[str | None] = Counter()

    def issue(self, ticket: Ticket) -> str:
        """Return a token that works once, within ``TICKET_S``. Discards the tenant's oldest token
        if there are too many.
        """
        own = [key for key, (_, one) in self._waiting.items() if one.tenant == ticket.tenant]
        for key in own[: max(0, len(own) + 1 - _MOST_TICKETS)]:
            del self._waiting[key]
        token = secrets.token_hex(24)
        self._waiting[token] = time.monotonic() + TICKET_S, ticket
        return token

    def redeem(self, token: str) -> Ticket | None:
        """Return the screencast for a token, and invalidate the token. Return None if the token is
        unknown, used or expired.
        """
        until, ticket = self._waiting.pop(token, (0.0, None))
        return ticket if time.monotonic() < until else None


async def show(websocket: WebSocket, tickets: Tickets) -> None:
    """Serve one viewer until the tab or the connection closes, or the caller's token becomes
    invalid.
    """
    ticket = tickets.redeem(websocket.query_params.get("token", ""))
    if ticket is None:
        # before the connection is accepted, so the response is 403
        await websocket.close(_WRONG_TOKEN)
        return
    await websocket.accept()
    if tickets.viewers[ticket.tenant] >= _MOST_VIEWERS:
        await websocket.close(_FULL, "Too many people are watching tabs on this server.")
        return
    tickets.viewers[ticket.tenant] += 1
    try:
        work = (_pictures(websocket, ticket), _heard(websocket), _over(ticket))
        codes = await until_first(work, _GONE)
    finally:
        tickets.viewers[ticket.tenant] -= 1
    with suppress(*_GONE):
        await websocket.close(codes[0] if codes else _TAB_CLOSED)


async def _pictures(websocket: WebSocket, ticket: Ticket) -> int:
    """Send the tab's images and URL until the tab closes."""
    came = asyncio.Event()
    queue = PictureQueue(ticket.browser, came.set, tab_id=ticket.tab_id, max_width=ticket.max_width)
    sent: dict[str, Any] = {}
    try:
        while (tab := _tab(ticket)) is not None:
            async with asyncio.timeout(STALLED_S):
                if tab != sent:
                    kind = "meta" if sent else "ready"
                    await websocket.send_text(json.dumps({"type": kind, **tab}))
                    sent = tab
                if (picture := queue.take()) is not None and _may_show(ticket.browser):
                    await websocket.send_bytes(_framed(picture, tab["url"]))
            came.clear()
            if not queue.waits:
                with suppress(TimeoutError):
                    await asyncio.wait_for(came.wait(), LOOK_S)
    finally:
        queue.close()
    return _TAB_CLOSED


def _may_show(browser: Browser) -> bool:
    return not browser.control.is_closed_to_caller()  # a page may show text that a person is typing


def _tab(ticket: Ticket) -> dict[str, Any] | None:
    if not ticket.browser.is_open:
        return None
    for tab in tabs_json(ticket.browser.state, {}):
        if tab["tabId"] == ticket.tab_id:
            return {name: tab[name] for name in ("targetId", "url", "title")}
    return None


def _framed(picture: Picture, url: str) -> bytes:
    """Return an image with its header: the header's length in four bytes, the header as JSON, and
    the image.
    """
    head = json.dumps(
        {
            "url": url,
            "cssWidth": picture.width,
            "cssHeight": picture.height,
            "scrollX": picture.scroll_x,
            "scrollY": picture.scroll_y,
            "ts": picture.taken_at,
        }
    ).encode()
    return len(head).to_bytes(4, "big") + head + picture.data


async def _heard(websocket: WebSocket) -> int:
    """Wait until the viewer disconnects. Text messages are ignored. Binary messages end the
    connection.
    """
    while (message := await websocket.receive())["type"] != "websocket.disconnect":
        if message.get("bytes") is not None:
            return _UNREADABLE
    raise WebSocketDisconnect(message.get("code", 1000))


async def _over(ticket: Ticket) -> int:
    await until_over(ticket.is_valid)
    return _REVOKED
