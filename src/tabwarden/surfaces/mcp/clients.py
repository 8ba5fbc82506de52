"""A server's clients. Each has its own task and can't see other clients' tabs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.subscriptions import event_to_notification

from tabwarden.actions import (
    Answer,
    ConfigSource,
    Limits,
    PreparedCall,
    Session,
    Tasks,
    TenantConfig,
    TenantTasks,
    Tool,
    Toolset,
    narrowed,
    own_name,
    refused,
    session_of,
    tenant_of,
)
from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig, Config, Permission, ServerConfig
from tabwarden.errors import Capacity, TabwardenError
from tabwarden.events import Events, Notice
from tabwarden.live_config import LiveConfig
from tabwarden.page import Screenshot
from tabwarden.page.control import Change
from tabwarden.surfaces.daemon.live_view import other_servers
from tabwarden.surfaces.guard.principal import OPERATOR, Principal
from tabwarden.surfaces.guard.serving import Drain
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.mcp.elicitation import Context
from tabwarden.surfaces.mcp.resources import SCREENSHOT, STATE, LiveNow, state_of

BATCH_S = 0.1
"""The server groups the changes within this time into one notification."""

Structured: TypeAlias = Literal["none", "slim", "full"]
"""How much structured content answers have in addition to their text.

If an answer has structured content, some hosts show the model only that, and other hosts show only
the text. So structured content has all the information in the text, or is omitted. ``none``: never.
``slim``: the few facts of a short answer, but nothing for answers with page text, values or images.
``full``: all data, except for answers with an image. The tools declare its schema.
"""


class Client:
    """Calls tools on the client's own task, and notifies the client's subscribers of changes.

    Use this class only on the event loop that created it.
    """

    def __init__(self, name: str, tasks: Tasks, toolset: Toolset, config: ConfigSource) -> None:
        self.name = name
        self.session = tasks.of(name)
        self.session.name_call = toolset.call
        self.subscribers = Subscribers()
        self.picture: Screenshot | None = None
        self.running: set[asyncio.Task[Answer]] = set()
        """The running calls. A call continues for a moment after its request is canceled."""
        self.live = LiveNow(self.session)
        self.roots = Roots(self.session)
        self._tasks = tasks
        self._toolset = toolset
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._followed: Browser | None = None
        self._events: Events[Any] | None = None
        self._unfollow_control: Callable[[], None] = _nothing
        self._unwatch = self.session.watch(self._changed.set)
        self._telling = asyncio.create_task(self._tell())

    def tools(self, caller: Principal = OPERATOR) -> Sequence[Tool]:
        """Return the tools that currently work and that a caller may use."""
        return self._toolset.tools(self.config_of(caller), self.session)

    def prepare(self, tool: str, arguments: Mapping[str, Any], caller: Principal) -> PreparedCall:
        config = self.session.adjusted(self.config_of(caller))
        return self._toolset.prepare(config, tool, arguments)

    def allows(self, permission: Permission, caller: Principal) -> bool:
        """Return whether a caller has a permission."""
        return permission in self.config_of(caller).allow

    async def call(self, prepared: PreparedCall, caller: Principal) -> Answer:
        """Run a tool. An error becomes an answer."""
        tasks = TenantTasks(self._tasks, caller.tenant, caller.max_tasks)
        name = self.name if caller.is_operator else own_name(self.name)
        try:
            with tasks.call(name, prepared.budget, opens=True) as session:
                answer = await prepared.run(session)
        except Capacity as full:
            return refused(self.session, full)
        finally:
            self._changed.set()
        if answer.picture is not None:
            self.picture = answer.picture
        return answer

    def configured(self) -> None:
        self.session.configure(self._toolset.obeyed(self._config.browser))
        self._changed.set()

    async def close(self) -> None:
        """End the client's calls and streams, and close its browser."""
        self.live.close()
        self._unwatch()
        self._telling.cancel()
        self.subscribers.close()
        self._unfollow()
        await self._tasks.stop(self.name)

    def config_of(self, caller: Principal) -> BrowserConfig:
        return narrowed(self._config.browser, caller.permissions)

    # -- changes -------------------------------------------------------------------------------

    async def _tell(self) -> None:
        tools, state, picture = self._tool_names(), state_of(self.session), self.picture
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._follow()
            if (names := self._tool_names()) != tools:
                tools = names
                await self.subscribers.tell(ToolsListChanged())
            if (now := state_of(self.session)) != state:
                state = now
                await self.subscribers.tell(ResourceUpdated(STATE))
            if self.picture is not picture:
                picture = self.picture
                await self.subscribers.tell(ResourceUpdated(SCREENSHOT))
            await asyncio.sleep(BATCH_S)

    def _tool_names(self) -> list[str]:
        return [tool.name for tool in self.tools()]

    def _follow(self) -> None:
        """Subscribe to the events of the current browser."""
        browser = self.session.current
        if browser is self._followed:
            return
        self._unfollow()
        self._followed = browser
        if browser is not None:
            self._events = browser.events(callback=self._heard)
            if browser.can_hand_off:
                self._unfollow_control = browser.control.watch(self._heard)

    def _unfollow(self) -> None:
        if self._events is not None:
            self._events.close()
        self._unfollow_control()
        self._events = self._followed = None

    def _heard(self, _: Notice | Change) -> None:  # on another thread
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)


