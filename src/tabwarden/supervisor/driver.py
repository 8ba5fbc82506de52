"""The driver: the only place where the supervisor does I/O.

It feeds the pure machine with what the connection brings, sends what the machine wants sent, and
hands its notices to whoever waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.proxy import EgressProxy
from tabwarden.endpoints import Capabilities, Endpoint, OpenedEndpoint
from tabwarden.errors import BrowserGone, EndpointUnreachable
from tabwarden.protocol import Command, browser, decode_result, encode_params, target
from tabwarden.supervisor import machine
from tabwarden.supervisor.audience import Audience, Listener, Observer, Subscription
from tabwarden.supervisor.contexts import OwnContext, TaskContext, first_tab
from tabwarden.supervisor.deadlines import Deadlines
from tabwarden.supervisor.download_folder import name_download
from tabwarden.supervisor.gatekeeper import GateKeeper
from tabwarden.supervisor.guard_post import GuardPost
from tabwarden.supervisor.lifeline import Lifeline
from tabwarden.supervisor.machine import EventReceived, Input, Replied
from tabwarden.supervisor.notices import (
    DownloadArrived,
    Notice,
    SessionDetached,
    SessionReady,
    TargetCrashed,
)
from tabwarden.supervisor.policy import Policy
from tabwarden.supervisor.reading import SupervisorSnapshot
from tabwarden.supervisor.record import record
from tabwarden.supervisor.snapshots import snapshot_of
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.turn import Ask, Now, Send
from tabwarden.telemetry import Telemetry
from tabwarden.wire import Connection, Envelope, Reply

__all__ = ["CDPSupervisor", "Observer", "Subscription"]

_CLOSE_MS = 5_000.0
_DISPOSE_MS = 2_000.0
"""A browser that closes a context's tabs no sooner is left to."""
_UNDECLARED = Capabilities(guard_session=False)


