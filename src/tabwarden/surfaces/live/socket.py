"""The live view's WebSocket: checks a viewer's access, forwards the viewer's messages, and writes
to the viewer. A relay adds the tasks of the user's other servers, over a socket to each. Each
viewer has separate sockets, so a slow viewer delays only that viewer's images.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.access import is_own_origin
from tabwarden.surfaces.guard.principal import Principal, until_first, until_over
from tabwarden.surfaces.live.live import SERVER_ANSWER_S, Live, Scope, scope_of
from tabwarden.surfaces.live.registry import Server
from tabwarden.surfaces.live.viewer import Line, Viewer, object_in, packed, unpacked

OTHER_SERVERS_S = 3.0
"""The pause between searches for the user's other servers."""
CLOSING_S = 10.0
"""How long a client may take to close its side of a socket (Uvicorn)."""

_REFUSED = 4401
"""The close code for a viewer who has no access, or no longer has access. Applications may use 4000
to 4999.
"""
_FULL = 1013
"""The close code for a viewer who may try again later."""
_OVER = "This link no longer works."
_MOST_VIEWERS = 20
"""The maximum number of viewers per tenant. It is limited because each viewer costs server time
when a page changes.
"""
_MOST_OF_OPERATOR = 100


def cookie_name(live: Live) -> str:
    """Return the name of a server's cookie. The name is unique per server, because all ports of a
    host share cookies.
    """
    return f"tabwarden_live_{live.id}"


async def speak(live: Live, websocket: WebSocket, program: Principal | None) -> None:
    """Serve one viewer until the connection ends.

    Args:
        live: the server's live view. websocket: the connection, which is not accepted yet. program:
            the sender, if a program connects with a token. The program may see its tenant's tasks;
            the operator's program may see all tasks.
    """
    if program is None and not is_own_origin(websocket.headers):
        await websocket.close(_REFUSED)  # before the connection is accepted, so the response is 403
        return
    cookie = websocket.cookies.get(cookie_name(live), "")
    if program is None and not live.links.knows(cookie):
        await _turn_away(live, websocket)
        return
    if live.unproven >= _MOST_UNPROVEN and program is None:
        await websocket.close(_FULL)
        return
    await websocket.accept()
    live.unproven += 1
    try:
        admitted = await _admitted(live, websocket, program)
    finally:
        live.unproven -= 1
    if admitted is None:
        await websocket.close(_REFUSED, _OVER)
        return
    scope, person = admitted
    most = _MOST_OF_OPERATOR if scope.tenant is None else _MOST_VIEWERS
    if live.viewers[scope.tenant] >= most:
        await websocket.close(_FULL, "Too many people are watching these tasks.")
        return
    live.viewers[scope.tenant] += 1
    try:
        await _show(live, websocket, program, scope, person)
    finally:
        live.viewers[scope.tenant] -= 1


async def _turn_away(live: Live, websocket: WebSocket) -> None:
    """Close the socket of a client without a login. Accept it first, because otherwise the page
    does not receive the reason.
    """
    if live.strangers < _MOST_UNPROVEN:
        live.strangers += 1
        asyncio.get_running_loop().call_later(CLOSING_S, live.forget_stranger)
        await websocket.accept()
    await websocket.close(_REFUSED, _OVER)


async def _show(
    live: Live, websocket: WebSocket, program: Principal | None, scope: Scope, person: str
) -> None:
    line = _Line(websocket)
    viewer = Viewer(live, scope, person, line)
    # A program shows this server's tasks in its own view.
    shows_all = scope.task is None and scope.tenant is None
    others = OtherServers(live, scope, person, line) if shows_all and program is None else None
    # The guard ends a program's connection when its token is revoked.
    is_valid = live.links.validity_of(websocket.cookies.get(cookie_name(live), ""))
    work = [until_over(is_valid), viewer.tell(), _listen(websocket, viewer, others)]
    work += [others.relay()] if others is not None else []
    await until_first(work, _GONE)
    with suppress(*_GONE):
        await websocket.close(_REFUSED, _OVER)


_GONE = (WebSocketDisconnect, ConnectionError, RuntimeError)


class _Line:
    """Writes to a viewer, one whole message at a time."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._lock = asyncio.Lock()

    async def text(self, text: str) -> None:
        async with self._lock:
            await self._websocket.send_text(text)

    async def binary(self, data: bytes) -> None:
        async with self._lock:
            await self._websocket.send_bytes(data)


_MOST_UNPROVEN = 50
"""The maximum number of open sockets whose clients have not sent a key yet."""


async def _admitted(
    live: Live, websocket: WebSocket, program: Principal | None
) -> tuple[Scope, str] | None:
    """Return the viewer's scope and the person's id. The first message contains the key, or the
    person on whose behalf a program connects.
    """
    try:
        async with asyncio.timeout(SERVER_ANSWER_S):
            hello = object_in(await websocket.receive_text())
    except (TimeoutError, WebSocketDisconnect, KeyError, ValueError):
        return None
    if program is not None:
        if "live" not in program.permissions:
            return None
        wanted = {name: hello[name] for name in hello.keys() - {"type", "person"}}
        person = str(hello.get("person") or secrets.token_hex(8))[:100]
        try:
            return scope_of(wanted, program), f"{program.tenant or ''}/{program.name}/{person}"
        except InvalidArgument:
            return None
    cookie = websocket.cookies.get(cookie_name(live), "")
    scope = live.links.scope_of(cookie, str(hello.get("key", "")))
    return None if scope is None else (scope, live.links.person_of(cookie))


async def _listen(websocket: WebSocket, viewer: Viewer, others: OtherServers | None) -> None:
    while websocket.application_state is WebSocketState.CONNECTED:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text, data = message.get("text"), message.get("bytes") or b""
        try:
            about, chunk = (object_in(text), None) if text is not None else unpacked(data)
        except ValueError:
            continue  # ignore a message with an unknown format
        if chunk is None:
            if others is None or not await others.heard(about):
                viewer.heard(about)
        elif others is None or not await others.heard_bytes(about, chunk):
            viewer.heard_bytes(about, chunk)
        await viewer.room()


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
        """Until canceled, look for other servers and forward their messages."""
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
        """Forward a viewer's message to the server that has the task. Return False if the message
        is about a task on this server.
        """
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
