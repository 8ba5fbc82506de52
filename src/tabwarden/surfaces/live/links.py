"""Links: who may see the live view. A link becomes a login once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabwarden.actions import full_name
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import Principal
from tabwarden.surfaces.live.timing import LINK_S, LOGIN_S

_BYTES = 32
_MOST = 200
"""How many links and logins of one tenant, or of the operator, are kept; their oldest go first."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What a link shows, and to whom."""

    task: str | None = None
    """The only task that it shows, by its full name; None for all tasks."""
    tenant: str | None = None
    """Whose tasks it shows, under the tenant's names; None for all of the user's tasks."""
    read_only: bool = False
    name: str = "A person"
    """The person's name, which agents are told."""


class _Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    task: str | None = None
    name: str | None = None
    read_only: bool = False


def scope_of(given: Mapping[str, Any], principal: Principal) -> Scope:
    """Return the scope that a request for a link asks for: ``task``, ``name`` and ``read_only``.

    Raises:
        InvalidArgument: a field is unknown or of another type, or a tenant names a task that no
            task can have as its name.
    """
    try:
        wanted = msgspec.convert(given, _Wanted)
    except msgspec.ValidationError as error:
        raise InvalidArgument(
            f"This is no request for a link: {error}.",
            'Send the fields that you need of {"task": "a1", "read_only": true, "name": "Ann"}.',
            field="body",
        ) from None
    task, tenant = wanted.task, principal.tenant
    if task is not None and tenant is not None:
        task = full_name(tenant, task)
    read_only = wanted.read_only or "act" not in principal.permissions
    scope = Scope(task=task, tenant=tenant, read_only=read_only)
    name = (wanted.name or "")[:80]
    return msgspec.structs.replace(scope, name=name) if name else scope


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """A link that somebody has opened. The browser proves it by two secrets: a cookie, which no
    script can read, and a key, which no other port of this host gets to see."""

    scope: Scope
    cookie: str
    key: str


def always() -> bool:
    """Say that nobody can end a link before its time."""
    return True


class _Kept(msgspec.Struct):
    scope: Scope
    until: float
    is_valid: Callable[[], bool]
    key_hash: bytes = b""


class Links:
    """All links and logins of one server. The server keeps no secret, only its hash."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: dict[bytes, _Kept] = {}
        self._logins: dict[bytes, _Kept] = {}

    def create(self, scope: Scope, is_valid: Callable[[], bool] = always) -> str:
        """Return the token of a new link. It works once, for a few minutes.

        Args:
            scope: what it shows.
            is_valid: whether its creator still may show that. If not, the link and its logins end.
        """
        token = secrets.token_urlsafe(_BYTES)
        self._keep(self._links, token, _Kept(scope, self._clock() + LINK_S, is_valid))
        return token

    def enter(self, token: str) -> Login | None:
        """Use up a link. Return its login; None if there is no such link any more."""
        kept = self._links.pop(_hash(token), None)
        if kept is None or kept.until < self._clock() or not kept.is_valid():
            return None
        cookie, key = secrets.token_urlsafe(_BYTES), secrets.token_urlsafe(_BYTES)
        login = _Kept(kept.scope, self._clock() + LOGIN_S, kept.is_valid, _hash(key))
        self._keep(self._logins, cookie, login)
        return Login(scope=kept.scope, cookie=cookie, key=key)

    def scope_of(self, cookie: str, key: str) -> Scope | None:
        """Return what a viewer may see; None if the viewer may see nothing."""
        kept = self._logins.get(_hash(cookie))
        if kept is None or not hmac.compare_digest(kept.key_hash, _hash(key)):
            return None
        return kept.scope if kept.until >= self._clock() and kept.is_valid() else None

    def knows(self, cookie: str) -> bool:
        """Whether a cookie belongs to a login, so that a stranger did not send it."""
        return _hash(cookie) in self._logins

    def validity_of(self, cookie: str) -> Callable[[], bool]:
        """Return a function that tells whether the creator of a login's link still may show it."""
        kept = self._logins.get(_hash(cookie))
        return kept.is_valid if kept is not None else always

    def person_of(self, cookie: str) -> str:
        """Return what tells the person of a login from all others, also of the same name."""
        return _hash(cookie).hex()

    def _keep(self, into: dict[bytes, _Kept], secret: str, kept: _Kept) -> None:
        now = self._clock()
        for old in [key for key, one in into.items() if one.until < now]:
            del into[old]
        same = [key for key, one in into.items() if one.scope.tenant == kept.scope.tenant]
        for old in same[: max(0, len(same) + 1 - _MOST)]:
            del into[old]
        into[_hash(secret)] = kept


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
