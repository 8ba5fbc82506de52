"""Live: what the live view of one server shows, and who may see it. A link becomes a login once."""

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
"""How long a link works. A person opens it at once, or gets another one."""
LOGIN_S = 12 * 3600.0
"""How long a login works. A viewer who is connected then stays connected."""
SERVER_ANSWER_S = 3.0
"""How long another server may take to answer."""

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


Others = Callable[[], Awaitable[list[Server]]]
Sessions = Callable[[], Mapping[str, Session]]


class Live:
    """The live view of a server, a daemon or a program.

    Args:
        title: what people call this server: "session default", "port 8414".
        sessions: returns the sessions that have a browser, by task name. Called on the loop of the
            server.
        others: finds the user's other servers, whose tasks the overview shows too.
    """

    def __init__(self, title: str, sessions: Sessions, others: Others) -> None:
        self.title = title
        self.sessions = sessions
        self.others = others
        self.id = secrets.token_hex(4)
        """Stands before the names of its tasks: two servers may have tasks of the same name."""
        self.key = secrets.token_urlsafe(32)
        """The user's own programs show it: to get links, and to show these tasks in their view."""
        self.links = Links()
        self.unproven = 0
        """How many sockets are open that have not shown a key yet."""
        self.strangers = 0
        """How many sockets without a login may still be open."""
        self.viewers: Counter[str | None] = Counter()
        """How many viewers the links of each tenant have now; None: those of the operator."""
        self.uploads = Uploads()
        self.url = ""
        """``http://host:port``, once it listens."""
        self.watchers: list[Callable[[str], bool]] = []
        """One for each viewer: returns whether it shows the task with this full name."""
        self.start: Callable[[], Awaitable[object]] | None = None
        """Begins to listen, if this program does that only on demand."""

    def server(self) -> Server:
        """Return what the registry tells the user's other programs."""
        return Server(id=self.id, title=self.title, url=self.url, key=self.key, pid=os.getpid())

    def link(self, scope: Scope, base_url: str = "", is_valid: Callable[[], bool] = always) -> str:
        """Return a link to the live view for a person. It works once, for a few minutes.

        Args:
            scope: what it shows.
            base_url: the server's URL, if the person reaches it by another one.
            is_valid: see ``Links.create``.
        """
        return f"{base_url or self.url}/live/#{self.links.create(scope, is_valid)}"

    def link_of(self, task: str) -> str | None:
        """Return a link to one task, for the person whom its agent asks for. None if the view does
        not listen."""
        return self.link(Scope(task=task, tenant=tenant_of(task))) if self.url else None

    async def listening(self) -> None:
        """Begin to listen, unless the view does already or can't."""
        if not self.url and self.start is not None:
            await self.start()

    def tasks_in(self, scope: Scope) -> dict[str, Session]:
        """Return the sessions that a viewer may see, by the names that the view gives them."""
        return {
            shown: session
            for name, session in self.sessions().items()
            if isinstance(session.current, Browser)
            and (shown := self.name_in(scope, name)) is not None
        }

    def name_in(self, scope: Scope, task: str) -> str | None:
        """Return a viewer's name for a task: this server's id, and the name that the viewer's
        tenant gave it. None if the viewer may not see it."""
        if scope.task not in (None, task):
            return None
        if scope.tenant is None:
            return f"{self.id}.{task}"
        return f"{self.id}.{own_name(task)}" if scope.tenant == tenant_of(task) else None

    def is_watched(self, task: str) -> bool:
        """Whether a viewer shows this task, not only in the overview of all tasks."""
        return any(shows(task) for shows in self.watchers)

    def forget_stranger(self) -> None:
        self.strangers -= 1

    def close(self) -> None:
        self.uploads.close()
