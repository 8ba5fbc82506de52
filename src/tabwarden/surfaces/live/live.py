"""Live: what the live view of one server shows, and who may see it."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

from tabwarden.actions import Session, own_name, tenant_of
from tabwarden.browser import Browser
from tabwarden.surfaces.live.files import Uploads
from tabwarden.surfaces.live.links import Links, Scope, always
from tabwarden.surfaces.live.registry import Server

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