def _nothing() -> None:
    pass


NOTIFY_S = 5.0
"""How long a client may take to read a notification."""

log = logging.getLogger("tabwarden.mcp")


class Subscribers:
    """The connections and streams of one client. The protocol version decides how they are
    notified. Each connection that started with a handshake receives notifications. Since
    2026-07-28, a client requests a stream of notifications instead (``subscriptions/listen``). A
    connection that takes longer than ``patience_s`` to read a notification gets no more.
    """

    def __init__(self, patience_s: float = NOTIFY_S) -> None:
        self._patience_s = patience_s
        self._bus = InMemorySubscriptionBus()
        self._connections: dict[str, ServerSession] = {}
        self._wanted: dict[str, set[str]] = {}
        self.listen = ListenHandler(self._bus)
        """Serves ``subscriptions/listen``."""

    def connected(self, connection: str, session: ServerSession) -> None:
        """After a handshake: notify this connection when the list of tools changes."""
        self._connections[connection] = session

    def subscribe(self, connection: str, uri: str) -> None:
        """Notify a connection of a resource's changes."""
        self._wanted.setdefault(connection, set()).add(uri)

    def unsubscribe(self, connection: str, uri: str) -> None:
        """Stop notifying a connection of a resource's changes."""
        self._wanted.get(connection, set()).discard(uri)

    def left(self, connection: str) -> None:
        """Forget a closed connection."""
        self._connections.pop(connection, None)
        self._wanted.pop(connection, None)

    async def tell(self, event: ServerEvent) -> None:
        """Notify all subscribers of an event."""
        await self._bus.publish(event)
        for connection, session in list(self._connections.items()):
            wanted = self._wanted.get(connection, set())
            if not isinstance(event, ResourceUpdated) or event.uri in wanted:
                await self._tell_one(connection, session, event)

    async def _tell_one(self, connection: str, session: ServerSession, event: ServerEvent) -> None:
        try:
            async with asyncio.timeout(self._patience_s):
                await session.send_notification(event_to_notification(event, {}))
        except (TimeoutError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            log.info("a subscriber's connection is closed, so it gets no more updates")
            self.left(connection)

    def close(self) -> None:
        """End the streams normally, without an error."""
        self.listen.close()


FORGET_LOOK_S = 30.0
"""The pause between searches for idle clients. Forgetting a client only frees some memory."""


class Clients:
    """A server's clients, by name. Args: limits: returns the limits. If the configuration has an
    endpoint, each client gets its own context in the endpoint's browser. None: there is only
    one client, which is never idle. structured: how much structured content the answers have.
    """

    def __init__(
        self,
        toolset: Toolset,
        config: LiveConfig,
        *,
        limits: Callable[[], Limits] | None = None,
        structured: Structured = "none",
    ) -> None:
        self.toolset = toolset
        self.structured = structured
        self._config = config
        self._limits = limits or (lambda: Limits(max_tasks=1))
        own = limits is not None

        def new_session(name: str) -> Session:
            task = name if own else None
            source = TenantConfig(config, tenant_of(name))
            return session_of(source, auto_open=toolset.auto_open, own_context=own, task_id=task)

        self._tasks = Tasks(new_session, self._limits)
        self.view = Live("the MCP server", self._tasks.open_sessions, other_servers)
        """The live view of the clients' tasks."""
        self._tasks.link_for_people = self.view.link_of
        self._tasks.keepers += [self.view.is_watched, lambda name: name in self._in_flight]
        self._clients: dict[str, Client] = {}
        self._in_flight: Counter[str] = Counter()
        self._last_used: dict[str, float] = {}

    @property
    def allow(self) -> Sequence[Permission]:
        """The permissions that the configuration grants to all callers."""
        return self._config.browser.allow

    def of(self, name: str) -> Client:
        """Return the client with this name. Create it on its first request.

        Raises:
            InvalidArgument: ``name`` is not a valid task name.
        """
        if name not in self._clients:
            self._clients[name] = Client(
                name, self._tasks, self.toolset, TenantConfig(self._config, tenant_of(name))
            )
            self._last_used[name] = time.monotonic()
        return self._clients[name]

    @contextmanager
    def busy(self, name: str) -> Iterator[None]:
        """Mark a client as busy during its request."""
        self._in_flight[name] += 1
        try:
            yield
        finally:
            self._in_flight[name] -= 1
            if not self._in_flight[name]:
                del self._in_flight[name]
            if name in self._clients:
                self._last_used[name] = time.monotonic()

    async def left(self, name: str) -> None:
        """Close the browser of a client that has disconnected or been idle for too long."""
        client = self._clients.pop(name, None)
        self._last_used.pop(name, None)
        if client is not None:
            await client.close()

    def disconnected(self, name: str, connection: str) -> None:
        """Forget one connection of a client. The client may have other connections."""
        if name in self._clients:
            self._clients[name].subscribers.left(connection)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Notify the clients of changes until the block ends. Then close all browsers."""
        ending = [
            asyncio.create_task(work) for work in (self._tasks.end_idle(), self._forget_idle())
        ]
        try:
            async with self._config.followed(self._configured):
                yield
        finally:
            for task in ending:
                task.cancel()
            self.stopping()
            await asyncio.gather(*map(self.left, list(self._clients)), return_exceptions=True)
            await self._tasks.close()
            self.view.close()

    @property
    def server_config(self) -> ServerConfig:
        return self._config.now.server

    def not_ready(self) -> Capacity | None:
        """Return why no further client may open a browser now; None if a client may."""
        if not self._config.browser.enabled:
            return Capacity("Tabwarden is disabled in its configuration.", reason="disabled")
        return self._tasks.refusal()

    @property
    def drain(self) -> Drain:
        """Return how the server lets calls end when it stops."""
        return Drain(
            lambda: self.server_config.drain_s, self._tasks.refuse_calls, self._tasks.has_calls
        )

    def stopping(self) -> None:
        """End all calls and streams, so that the server can stop."""
        self._tasks.cancel_calls("the server stops")
        for client in self._clients.values():
            client.subscribers.close()

    def _configured(self, _: Config) -> None:
        for client in list(self._clients.values()):
            client.configured()

    async def _forget_idle(self) -> None:
        """Forget clients that have been inactive for too long and have no browser."""
        while True:
            await asyncio.sleep(FORGET_LOOK_S)
            idle_s = self._limits().idle_s
            long_ago = time.monotonic() - idle_s
            for name, last in list(self._last_used.items()):
                has_browser = self._clients[name].session.current is not None
                if idle_s and last < long_ago and name not in self._in_flight and not has_browser:
                    try:
                        await self.left(name)
                    except TabwardenError as error:
                        log.warning("an idle client could not be removed: %s", error)


ROOTS_S = 2.0
"""How long a host may take to report its roots. After this time, the call continues without
roots.
"""


_QUESTION = "roots"
_NAMES_FILES = {"files", "filenames", "path", "paths"}
"""The arguments of tools that contain paths of files for a page."""
_DEPTH = 5
"""How deeply such an argument may be nested: a step's argument in a batch."""


class Roots:
    """The roots of one host, the folders in which it works. A session makes them available to its
    browsers.

    Until protocol version 2025-11-25, the server requests the roots. Since 2026-07-28, a call with
    file arguments returns a request for the roots, and the client repeats the call with the answer.
    If the host announces changes, the roots are requested again after each change, otherwise for
    each call with file arguments.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._are_known = False
        self._changes = 0

    def changed(self) -> None:
        """Forget the roots, because the host has changed them."""
        self._are_known = False
        self._changes += 1
        self._session.lend(())

    async def learn(
        self, context: Context, params: types.CallToolRequestParams, within_s: float
    ) -> types.InputRequiredResult | None:
        """Find out the roots before a call with file arguments. Return the request with which the
        call must end, if the client supports only this way.

        Args:
            context: the call's context.
            params: the call's parameters.
            within_s: the maximum time to wait for the host.
        """
        has = context.session.client_capabilities
        if has is None or has.roots is None or not _names_files(params.arguments, _DEPTH):
            return None
        if not context.session.can_send_request:
            answer = (params.input_responses or {}).get(_QUESTION)
            if not isinstance(answer, types.ListRootsResult):
                requests: types.InputRequests = {_QUESTION: types.ListRootsRequest()}
                return types.InputRequiredResult(input_requests=requests, request_state=_QUESTION)
            self._session.lend(_folders(answer.roots))
            return None
        if not self._are_known:
            before = self._changes
            folders = await _requested_roots(context, min(within_s, ROOTS_S))
            if before == self._changes:
                self._session.lend(folders)
                self._are_known = bool(has.roots.list_changed)
        return None


async def _requested_roots(context: Context, within_s: float) -> list[Path]:
    try:
        async with asyncio.timeout(within_s):
            request = types.ListRootsRequest()
            response = await context.session.send_request(request, types.ListRootsResult)
    except (MCPError, OSError, TimeoutError, ValueError) as error:
        log.info("the host did not report its roots: %s", type(error).__name__)
        return []
    return _folders(response.roots)


def _folders(roots: Iterable[types.Root]) -> list[Path]:
    urls = [urlsplit(str(root.uri)) for root in roots]
    return [
        Path(url2pathname(url.path))
        for url in urls
        if url.scheme == "file" and url.netloc in ("", "localhost")
    ]


def _names_files(argument: object, depth: int) -> bool:
    if isinstance(argument, Mapping):
        return any(
            (name in _NAMES_FILES and bool(value)) or (depth and _names_files(value, depth - 1))
            for name, value in argument.items()
        )
    if isinstance(argument, list):
        return bool(depth) and any(_names_files(one, depth - 1) for one in argument)
    return False
