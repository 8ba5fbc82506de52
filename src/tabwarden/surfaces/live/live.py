"""``Live``: the live view of one server, with its links and logins. A link can be exchanged for a
login once.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from tabwarden.actions import Session, full_name, own_name, tenant_of
from tabwarden.browser import Browser
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import Principal
from tabwarden.surfaces.live.files import Uploads
from tabwarden.surfaces.live.registry import Server

LINK_S = 300.0
"""How long a link works. A person opens it at once, or requests a new link."""
LOGIN_S = 12 * 3600.0
"""How long a login works. A viewer who is connected when the login expires stays connected."""
SERVER_ANSWER_S = 3.0
"""How long another server may take to respond."""

_BYTES = 32
_MOST = 200
"""How many links and how many logins are kept for each tenant and for the operator. Further links
and logins replace the oldest.
"""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """The tasks that a link shows, and the person who uses it."""

    task: str | None = None
    """The full name of the only task that the link shows; None for all tasks."""
    tenant: str | None = None
    """The tenant whose tasks the link shows, under the tenant's names for them; None for all of the
    user's tasks.
    """
    read_only: bool = False
    name: str = "A person"
    """The person's name, which agents see."""


class _Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    task: str | None = None
    name: str | None = None
    read_only: bool = False


def scope_of(given: Mapping[str, Any], principal: Principal) -> Scope:
    """Return the scope that a request for a link specifies. The request's fields are ``task``,
    ``name`` and ``read_only``.

    Raises:
        InvalidArgument: a field is unknown or has the wrong type, or a tenant's task name is
            invalid.
    """
    try:
        wanted = msgspec.convert(given, _Wanted)
    except msgspec.ValidationError as error:
        raise InvalidArgument(
            f"The request for a link is invalid: {error}.",
            'All fields are optional: {"task": "a1", "read_only": true, "name": "Ann"}.',
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
    """A link that a person has opened. The browser proves the login with two secrets: a cookie,
    which scripts can't read, and a key, which is not sent to other ports of this host.
    """

    scope: Scope
    cookie: str
    key: str


def always() -> bool:
    """Return True. Used for a link that can't be revoked."""
    return True


class _Kept(msgspec.Struct):
    scope: Scope
    until: float
    is_valid: Callable[[], bool]
    key_hash: bytes = b""


class Links:
    """The links and logins of one server. The server stores only hashes of the secrets."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: dict[bytes, _Kept] = {}
        self._logins: dict[bytes, _Kept] = {}

    def create(self, scope: Scope, is_valid: Callable[[], bool] = always) -> str:
        """Return the token of a new link. The token works once, within a few minutes.

        Args:
            scope: the link's scope. is_valid: returns whether the creator may still show the tasks.
                If not, the link and its logins become invalid.
        """
        token = secrets.token_urlsafe(_BYTES)
        self._keep(self._links, token, _Kept(scope, self._clock() + LINK_S, is_valid))
        return token

    def enter(self, token: str) -> Login | None:
        """Exchange a link for a login. Return None if the link is unknown, used or expired."""
        kept = self._links.pop(_hash(token), None)
        if kept is None or kept.until < self._clock() or not kept.is_valid():
            return None
        cookie, key = secrets.token_urlsafe(_BYTES), secrets.token_urlsafe(_BYTES)
        login = _Kept(kept.scope, self._clock() + LOGIN_S, kept.is_valid, _hash(key))
        self._keep(self._logins, cookie, login)
        return Login(scope=kept.scope, cookie=cookie, key=key)

    def scope_of(self, cookie: str, key: str) -> Scope | None:
        """Return the scope of a viewer's login; None if the login is invalid."""
        kept = self._logins.get(_hash(cookie))
        if kept is None or not hmac.compare_digest(kept.key_hash, _hash(key)):
            return None
        return kept.scope if kept.until >= self._clock() and kept.is_valid() else None

    def knows(self, cookie: str) -> bool:
        """Whether a cookie belongs to a login."""
        return _hash(cookie) in self._logins

    def validity_of(self, cookie: str) -> Callable[[], bool]:
        """Return a function that checks whether the creator of a login's link may still show the
        tasks.
        """
        kept = self._logins.get(_hash(cookie))
        return kept.is_valid if kept is not None else always

    def person_of(self, cookie: str) -> str:
        """Return an ID for the person who uses a login. The ID is unique even if several people
        have the same name.
        """
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


Others = Callable[[], Awaitable[list[Server]]]
Sessions = Callable[[], Mapping[str, Session]]


class Live:
    """The live view of a server, a daemon or a program.

    Args:
        title: the server's name for people, such as "session default" or "port 8414".
        sessions: returns the sessions that have a browser, by task name. Called on the server's
            event loop.
        others: finds the user's other servers. The overview also shows their tasks.
    """

    def __init__(self, title: str, sessions: Sessions, others: Others) -> None:
        self.title = title
        self.sessions = sessions
        self.others = others
        self.id = secrets.token_hex(4)
        """The prefix of the tasks' names in views, because two servers may have tasks with the same
        name.
        """
        self.key = secrets.token_urlsafe(32)
        """The key with which the user's other programs create links and show these tasks in their
        views.
        """
        self.links = Links()
        self.unproven = 0
        """The number of open sockets that have not sent a key yet."""
        self.strangers = 0
        """The number of rejected sockets that may still be open."""
        self.viewers: Counter[str | None] = Counter()
        """The number of current viewers for each tenant; None for the operator's."""
        self.uploads = Uploads()
        self.url = ""
        """``http://host:port``, once the server is listening."""
        self.watchers: list[Callable[[str], bool]] = []
        """One function for each viewer. It returns whether the viewer shows the task with this full
        name.
        """
        self.start: Callable[[], Awaitable[object]] | None = None
        """Starts listening, in a program that listens only on demand."""

    def server(self) -> Server:
        """Return the registry's entry for the user's other programs."""
        return Server(id=self.id, title=self.title, url=self.url, key=self.key, pid=os.getpid())

    def link(self, scope: Scope, base_url: str = "", is_valid: Callable[[], bool] = always) -> str:
        """Return a link to the live view for a person. The link works once, within a few minutes.

        Args:
            scope: the link's scope. base_url: the server's URL for the person, if it is not
                ``url``.
            is_valid: see ``Links.create``.
        """
        return f"{base_url or self.url}/live/#{self.links.create(scope, is_valid)}"

    def link_of(self, task: str) -> str | None:
        """Return a link to one task, for a hand-off to a person. Return None if the view is not
        listening.
        """
        return self.link(Scope(task=task, tenant=tenant_of(task))) if self.url else None

    async def listening(self) -> None:
        """Start listening, if the view is not listening yet and is able to listen."""
        if not self.url and self.start is not None:
            await self.start()

    def tasks_in(self, scope: Scope) -> dict[str, Session]:
        """Return the sessions that a viewer may see, by the viewer's names for their tasks."""
        return {
            task_name: session
            for name, session in self.sessions().items()
            if isinstance(session.current, Browser)
            and (task_name := self.name_in(scope, name)) is not None
        }

    def name_in(self, scope: Scope, task: str) -> str | None:
        """Return a viewer's name for a task: this server's id and the tenant's name for the task.
        Return None if the viewer may not see the task.
        """
        if scope.task not in (None, task):
            return None
        if scope.tenant is None:
            return f"{self.id}.{task}"
        return f"{self.id}.{own_name(task)}" if scope.tenant == tenant_of(task) else None

    def is_watched(self, task: str) -> bool:
        """Whether a viewer has opened this task. Viewers who only see the overview of all tasks are
        not counted.
        """
        return any(shows(task) for shows in self.watchers)

    def forget_stranger(self) -> None:
        self.strangers -= 1

    def close(self) -> None:
        self.uploads.close()
