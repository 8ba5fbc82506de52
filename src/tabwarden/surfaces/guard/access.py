"""Access: who may speak to the server at all. Every request shows the token, to the right host.

A page in somebody's browser can reach this machine's ports: under a name of its own that it lets
point here (the Host header tells), or from its own origin (the Origin header tells).
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwarden.errors import Denied, TabwardenError

__all__ = ["Access", "Refuse"]

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_HTTP_PORT = 80


class Refuse(Protocol):
    """Makes the response of an error, in the words of the server's protocol."""

    def __call__(
        self,
        error: TabwardenError,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ASGIApp:
        """The response; 403 where no status is named."""
        ...


class Access:
    """Lets through what names this server, comes from no other origin, and has the token.

    Args:
        app: what is behind.
        token: what clients must show.
        host: the name or address that the server was told to listen on.
        refuse: makes the response for who is not let in.
    """

    def __init__(self, app: ASGIApp, token: str, host: str, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse
        self._token = token.encode()
        self._host = host.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        send = _guarded(send)
        headers = Headers(scope=scope)
        denied = self._foreign(headers, *scope["server"])
        if denied is not None:
            await self._refuse(denied)(scope, receive, send)
        elif not self._has_token(headers):
            await self._ask(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _foreign(self, headers: Headers, address: str, port: int) -> TabwardenError | None:
        """Why a request is not for this server, or not from where it may come."""
        named = headers.getlist("host")
        if len(named) != 1 or not self._is_ours(named[0].lower(), _plain(address), port):
            return Denied(
                "The Host header does not name this server.",
                "Call it by the address that it printed when it started.",
                field="Host",
            )
        origins = headers.getlist("origin")
        if any(origin.lower() != f"http://{named[0].lower()}" for origin in origins):
            return Denied(
                "The request comes from a page of another origin.",
                "Call the server from a program, not from a web page.",
                field="Origin",
            )
        return None

    def _is_ours(self, named: str, address: str, port: int) -> bool:
        name, colon, number = named.rpartition(":")
        if not colon or named.endswith("]"):
            name, number = named, str(_HTTP_PORT)
        ours = {address, self._host}
        if ipaddress.ip_address(address).is_loopback:
            ours |= _LOOPBACK
        return number == str(port) and name.removeprefix("[").removesuffix("]") in ours

    def _has_token(self, headers: Headers) -> bool:
        shown = headers.getlist("authorization")
        scheme, _, token = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        # Compared whole and in constant time, whatever the scheme.
        same = secrets.compare_digest(token.strip().encode("latin-1"), self._token)
        return same and scheme.lower() == "bearer"

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        missing = Denied(
            "The request does not show this server's token.",
            "Send it: Authorization: Bearer <token>; the server printed where it is when it "
            "started.",
            field="Authorization",
        )
        asking = self._refuse(missing, status=401, headers={"WWW-Authenticate": "Bearer"})
        await asking(scope, receive, send)


def _guarded(send: Send) -> Send:
    """``send`` for answers that browsers are to keep nowhere, and to take for what they say."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["cache-control"] = "no-store"
            headers["x-content-type-options"] = "nosniff"
            headers["cross-origin-resource-policy"] = "same-origin"
        await send(message)

    return guarded


def _plain(address: str) -> str:
    """An address without scope, and IPv4 as itself when a socket for both families took it."""
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)