class CDPSupervisor:
    """Holds one connection for one task and keeps its state current.

    ``snapshot()`` and ``state`` may be read from any thread, and what a race needs (``send``,
    ``observe``, ``deadlines``) used from any; all other methods belong to the engine's loop.
    """

    def __init__(
        self,
        task_id: str,
        endpoint: Endpoint,
        policy: Policy,
        own_context: OwnContext | None = None,
    ) -> None:
        self.task_id = task_id
        self.endpoint = endpoint
        self.opened: OpenedEndpoint | None = None
        """The endpoint as it was opened: product, process; None before ``start``."""
        self.telemetry = Telemetry(task_id)
        """The task's numbers, log and spans."""
        self.telemetry.gauge("tabs", lambda: len(self._state.tabs))
        self.telemetry.gauge("commands_in_flight", self._in_flight)
        self.hang_patience = 1.0
        """How many times longer than at rest this machine may take (``browser.hang_patience``)."""
        self.heard: dict[str, float] = {}
        """When the latest command was sent that a session's renderer has answered on its main
        thread, monotonic seconds: whatever ran there before has come to its end, or waits."""
        self.loop: asyncio.AbstractEventLoop
        """The engine's, from ``start`` on."""
        self.deadlines: Deadlines
        """When its races are out of time."""
        self._state = machine.initial_state(policy)
        self._context = TaskContext(own_context)
        self._egress: EgressProxy | None = None
        self._connection: Connection | None = None
        self._asked: dict[Ask, int] = {}
        """Commands without a reply so far whose place an equal one takes."""
        self._audience = Audience()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: float | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self._heartbeat: asyncio.Task[Any] | None = None
        self.guard_post = GuardPost(
            endpoint,
            self.telemetry,
            state=lambda: self._state,
            feed=self.feed,
            spawn=self.spawn,
            is_wanted=lambda: not self._stopping and self._state.health.status != "gone",
        )
        self._lifeline = Lifeline(
            self.telemetry,
            connect=self._connect_again,
            given_up=lambda reason: self.feed(machine.Disconnected(reason)),
            spawn=self.spawn,
        )

    # -- reading ---------------------------------------------------------------------------

    @property
    def state(self) -> SupervisorState:
        """The state as it is now, frozen."""
        return self._state

    def snapshot(self) -> SupervisorSnapshot:
        """The state arranged for reading; no lock, no wait, any thread."""
        live_view = self.opened.live_view_url if self.opened is not None else None
        return snapshot_of(self.task_id, self._state, live_view)

    def _in_flight(self) -> int:
        return self._connection.in_flight if self._connection is not None else 0

    # -- life ------------------------------------------------------------------------------

    async def start(self, budget: Budget) -> None:
        """Open the endpoint, take charge of every target, and return when one tab is usable.

        Args:
            budget: for all of it.

        Raises:
            EndpointUnreachable, LaunchFailed: as the endpoint says.
        """
        self.loop = asyncio.get_running_loop()
        self.deadlines = Deadlines(self.loop)
        self.opened = await self.endpoint.open(budget)
        self.telemetry.opened(product=self.opened.product, attached=self.opened.attached)
        try:
            await self._take_charge(self.opened, budget)
        except BaseException:
            await asyncio.shield(self.stop())
            raise

    async def _take_charge(self, opened: OpenedEndpoint, budget: Budget) -> None:
        connection = Connection(
            opened.wire, self._on_event, lambda reason: self._on_close(connection, reason)
        )
        self._connection = connection
        self._asked.clear()
        connection.start()
        before = self._state.context
        here = opened.here and opened.egress is None
        context = await self._context.on(connection, budget, here=here)
        egress = opened.egress or self._context.egress
        if egress is not None:
            self._stand_at_gate(egress)
        self.feed(machine.Connected(opened.owned, context, egress is not None))
        await self._settled(budget)
        if context != before:
            async with asyncio.timeout(budget.remaining_s()):
                await first_tab(self._state, self.observe)
        if opened.attached:
            self.spawn(self._context.sweep(connection))
        if opened.attached and self.capabilities.guard_session:
            self.spawn(self.guard_post.fill())
        if opened.heartbeat_s is not None:
            self._heartbeat = self.spawn(self._beat(connection, opened.heartbeat_s))

    def _stand_at_gate(self, egress: EgressProxy) -> None:
        """Answer the egress proxy from now on; until then it lets nothing out."""
        self._egress = egress
        egress.judge = GateKeeper(lambda: self._state.gate)
        egress.on_failed = lambda failure: self.feed(
            machine.ConnectionFailed(failure.place, failure.why, failure.error)
        )

    def obey(self, given: machine.SetPolicy) -> None:
        """Obey another policy from now on: connections that it refuses are cut.

        Args:
            given: what of the policy can change.
        """
        self.feed(given)
        if self._egress is not None:
            self._egress.cut_refused()

    async def stop(self) -> None:
        """Close the connection; end the browser if we launched it. Idempotent, bounded."""
        if self._stopping:
            return
        self._stopping = True
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        if self._timer is not None:
            self._timer.cancel()
        await self.guard_post.aclose()
        try:
            await self._end_browser(Budget(_CLOSE_MS))
        finally:
            self.telemetry.closed()

    async def _end_browser(self, budget: Budget) -> None:
        await self._context.dispose(self._connection, Budget(_DISPOSE_MS))
        if self.opened is not None and self.opened.owned and self._connection is not None:
            self._connection.send(browser.Close.METHOD)
        elif self._connection is not None:
            await self._connection.aclose()
        if self.opened is not None:
            await self.opened.end(budget)
        if self._connection is not None:
            await self._connection.aclose()

    async def _settled(self, budget: Budget) -> None:
        """Wait for the browser's list of targets, and for one usable tab if there is any."""
        reply = await asyncio.wait_for(
            self.connection.call(browser.GetVersion.METHOD), budget.remaining_s()
        )
        if reply.lost is not None:
            raise EndpointUnreachable(
                f"The browser went away while Tabwarden attached to it: {reply.lost}.",
                "Start the browser again.",
            )

    @property
    def own_context(self) -> OwnContext | None:
        """What the browser context is like that is its own there; None: it shares all."""
        return self._context.wanted

    @property
    def runs_here(self) -> bool:
        """Whether the browser may run on this machine, so that its files are ours."""
        return self.opened is None or self.opened.here

    @property
    def capabilities(self) -> Capabilities:
        """What works on the endpoint, as it declares; a third party's may declare nothing."""
        declared: Capabilities = getattr(self.endpoint, "capabilities", _UNDECLARED)
        return declared

    @property
    def connection(self) -> Connection:
        """The open connection.

        Raises:
            BrowserGone: there is none, or not any more.
        """
        if self._connection is None:
            raise BrowserGone("The browser is not connected.", reason="not connected")
        return self._connection

    # -- sending ---------------------------------------------------------------------------

    def send(
        self,
        command: Command[Any],
        session_id: str | None,
        on_reply: Callable[[Reply], None] | None = None,
    ) -> int:
        """Send a command now, from any thread; see ``Connection.send``.

        Args:
            command: of ``tabwarden.protocol``.
            session_id: to which session; None: to the browser.
            on_reply: called with the reply on the engine's thread: it must not wait.
        """
        return self.connection.send(command.METHOD, encode_params(command), session_id, on_reply)

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run ``coroutine`` beside the calls; it ends with the supervisor."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    # -- folding ---------------------------------------------------------------------------

    def feed(self, given: Input) -> None:
        """Put what was ``given`` through the machine and carry out what it wants."""
        loop = asyncio.get_running_loop()
        before = self._state
        done = machine.step(before, given, Now(loop.time(), time.time()))
        self._state = done.state
        for command in done.commands:
            self._carry_out(command)
        self._arm_timer(loop)
        if done.state is not before or done.notices:
            self._publish(done.notices)

    def observe(self, observer: Observer) -> Subscription:
        """Have ``observer(notices, state)`` called after each input that changed something, on
        the engine's thread. May be asked from any thread."""
        return self._audience.observe(observer)

    def listen(self, method: str, session_id: str | None, listener: Listener) -> Subscription:
        """Have ``listener(params)`` called for an event that only one action cares for.

        Args:
            method: the event's, as the protocol names it.
            session_id: of which session; None: of the browser.
            listener: called on the engine's thread: it must not wait.
        """
        return self._audience.listen(method, session_id, listener)

    def _on_event(self, envelope: Envelope) -> None:
        self._audience.hear(envelope)
        if self._state.health.status in ("connecting", "reconnecting"):
            return  # the machine has asked for nothing yet
        attached = self.opened is not None and self.opened.attached
        if attached and self._context.is_another_tasks(envelope):
            self.feed(machine.AnotherTasksTarget(envelope.params))
        elif machine.concerns(self._state, envelope.method, envelope.params):
            self.feed(EventReceived(envelope.method, envelope.session_id, envelope.params))

    def _on_close(self, connection: Connection, reason: str) -> None:
        if connection is not self._connection:
            return
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        if self._stopping:
            reason = "Tabwarden closed it"
        elif not self._may_reconnect():
            self.telemetry.gone(self._with_last_words(reason))
        elif (given_up := self._lifeline.broke(reason)) is not None:
            reason = given_up
        else:
            self.telemetry.lost(reason)
            guarded = self.guard_post.targets
            self.feed(machine.Disconnected(reason, reconnecting=True, guarded=guarded))
            self.guard_post.tell_again()  # what opened as the wire broke
            self._lifeline.mend(reason)
            return
        self.feed(machine.Disconnected(self._with_last_words(reason)))

    def _may_reconnect(self) -> bool:
        attached = self.opened is not None and self.opened.attached
        return attached and self._state.health.status != "gone"

    async def _connect_again(self, budget: Budget) -> None:
        opened = await self.endpoint.open(budget)
        try:
            await self._take_charge(opened, budget)
            reply = await asyncio.wait_for(
                self.connection.call(target.GetTargets.METHOD), budget.remaining_s()
            )
            if reply.result is None:
                raise EndpointUnreachable(f"The browser does not answer: {reply.lost}.")
            there = decode_result(target.GetTargets, reply.result).target_infos
        except (TimeoutError, msgspec.DecodeError) as error:
            await opened.wire.aclose()
            raise EndpointUnreachable(f"The browser does not answer: {error!r}.") from None
        except BaseException:
            await opened.wire.aclose()
            raise
        self.feed(machine.Reattached(frozenset(info.target_id for info in there)))
        self.opened = opened
        if self.connection.lost is not None:  # by the time it was made
            raise EndpointUnreachable(f"It broke at once: {self.connection.lost}.")

    async def _beat(self, connection: Connection, every_s: float) -> None:
        """Some providers end a connection over which no command goes."""
        while connection.lost is None:
            await asyncio.sleep(every_s)
            connection.send(browser.GetVersion.METHOD)

    def _with_last_words(self, reason: str) -> str:
        status = self.opened.exit_words() if self.opened is not None else ""
        return f"{reason} ({status})" if status else reason

    def _carry_out(self, command: Send) -> None:
        if self._connection is None:
            return
        ask = command.ask
        on_reply = self._reply_to(ask) if ask is not None else None
        if command.guarded_target is None:
            again = ask if ask is not None and ask.replaces else None
            if again is not None and again in self._asked:
                self.connection.forget(self._asked.pop(again))
            command_id = self.send(command.command, command.session_id, on_reply)
            if again is not None:
                self._asked[again] = command_id
        else:
            self.guard_post.send(command.command, command.guarded_target, on_reply)

    def _reply_to(self, ask: Ask) -> Callable[[Reply], None]:
        def on_reply(reply: Reply) -> None:
            if ask.replaces:
                self._asked.pop(ask, None)
            error = reply.lost or (str(reply.error) if reply.error is not None else None)
            # A reply that arrives inside ``feed`` (a dead wire) must not fold into it.
            if reply.lost is not None:
                asyncio.get_running_loop().call_soon(self.feed, Replied(ask, None, error))
            else:
                self.feed(Replied(ask, reply.result, error))

        return on_reply

    def _publish(self, told: tuple[Notice, ...]) -> None:
        for notice in told:
            record(self.telemetry, notice, self._state.policy)
            if isinstance(notice, SessionDetached) and self._connection is not None:
                self._connection.session_ended(notice.session_id, notice.reason)
                self.heard.pop(notice.session_id, None)
            if isinstance(notice, TargetCrashed) and notice.is_oopif and self._connection:
                self._connection.session_ended(notice.session_id, "the frame crashed")
            if isinstance(notice, SessionReady):
                self.guard_post.watch(notice.session_id)
            if isinstance(notice, DownloadArrived):
                self.spawn(self._store(notice))
        self._audience.tell(told, self._state)

    async def _store(self, arrived: DownloadArrived) -> None:
        download = arrived.download
        try:
            path = await asyncio.to_thread(
                name_download, Path(arrived.folder), download.guid, download.filename
            )
        except OSError as error:
            self.feed(machine.DownloadStored(download.guid, None, f"{error.strerror}"))
        else:
            self.feed(machine.DownloadStored(download.guid, str(path)))

    def _arm_timer(self, loop: asyncio.AbstractEventLoop) -> None:
        at = machine.next_deadline(self._state)
        if at == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = at
        self._timer = None if at is None else loop.call_at(at, self._tick)

    def _tick(self) -> None:
        self._timer = self._timer_at = None
        self.feed(machine.Tick())
