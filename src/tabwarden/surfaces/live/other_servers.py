"""Relays messages between a viewer and the user's other Tabwarden servers, over a socket to each.
So a viewer who is slow slows only their own pictures there, too."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tabwarden.surfaces.live.framing import packed
from tabwarden.surfaces.live.links import Scope
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.live.registry import Server
from tabwarden.surfaces.live.timing import OTHER_SERVERS_S, SERVER_ANSWER_S
from tabwarden.surfaces.live.viewer import Line

log = logging.getLogger("tabwarden.live")

_LARGEST = 1 << 24


class OtherServers:
    """The other servers of one viewer."""

    def __init__(self, live: Live, scope: Scope, person: str, line: Line) -> None:
        self._live = live
        self._scope = scope
        self._person = person
        self._line = line
        self._sockets: dict[str, ClientConnection] = {}
        self._relays: dict[str, asyncio.Task[None]] = {}

    async def relay(self) -> None:
        """Look for other servers and pass on what they say, until cancelled."""
        try:
            while True:
                for server in await self._live.others():
                    if server.id != self._live.id and server.id not in self._relays:
                        relay = asyncio.create_task(self._pass_on(server))
                        self._relays[server.id] = relay
                await asyncio.sleep(OTHER_SERVERS_S)
        finally:
            for relay in self._relays.values():
                relay.cancel()
            await asyncio.gather(*self._relays.values(), return_exceptions=True)

    async def heard(self, message: Mapping[str, Any]) -> bool:
        """Pass a viewer's message on; return False if it is about a task of this server."""
        return await self._send(message, json.dumps(message))

    async def heard_bytes(self, about: Mapping[str, Any], data: bytes) -> bool:
        return await self._send(about, packed(about, data))

    async def _send(self, about: Mapping[str, Any], message: str | bytes) -> bool:
        socket = self._sockets.get(str(about.get("task")).partition(".")[0])
        if socket is None:
            return False
        with suppress(WebSocketException, OSError):
            await socket.send(message)
        return True

    async def _pass_on(self, server: Server) -> None:
        hello = {
            "type": "hello",
            "name": self._scope.name,
            "read_only": self._scope.read_only,
            "person": self._person,
        }
        try:
            async with connect(
                f"{server.url.replace('http', 'ws', 1)}/live/socket",
                additional_headers={"Authorization": f"Bearer {server.key}"},
                compression=None,
                max_size=_LARGEST,
                open_timeout=SERVER_ANSWER_S,
                proxy=None,
            ) as socket:
                await socket.send(json.dumps(hello))
                self._sockets[server.id] = socket
                async for message in socket:
                    if isinstance(message, str):
                        await self._line.text(message)
                    else:
                        await self._line.binary(message)
        except (WebSocketException, OSError, TimeoutError) as error:
            log.debug("the live view of %s can't be shown: %s", server.title, error)
        finally:
            if self._sockets.pop(server.id, None) is not None:
                gone = {"type": "tasks", "server": server.id, "tasks": [], "gone": True}
                with suppress(Exception):
                    await self._line.text(json.dumps(gone))
            self._relays.pop(server.id, None)
