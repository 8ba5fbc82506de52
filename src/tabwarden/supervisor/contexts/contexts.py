"""A task's own browser context. It is created on attach, found again after a reconnect, and
disposed of at the end.

A context has its own cookies, storage, permissions, downloads and tabs, so several tasks can share
a browser without sharing any of these. Decision 0015 explains the reasons and measurements.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.proxy import BYPASS_LIST, EgressProxy
from tabwarden.egress.upstream import Upstream
from tabwarden.errors import EndpointUnreachable, NotSupported
from tabwarden.protocol import Command, decode_result, encode_params, target
from tabwarden.supervisor.contexts import leases
from tabwarden.supervisor.contexts.context_proxy import open_way_out
from tabwarden.supervisor.contexts.leases import Lease
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.wire import Connection, Envelope

LATE_CONTEXT_S = 2.0
"""How long to wait, when the task ends, for a context that is still being created and must then be
disposed of.
"""

log = logging.getLogger("tabwarden.supervisor")

Observe = Callable[[Callable[[tuple[Notice, ...], SupervisorState], None]], Callable[[], None]]

_ATTACHED = target.AttachedToTarget.METHOD


class OwnContext(msgspec.Struct, frozen=True, kw_only=True):
    """The settings for a task's own context."""

    egress: bool = False
    """Whether the context's requests use our egress proxy, provided that the browser can connect to
    the proxy.
    """
    upstream: Upstream | None = None
    """The user's own proxy. If it is set, the egress proxy is required."""
    proxy_server: str | None = None
    """The proxy, in the format of ``--proxy-server``; None for the browser's own proxy. Our egress
    proxy overrides this setting.
    """
    proxy_bypass_list: str | None = None
    """The hosts without a proxy, in the format of ``--proxy-bypass-list``."""
    joins: str | None = None
    """The ID of an existing context to join. The task neither opens tabs in this context nor
    disposes of it.
    """


class _Info(msgspec.Struct, frozen=True, rename="camel"):
    browser_context_id: str = ""


class _Attached(msgspec.Struct, frozen=True, rename="camel"):
    target_info: _Info


_attached = msgspec.json.Decoder(_Attached)


class TaskContext:
    """One task's browser context, across reconnects. Use it only on the engine's loop. If
    ``wanted`` is None, the task shares the browser's default context."""

    def __init__(self, wanted: OwnContext | None) -> None:
        self.wanted = wanted
        self.context_id: str | None = None
        self.egress: EgressProxy | None = None
        """The proxy for the context's requests. It refuses all requests until it has a judge."""
        self._lease: Lease | None = None
        self._making: asyncio.Task[str] | None = None

    @property
    def is_joined(self) -> bool:
        """Whether the context belongs to another client, whose context this task has joined."""
        return self.wanted is not None and self.wanted.joins is not None

    async def on(self, connection: Connection, budget: Budget, *, here: bool) -> str | None:
        """Return the id of the task's own context, and create the context if necessary. Return None
        if the task shares the default context. A joined context already exists.

        Args:
            connection: a connection on which the browser does not report events yet.
            budget: limit for the whole call. here: whether the browser may be on this computer and
                does not use our egress proxy yet.

        Raises:
            NotSupported: the browser can't create contexts, or use the user's proxy in one.
            EndpointUnreachable: the browser disconnected.
            TimeoutError: the browser did not respond in time.
        """
        if self.wanted is None:
            return None
        if self.wanted.joins is not None:
            return self.wanted.joins
        async with asyncio.timeout(budget.remaining_s()):
            if self.context_id is not None:
                there = await _call(connection, target.GetBrowserContexts())
                if self.context_id in there.browser_context_ids:
                    return self.context_id
                self._end_lease()
            # Even after a timeout, we need the context's ID, in order to dispose of the context.
            self._making = asyncio.get_running_loop().create_task(
                self._make(connection, self.wanted, here)
            )
            return await asyncio.shield(self._making)

    def is_another_tasks(self, envelope: Envelope) -> bool:
        """Whether this event attaches us to a target in a context that another task supervises."""
        if envelope.method != _ATTACHED or envelope.session_id is not None:
            return False
        try:
            context_id = _attached.decode(envelope.params).target_info.browser_context_id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return context_id != self.context_id and leases.is_held(context_id)

    async def _make(self, connection: Connection, wanted: OwnContext, here: bool) -> str:
        if wanted.egress and here and self.egress is None:
            self.egress = await open_way_out(connection, wanted.upstream)
        if wanted.upstream is not None and self.egress is None:
            raise NotSupported(
                "The proxy (browser.proxy) can't be used for a context in this browser: the "
                "browser runs on another computer, or was started with its own proxy.",
                "Remove browser.proxy, or launch a browser instead.",
                field="proxy",
            )
        server, bypass = wanted.proxy_server, wanted.proxy_bypass_list
        if self.egress is not None:
            server, bypass = self.egress.url, BYPASS_LIST
        # With disposeOnDetach, a lost connection would close the tabs (measured, decision 0015).
        command = target.CreateBrowserContext(
            dispose_on_detach=False,
            proxy_server=server or msgspec.UNSET,
            proxy_bypass_list=bypass or msgspec.UNSET,
        )
        made: str = (await _call(connection, command)).browser_context_id
        self._lease = Lease.take(made)
        self.context_id = made
        return made

    async def dispose(self, connection: Connection | None, budget: Budget) -> None:
        """Close the context's tabs and delete its cookies, within the time budget. Never raises. If
        the browser can't be reached, the lease file remains, and the next task in that browser
        disposes of the context.
        """
        if self._making is not None and not self._making.done():
            await asyncio.wait([self._making], timeout=min(LATE_CONTEXT_S, budget.remaining_s()))
            self._making.cancel()
        try:
            await self._dispose(connection, budget)
        finally:
            if self.egress is not None:
                await self.egress.aclose()

    async def _dispose(self, connection: Connection | None, budget: Budget) -> None:
        if self.context_id is None:
            return
        if connection is not None and await _disposed(connection, self.context_id, budget):
            self._end_lease()
        elif self._lease is not None:
            self._lease.leave()
            self._lease = None

    async def sweep(self, connection: Connection) -> None:
        """Dispose of contexts that killed tasks left behind in this browser; never raises."""
        left = await asyncio.to_thread(leases.abandoned)
        if not left:
            return
        try:
            there = await _call(connection, target.GetBrowserContexts())
        except (EndpointUnreachable, NotSupported, msgspec.DecodeError):
            return
        for context_id in set(left) & set(there.browser_context_ids):
            log.info("closing a browser context whose owner has ended")
            if await _disposed(connection, context_id, Budget(LATE_CONTEXT_S * 1000)):
                leases.forget(context_id)

    def _end_lease(self) -> None:
        self.context_id = None
        if self._lease is not None:
            self._lease.end()
            self._lease = None


