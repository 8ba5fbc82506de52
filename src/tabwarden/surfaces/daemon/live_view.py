"""A daemon's live view, which starts on demand. The module also finds the user's other servers that
have a live view.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tabwarden.actions import Session
from tabwarden.errors import TabwardenError
from tabwarden.surfaces.daemon.call import BRIEF_S, found
from tabwarden.surfaces.daemon.paths import SessionPaths, session_names
from tabwarden.surfaces.live.on_demand import start_waiting_servers
from tabwarden.surfaces.live.registry import Server, servers

if TYPE_CHECKING:
    from tabwarden.surfaces.live.app import OwnServer


class DaemonsView:
    """The live view of a session's daemon. Imports Uvicorn only when the view starts."""

    def __init__(self, name: str, session: Session) -> None:
        self._name = name
        self._session = session
        self._server: OwnServer | None = None
        session.link_for_people = self._link

    async def server(self) -> dict[str, Any]:
        """Start the server, unless it is running. Return its description as JSON."""
        if self._server is None:
            from tabwarden.surfaces.live.app import OwnServer
            from tabwarden.surfaces.live.live import Live

            live = Live(f"session {self._name}", self._sessions, other_servers)
            self._server = OwnServer(live)
        await self._server.start()
        description: dict[str, Any] = msgspec.to_builtins(self._server.live.server())
        return description

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop()

    def _link(self) -> str | None:
        return None if self._server is None else self._server.live.link_of(self._name)

    def _sessions(self) -> Mapping[str, Session]:
        return {self._name: self._session} if self._session.current is not None else {}


async def other_servers() -> list[Server]:
    """Return all servers of this user that have a live view. First let programs that have no port
    yet start their live view.
    """
    await asyncio.to_thread(start_waiting_servers)
    listed = servers()
    pids = {one.pid for one in listed}
    daemons = await asyncio.gather(
        *(asyncio.to_thread(server_of_daemon, name, pids) for name in session_names())
    )
    return listed + [one for one in daemons if one is not None]


def server_of_daemon(session: str, known: set[int] | frozenset[int] = frozenset()) -> Server | None:
    """Return the live view's server of a session's daemon. Blocks for a short time.

    Args:
        session: the session's name.
        known: the ids of the processes whose servers are already known. These servers are not
            queried.
    """
    until = time.monotonic() + BRIEF_S
    try:
        link = found(SessionPaths(session), until)
        if link is None:
            return None
        try:
            if link.hello.get("pid") in known or not link.hello.get("open"):
                return None
            link.send({"op": "live"})
            message = link.receive(until)
        finally:
            link.close()
    except (TabwardenError, OSError):
        return None
    return None if message is None else msgspec.convert(message["answer"], Server)
