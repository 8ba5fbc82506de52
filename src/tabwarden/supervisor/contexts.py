"""A browser context of the task's own: made when it attaches, found again, disposed of at the end.

Cookies, storage, permissions, downloads and tabs are a context's; so several tasks can share one
browser and nothing else. Reasons and measurements: decision 0015.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.proxy import BYPASS_LIST, EgressProxy
from tabwarden.errors import EndpointUnreachable, NotSupported
from tabwarden.protocol import Command, decode_result, encode_params, target
from tabwarden.supervisor import leases
from tabwarden.supervisor.leases import Lease
from tabwarden.supervisor.notices import Notice
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.way_out import open_way_out
from tabwarden.wire import Connection, Envelope

__all__ = ["OwnContext", "TaskContext", "first_tab"]

log = logging.getLogger("tabwarden.supervisor")

Observe = Callable[[Callable[[tuple[Notice, ...], SupervisorState], None]], Callable[[], None]]

_ATTACHED = target.AttachedToTarget.METHOD
_LATE_S = 2.0
"""How long a context that is being made when the task ends is waited for, to be disposed of."""


class OwnContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a task's own context is to be like."""

    egress: bool = False
    """Its requests leave through an egress proxy of ours, where the browser can reach one."""
    proxy_server: str | None = None
    """As ``--proxy-server``; None: the browser's own. Without ``egress`` alone."""
    proxy_bypass_list: str | None = None
    """As ``--proxy-bypass-list``."""


class _Info(msgspec.Struct, frozen=True, rename="camel"):
    browser_context_id: str = ""


class _Attached(msgspec.Struct, frozen=True, rename="camel"):
    target_info: _Info


_attached = msgspec.json.Decoder(_Attached)


class TaskContext:
    """Where one task's tabs are, over all its connections. Belongs to the engine's loop.

    Args:
        wanted: a context of its own; None: it shares all that the browser has.
    """

    def __init__(self, wanted: OwnContext | None) -> None:
        self.wanted = wanted
        self.context_id: str | None = None
        self.egress: EgressProxy | None = None
        """The proxy that its requests leave through; it lets none out until it has a judge."""
        self._lease: Lease | None = None
        self._making: asyncio.Task[str] | None = None

    async def on(self, connection: Connection, budget: Budget, *, here: bool) -> str | None:
        """The id of its own one there: that which the browser still has, else a new one's.

        Args:
            connection: to the browser, before it is told to report anything.
            budget: for all of it.
            here: whether the browser may be on this machine, and has no way out of ours yet.

        Raises:
            NotSupported: the browser makes none. EndpointUnreachable: it went away.
            TimeoutError: it did not answer in time.
        """
        if self.wanted is None:
            return None
        async with asyncio.timeout(budget.remaining_s()):
            if self.context_id is not None:
                there = await _call(connection, target.GetBrowserContexts())
                if self.context_id in there.browser_context_ids:
                    return self.context_id
                self._end_lease()
            # Whoever gives up on it must still learn its id, to dispose of it.
            self._making = asyncio.get_running_loop().create_task(
                self._make(connection, self.wanted, here)
            )
            return await asyncio.shield(self._making)

    def is_another_tasks(self, envelope: Envelope) -> bool:
        """Whether an event attaches us to a target in a context that another task supervises."""
        if envelope.method != _ATTACHED or envelope.session_id is not None:
            return False
        try:
            context_id = _attached.decode(envelope.params).target_info.browser_context_id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return context_id != self.context_id and leases.is_held(context_id)

    async def _make(self, connection: Connection, wanted: OwnContext, here: bool) -> str:
        if wanted.egress and here and self.egress is None:
            self.egress = await open_way_out(connection)
        server, bypass = wanted.proxy_server, wanted.proxy_bypass_list
        if self.egress is not None:
            server, bypass = self.egress.url, BYPASS_LIST
        # Not disposeOnDetach: a cut wire would take the tabs along (measured, decision 0015).
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
        """Close its tabs and forget its cookies; bounded, never raises.

        Where the browser can't be told, the lease is left for the next task that comes there.
        """
        if self._making is not None and not self._making.done():
            await asyncio.wait([self._making], timeout=min(_LATE_S, budget.remaining_s()))
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
        """Dispose of what killed tasks have left in this browser; never raises."""
        left = await asyncio.to_thread(leases.abandoned)
        if not left:
            return
        try:
            there = await _call(connection, target.GetBrowserContexts())
        except (EndpointUnreachable, NotSupported, msgspec.DecodeError):
            return
        for context_id in set(left) & set(there.browser_context_ids):
            log.info("a browser context whose owner is gone is disposed of")
            if await _disposed(connection, context_id, Budget(_LATE_S * 1000)):
                leases.forget(context_id)

    def _end_lease(self) -> None:
        self.context_id = None
        if self._lease is not None:
            self._lease.end()
            self._lease = None


async def first_tab(state: SupervisorState, observe: Observe) -> None:
    """Wait until the tab that a fresh context is given can be used, or the connection ends.

    Args:
        state: as it is.
        observe: how to hear of later ones; it gives what ends that.
    """
    there = asyncio.Event()
    ended = observe(lambda _, now: there.set() if _is_usable(now) else None)
    try:
        if not _is_usable(state):
            await there.wait()
    finally:
        ended()


def _is_usable(state: SupervisorState) -> bool:
    ready = any(tab.status == "ready" for tab in state.tabs.values())
    return ready or state.health.status != "live"


async def _disposed(connection: Connection, context_id: str, budget: Budget) -> bool:
    """Whether it is gone."""
    command = target.DisposeBrowserContext(browser_context_id=context_id)
    call = connection.call(command.METHOD, encode_params(command))
    try:
        reply = await asyncio.wait_for(call, budget.remaining_s())
    except TimeoutError:
        return False
    return reply.lost is None  # one that is refused is there no more


async def _call(connection: Connection, command: Command[Any]) -> Any:
    reply = await connection.call(command.METHOD, encode_params(command))
    if reply.lost is not None:
        raise EndpointUnreachable(
            f"The browser went away while Tabwarden attached to it: {reply.lost}.",
            "Start the browser again.",
        )
    if reply.result is None:
        raise NotSupported(
            f"The browser has no contexts for tasks: {reply.error}.",
            "Attach with context='shared' (browser.isolate: false), or launch a browser a task.",
        )
    try:
        return decode_result(type(command), reply.result)
    except msgspec.DecodeError as error:
        raise EndpointUnreachable(
            f"The browser's answer to {command.METHOD} cannot be read: {error}.",
            "Check that nothing between Tabwarden and the browser changes what it says.",
        ) from None
