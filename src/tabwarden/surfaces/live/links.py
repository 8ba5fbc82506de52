"""Links: who may see the live view. A link becomes a login once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable

import msgspec

from tabwarden.surfaces.live.timing import LINK_S, LOGIN_S

_BYTES = 32
_MOST = 200
"""How many links and logins are kept; the oldest go first."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What a link shows, and to whom."""

    task: str | None = None
    """The only task that it shows; None for all of the user's tasks."""
    read_only: bool = False
    name: str = "A person"
    """The person's name, which agents are told."""


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """A link that somebody has opened. The browser proves it by two secrets: a cookie, which no
    script can read, and a key, which no other port of this host gets to see."""

    scope: Scope
    cookie: str
    key: str


class _Kept(msgspec.Struct):
    scope: Scope
    until: float
    key_hash: bytes = b""


class Links:
    """All links and logins of one server. The server keeps no secret, only its hash."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: dict[bytes, _Kept] = {}
        self._logins: dict[bytes, _Kept] = {}

    def create(self, scope: Scope) -> str:
        """Return the token of a new link. It works once, for a few minutes."""
        token = secrets.token_urlsafe(_BYTES)
        self._keep(self._links, token, _Kept(scope, self._clock() + LINK_S))
        return token

    def enter(self, token: str) -> Login | None:
        """Use up a link. Return its login; None if there is no such link any more."""
        kept = self._links.pop(_hash(token), None)
        if kept is None or kept.until < self._clock():
            return None
        cookie, key = secrets.token_urlsafe(_BYTES), secrets.token_urlsafe(_BYTES)
        login = _Kept(kept.scope, self._clock() + LOGIN_S, _hash(key))
        self._keep(self._logins, cookie, login)
        return Login(scope=kept.scope, cookie=cookie, key=key)

    def scope_of(self, cookie: str, key: str) -> Scope | None:
        """Return what a viewer may see; None if the viewer may see nothing."""
        kept = self._logins.get(_hash(cookie))
        if kept is None or not hmac.compare_digest(kept.key_hash, _hash(key)):
            return None
        return kept.scope if kept.until >= self._clock() else None

    def _keep(self, into: dict[bytes, _Kept], secret: str, kept: _Kept) -> None:
        now = self._clock()
        for old in [key for key, one in into.items() if one.until < now]:
            del into[old]
        while len(into) >= _MOST:
            del into[next(iter(into))]
        into[_hash(secret)] = kept


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