async def first_tab(state: SupervisorState, observe: Observe) -> None:
    """Wait until the first tab of a new context or window is usable, or the connection ends.

    Raises:
        NotSupported: the browser does not open tabs.
    """
    there: asyncio.Future[SupervisorState] = asyncio.get_running_loop().create_future()

    def observed(_: tuple[Notice, ...], now: SupervisorState) -> None:
        ready = any(tab.status == "ready" for tab in now.tabs.values())
        ended = ready or now.tab_refused or now.health.status != "live"
        if ended and not there.done():
            there.set_result(now)

    unobserve = observe(observed)
    try:
        observed((), state)
        if (await there).tab_refused:
            raise NotSupported(
                "The browser opens no tabs for the task.",
                "It is probably part of an application. Attach with context='shared' "
                "(browser.isolate: false), and use the pages that it shows.",
            )
    finally:
        unobserve()


async def _disposed(connection: Connection, context_id: str, budget: Budget) -> bool:
    """Dispose of a context; return whether it no longer exists."""
    command = target.DisposeBrowserContext(browser_context_id=context_id)
    call = connection.call(command.METHOD, encode_params(command))
    try:
        reply = await asyncio.wait_for(call, budget.remaining_s())
    except TimeoutError:
        return False
    return reply.lost is None  # if the browser rejects the command, the context no longer exists


async def _call(connection: Connection, command: Command[Any]) -> Any:
    reply = await connection.call(command.METHOD, encode_params(command))
    if reply.lost is not None:
        raise EndpointUnreachable(
            "The connection to the browser was lost while Tabwarden was attaching to it: "
            f"{reply.lost}.",
            "Open the browser again.",
        )
    if reply.result is None:
        raise NotSupported(
            f"The browser can't create a context for the task: {reply.error}.",
            "Attach with context='shared' (browser.isolate: false), or launch one browser "
            "per task.",
        )
    try:
        return decode_result(type(command), reply.result)
    except msgspec.DecodeError as error:
        raise EndpointUnreachable(
            f"The browser's reply to {command.METHOD} is malformed: {error}.",
            "Check that nothing between Tabwarden and the browser changes its messages.",
        ) from None
