"""Access control. Every request must contain this server's name in ``Host``, and a valid token.
Only the live view checks its viewers itself.

A page in a user's browser can send requests to this computer's ports. If the page uses its own host
name, which resolves to this computer, the ``Host`` header reveals the attack. If the page uses the
server's address, the ``Origin`` header reveals the attack.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwarden.config import is_allowed_host
from tabwarden.errors import Denied, TabwardenError
from tabwarden.surfaces.guard.principal import admit, until_over
from tabwarden.surfaces.guard.tokens import Grant, Tokens

GRACE_S = 2.0
"""How long a request may take to finish after its token is revoked."""

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_HTTP_PORT = 80
_POLICY = 1008
"""The close code of a WebSocket whose client is not allowed to use it."""


class Refuse(Protocol):
    """Creates an error response in the format of the server's protocol."""

    def __call__(
        self,
        error: TabwardenError,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ASGIApp:
        """Return an error response. The default status is 403."""
        ...


class Access:
    """Accepts requests that have this server's name, a valid token, and no foreign origin.

    Stores the sender in the request's scope (``principal_of``). If a request's token is revoked,
    ends the request as if the client had disconnected. ``GET /proof`` (``proof_for``) needs no
    token.

    Args:
        hosts: returns the names that requests may use in addition to the server's own
            (AllowedHost).
        tokens: the tokens that this server accepts.
        open_paths: these paths, and paths below them, need no token. Their handlers check access in
            another way. A person's browser, which has no token, is redirected to the first path.
    """

    def __init__(
        self,
        app: ASGIApp,
        tokens: Tokens,
        host: str,
        refuse: Refuse,
        open_paths: Sequence[str] = (),
        hosts: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._app = app
        self._refuse = refuse
        self._tokens = tokens
        self._host = host.lower()
        self._open_paths = open_paths
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        send = _guarded(send)
        if (proof := self._tokens.proof(scope)) is not None:
            await PlainTextResponse(proof)(scope, receive, send)
            return
        headers = Headers(scope=scope)
        denied = self._foreign(headers, *scope["server"])
        if denied is not None:
            await self._refuse(denied)(scope, receive, send)
        elif (grant := self._tokens.grant(headers)) is not None:
            await self._admitted(grant, scope, receive, send)
        elif self._is_open(scope["path"]):
            await self._app(scope, receive, send)
        elif self._open_paths and _is_person(scope, headers):
            page = RedirectResponse(
                f"{self._open_paths[0]}/", 303, {"referrer-policy": "no-referrer"}
            )
            await page(scope, receive, send)
        else:
            await self._ask(scope, receive, send)

    async def _admitted(self, grant: Grant, scope: Scope, receive: Receive, send: Send) -> None:
        is_valid = partial(self._tokens.is_valid, grant)
        admit(scope, grant.principal, is_valid)
        if grant.principal.is_operator:  # the server's own token is never revoked
            await self._app(scope, receive, send)
            return
        revoked = asyncio.ensure_future(until_over(is_valid))
        try:
            await _until(revoked, self._app(scope, _hung_up(revoked, scope, receive), send))
        finally:
            revoked.cancel()

    def _foreign(self, headers: Headers, address: str, port: int) -> TabwardenError | None:
        """Return an error if a request names a different server or has a foreign origin."""
        named = headers.getlist("host")
        host = named[0].lower() if len(named) == 1 else ""
        is_ours = bool(host) and self._is_ours(host, _plain(address), port)
        if not is_ours and not is_allowed_host(host, self._hosts()):
            return Denied(
                "The Host header does not match this server's address or allowed names.",
                "Use the address that the server printed at startup, or add the name to "
                "server.allowed_hosts.",
                field="Host",
            )
        # A proxy in front of the server may speak TLS.
        own = {f"http://{host}"} if is_ours else {f"http://{host}", f"https://{host}"}
        if any(origin.lower() not in own for origin in headers.getlist("origin")):
            return Denied(
                "The request comes from a web page of a different origin.",
                "Call the server from a program, not from a web page.",
                field="Origin",
            )
        return None

    def _is_open(self, path: str) -> bool:
        return any(path == own or path.startswith(f"{own}/") for own in self._open_paths)

    def _is_ours(self, named: str, address: str, port: int) -> bool:
        name, colon, number = named.rpartition(":")
        if not colon or named.endswith("]"):
            name, number = named, str(_HTTP_PORT)
        ours = {address, self._host}
        if ipaddress.ip_address(address).is_loopback:
            ours |= _LOOPBACK
        return number == str(port) and name.removeprefix("[").removesuffix("]") in ours

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        missing = Denied(
            "The request's token is missing, or is not valid for this server.",
            "Send Authorization: Bearer <token>. The server printed the token's location at "
            "startup.",
            field="Authorization",
        )
        asking = self._refuse(missing, status=401, headers={"WWW-Authenticate": "Bearer"})
        await asking(scope, receive, send)


def _is_person(scope: Scope, headers: Headers) -> bool:
    """Whether a person opened a URL of this server in a browser."""
    is_read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    return is_read and headers.get("accept", "").startswith("text/html")


def is_own_origin(headers: Headers) -> bool:
    """Whether a request's ``Origin`` is this server, perhaps behind a proxy with TLS. ``Access``
    has checked the ``Host``, and rejects an ``https`` origin if there is no proxy.
    """
    host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
    return origin in {f"http://{host}", f"https://{host}"}


async def _until(revoked: asyncio.Future[None], serving: Awaitable[None]) -> None:
    """Serve a request. When ``revoked`` is done, give the request ``GRACE_S`` to finish, then
    cancel the request.
    """
    work = asyncio.ensure_future(serving)
    try:
        await asyncio.wait((work, revoked), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((work,), timeout=GRACE_S)
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
    if not work.cancelled():
        work.result()


def _hung_up(revoked: asyncio.Future[None], scope: Scope, receive: Receive) -> Receive:
    """Wrap ``receive``. When ``revoked`` is done, report that the client disconnected."""

    async def received() -> Message:
        receiving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((receiving, revoked), return_when=asyncio.FIRST_COMPLETED)
            if revoked.done():
                kind = "websocket" if scope["type"] == "websocket" else "http"
                return {"type": f"{kind}.disconnect", "code": _POLICY}
            return receiving.result()
        finally:
            receiving.cancel()

    return received


def _guarded(send: Send) -> Send:
    """Wrap ``send``. Add headers that prevent browsers from caching responses or guessing their
    type.
    """

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["cache-control"] = "no-store"
            headers["x-content-type-options"] = "nosniff"
            headers["cross-origin-resource-policy"] = "same-origin"
        await send(message)

    return guarded


def _plain(address: str) -> str:
    """Remove an address's zone, and convert an IPv4-mapped address to IPv4."""
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)
