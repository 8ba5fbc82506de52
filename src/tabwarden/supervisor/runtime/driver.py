"""The driver: the only place where the supervisor does I/O.

The driver passes the connection's events to the state machine, sends the machine's commands, and
passes its notices to the waiting calls.
"""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import logging
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.proxy import Egress
from tabwarden.endpoints import Endpoint, OpenedEndpoint
from tabwarden.endpoints.ahead import OpenedAhead
from tabwarden.endpoints.capabilities import Capabilities, capabilities_in
from tabwarden.endpoints.endpoint import BrowserFiles
from tabwarden.errors import BrowserGone, EndpointUnreachable
from tabwarden.files.download_folder import store_download
from tabwarden.protocol import Command, browser, decode_result, encode_params, target
from tabwarden.supervisor.contexts import (
    GateKeeper,
    OwnContext,
    OwnWindow,
    TaskContext,
    close_tabs,
    first_tab,
    has_company,
)
from tabwarden.supervisor.core import SupervisorSnapshot, machine, snapshot_of
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state import notices as n
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.notices import (
    DownloadArrived,
    Notice,
    SessionDetached,
    SessionReady,
    TargetCrashed,
)
from tabwarden.supervisor.core.state.policy import BridgeMode, Policy
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Now
from tabwarden.supervisor.link import Reconnector, Standby
from tabwarden.supervisor.runtime.deadlines import Deadlines
from tabwarden.supervisor.runtime.outbox import Outbox
from tabwarden.telemetry import Telemetry
from tabwarden.wire import Connection, Envelope, Reply


async def store(
    arrived: DownloadArrived,
    files: BrowserFiles | None,
    feed: Callable[[inputs.Input], None],
    hide: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    """Store a downloaded file, and pass the result to the state machine.

    Args:
        arrived: the download.
        files: copies the file from the browser's machine; None if the browser runs on this machine.
        feed: passes the result to the state machine.
        hide: masks secrets in the name that the page chose.
    """
    download = arrived.download
    name = hide({"filename": download.filename})["filename"]
    try:
        if files is not None:
            await files.fetch(download.guid, Path(arrived.folder) / download.guid)
        file = await asyncio.to_thread(store_download, Path(arrived.folder), download.guid, name)
    except OSError as error:
        feed(inputs.DownloadStored(download.guid, None, error.strerror or str(error)))
    else:
        feed(inputs.DownloadStored(download.guid, file))


Listener = Callable[[msgspec.Raw | bytes], None]
Observer = Callable[[tuple[Notice, ...], SupervisorState], None]
Subscription = Callable[[], None]
"""A function that ends a subscription."""


class Audience:
    def __init__(self) -> None:
        self.observers: dict[int, Observer] = {}
        self.listeners: dict[tuple[str, str | None], list[Listener]] = {}
        self._keys = itertools.count()

    def observe(self, observer: Observer) -> Subscription:
        key = next(self._keys)
        self.observers[key] = observer

        def end() -> None:
            self.observers.pop(key, None)

        return end

    def listen(self, method: str, session_id: str | None, listener: Listener) -> Subscription:
        listeners = self.listeners.setdefault((method, session_id), [])
        listeners.append(listener)

        def end() -> None:
            listeners.remove(listener)
            if not listeners:
                self.listeners.pop((method, session_id), None)

        return end

    def hear(self, envelope: Envelope) -> None:
        if self.listeners:
            for listener in self.listeners.get((envelope.method, envelope.session_id), ()):
                listener(envelope.params)

    def tell(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        for observer in list(self.observers.values()):
            observer(notices, state)


def record(telemetry: Telemetry, notice: n.Notice, policy: Policy) -> None:
    tab_id = notice.tab_id or None
    telemetry.noticed(type(notice).__name__, tab_id=tab_id)
    match notice:
        case n.DialogOpened(dialog=opened):
            _fallback(telemetry, opened, policy)
        case n.DialogClosed(dialog=closed):
            telemetry.dialog_closed(
                closed.type, closed.channel, closed.closed_by, tab_id=tab_id, dialog_id=closed.id
            )
        case n.TargetCrashed(reason=reason, is_oopif=is_oopif):
            telemetry.crashed("frame" if is_oopif else "tab", tab_id=tab_id, reason=reason)
        case n.PopupOpened(opener_tab_id=opener):
            telemetry.popup(tab_id=tab_id, opener_tab_id=opener)
        case n.DownloadProgress(download=download) if download.status != "in_progress":
            telemetry.download(
                download.status, tab_id=tab_id, download_id=download.id, reason=download.reason
            )
        case n.ConnectionRefused(place=place, why=why):
            telemetry.refused(why, tab_id=tab_id, place=place)
        case _:
            pass


def _fallback(telemetry: Telemetry, dialog: PendingDialog, policy: Policy) -> None:
    """Log a fallback if a dialog's channel is not the policy's preferred channel. A
    ``beforeunload`` dialog has only one channel.
    """
    if dialog.type == "beforeunload":
        return
    first = policy.bridge.mode if policy.bridge is not None else BridgeMode.NATIVE
    if dialog.channel == "xhr" and first is not BridgeMode.XHR:
        telemetry.fallback("dialog_in_request", "debugger_off", tab_id=dialog.tab_id)
    if dialog.channel == "native" and first is not BridgeMode.NATIVE:
        telemetry.fallback("dialog_native", "not_bridged", tab_id=dialog.tab_id)


class Alarm:
    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self.at: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, at: float | None) -> None:
        """Set the timer to ``at``, in the event loop's time, instead of the previous time; None
        turns the timer off.
        """
        if at == self.at:
            return
        self.cancel()
        self.at = at
        loop = asyncio.get_running_loop()
        self._timer = None if at is None else loop.call_at(at, self._expired)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _expired(self) -> None:
        self._timer = self.at = None
        self._ring()


DISPOSE_MS = 2_000.0
"""How long to wait for the browser to close a context's tabs."""
CLOSE_MS = 5_000.0
"""The default budget for closing a browser."""

log = logging.getLogger("tabwarden.supervisor")

_UNDECLARED = Capabilities(guard_session=False)


class CDPSupervisor:
    """Maintains one task's connection, and keeps the task's state current. Any thread may use
    ``snapshot()``, ``state``, ``send``, ``observe`` and ``deadlines``. Use all other members only
    on the engine's loop.
    """

    def __init__(
        self,
        task_id: str,
        endpoint: Endpoint,
        policy: Policy,
        place: OwnContext | OwnWindow | None = None,
    ) -> None:
        self.task_id = task_id
        self.endpoint = endpoint
        self.opened: OpenedEndpoint | None = None
        """The opened endpoint (product, process, ...); None before ``start``."""
        self.telemetry = Telemetry(task_id)
        self.telemetry.gauge("tabs", lambda: len(self._state.tabs))
        self.telemetry.gauge("commands_in_flight", self._in_flight)
        self.hang_patience = 1.0
        """A factor for how long a page may take to respond before it counts as hung
        (``browser.hang_patience``).
        """
        self.kill_busy_processes = True
        """Whether recovery may choose processes to kill by their CPU usage
        (``browser.kill_busy_processes``)."""
        self.before_end: Callable[[], Coroutine[Any, Any, None]] | None = None
        """Called once before the browser closes, also when the process ends. It must return
        soon.
        """
        self.had_company = False
        """Whether another program was attached to the shared tabs when this task attached."""
        self.heard: dict[str, float] = {}
        """For each session: when the latest command was sent that the renderer's main thread has
        answered, in monotonic seconds. Any script that was running there before that time has
        ended, or is waiting for a promise.
        """
        self.loop: asyncio.AbstractEventLoop
        """The engine's loop; set by ``start``."""
        self.deadlines: Deadlines
        self._state = machine.initial_state(policy)
        self.place = place
        """The task's own context or window; None if the task shares all tabs in the browser."""
        self._context = TaskContext(self.own_context)
        self._egress: Egress | None = None
        self._connection: Connection | None = None
        self._audience = Audience()
        self._alarm = Alarm(lambda: self.feed(inputs.Tick()))
        self._background: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self._heartbeat: asyncio.Task[Any] | None = None
        self.guard_post = Standby(
            endpoint,
            self.telemetry,
            state=lambda: self._state,
            feed=self.feed,
            spawn=self.spawn,
            is_wanted=lambda: not self._stopping and self._state.health.status != "gone",
        )
        self._outbox = Outbox(self.feed, self.guard_post)
        self._lifeline = Reconnector(
            self.telemetry,
            connect=self._connect_again,
            given_up=lambda reason: self.feed(inputs.Disconnected(reason)),
            spawn=self.spawn,
        )

    # -- reading ---------------------------------------------------------------------------

    @property
    def state(self) -> SupervisorState:
        """The current state, frozen."""
        return self._state

    def snapshot(self) -> SupervisorSnapshot:
        """Return the state in a format for readers. Never waits; any thread may call this
        method.
        """
        live_view = self.opened.live_view_url if self.opened is not None else None
        return snapshot_of(self.task_id, self._state, live_view)

    def _in_flight(self) -> int:
        return self._connection.in_flight if self._connection is not None else 0

    # -- start and stop --------------------------------------------------------------------

    async def start(
        self,
        budget: Budget,
        caller: contextvars.Context | None = None,
        ahead: OpenedAhead | None = None,
    ) -> None:
        """Open the endpoint, attach to every target, and wait until a tab is usable.

        Args:
            budget: limit for the whole call.
            caller: the context in which the log says that the browser is open; by default the
                current context.
            ahead: the endpoint, if it is opening already.

        Raises:
            EndpointUnreachable, LaunchFailed: the endpoint could not be opened.
        """
        self.loop = asyncio.get_running_loop()
        self.deadlines = Deadlines(self.loop)
        self.opened = await (ahead.take() if ahead is not None else self.endpoint.open(budget))
        self.telemetry.node = self.opened.node
        launched, attached = self.opened.launched, self.opened.attached
        pid = launched.pid if launched is not None else None
        product = self.opened.product
        policy = self._state.policy.on(product).with_limits(
            native_dialogs=bool(self.capabilities.native_dialogs),
            windows=bool(self.capabilities.windows),
        )
        self._state = machine.initial_state(policy)
        context = contextvars.copy_context() if caller is None else caller
        context.run(self.telemetry.opened, pid=pid, product=product, attached=attached)
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
        self._outbox.connected()
        connection.start()
        before = self._state.context
        own_window = isinstance(self.place, OwnWindow)
        opens_tab = own_window and not self._state.tabs
        here = opened.here and opened.egress is None
        context = await self._context.on(connection, budget, here=here)
        egress = opened.egress or self._context.egress
        if egress is not None:
            self._stand_at_gate(egress)
        joined = self._context.is_joined
        shared = not opened.for_us and context is None and not own_window
        if shared and opened.attached and not self._state.tabs:  # the first connection
            self.had_company = await has_company(connection)
        files = opened.files
        self.feed(
            inputs.Connected(
                owned=opened.owned or opened.is_exclusive,
                context=context,
                proxied=egress is not None,
                own_window=own_window,
                shared=shared,
                joined=joined,
                download_dir=files.download_dir if files is not None else None,
                replacement=opened.replacement,
            )
        )
        await self._settled(budget)
        if (context != before and not joined) or opens_tab or opened.replacement is not None:
            async with asyncio.timeout(budget.remaining_s()):
                await first_tab(self._state, self.observe)
        if opened.attached:
            self.spawn(self._context.sweep(connection))
        if opened.attached and self.capabilities.guard_session:
            self.spawn(self.guard_post.fill())
        if opened.heartbeat_s is not None:
            self._heartbeat = self.spawn(self._beat(connection, opened.heartbeat_s))

    def _stand_at_gate(self, egress: Egress) -> None:
        """Become the egress proxy's judge. Before this, the proxy refuses everything."""
        self._egress = egress
        egress.judge = GateKeeper(lambda: self._state.gate)
        egress.on_failed = lambda failure: self.feed(
            inputs.ConnectionFailed(failure.place, failure.why, failure.error)
        )

    def obey(self, given: inputs.SetPolicy) -> None:
        """Apply the policy ``given`` from now on, and close the connections that the new policy
        forbids.
        """
        self.feed(given)
        if self._egress is not None:
            self._egress.cut_refused()

    async def stop(self) -> None:
        """Close the connection and, if we launched it, the browser, within a limited time. A second
        call does nothing.
        """
        if self._stopping:
            return
        self._stopping = True
        if self.before_end is not None:
            try:
                await self.before_end()
            except Exception:  # close the browser even after an error
                log.exception("%s: the work before closing the browser failed", self.task_id)
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        self._alarm.cancel()
        await self.guard_post.aclose()
        try:
            await self._end_browser(Budget(CLOSE_MS))
        finally:
            self.telemetry.closed()

    async def _end_browser(self, budget: Budget) -> None:
        await self._context.dispose(self._connection, Budget(DISPOSE_MS))
        if self._connection is not None and self._state.own_window:
            await close_tabs(self._connection, self._state.opened, Budget(DISPOSE_MS))
        if self.opened is not None and self.opened.owned and self._connection is not None:
            self._connection.send(browser.Close.METHOD)
        elif self._connection is not None:
            await self._connection.aclose()
        if self.opened is not None:
            await self.opened.end(budget)
        if self._connection is not None:
            await self._connection.aclose()

    async def _settled(self, budget: Budget) -> None:
        """Wait for the reply to a command that was sent after the commands that attach to the
        targets.
        """
        reply = await asyncio.wait_for(
            self.connection.call(browser.GetVersion.METHOD), budget.remaining_s()
        )
        if reply.lost is not None:
            raise EndpointUnreachable(
                "The connection to the browser was lost while Tabwarden was attaching to it: "
                f"{reply.lost}.",
                "Open the browser again.",
            )

    @property
    def own_context(self) -> OwnContext | None:
        """The settings of the task's own context; None if the task shares the default context."""
        return self.place if isinstance(self.place, OwnContext) else None

    @property
    def runs_here(self) -> bool:
        """Whether the browser may run on this machine, so that we can access its files."""
        return self.opened is None or self.opened.here

    @property
    def capabilities(self) -> Capabilities:
        """What the endpoint and its browser support; a third-party endpoint may not declare it."""
        declared: Capabilities = getattr(self.endpoint, "capabilities", _UNDECLARED)
        return capabilities_in(declared, self.opened.product if self.opened is not None else "")

    @property
    def connection(self) -> Connection:
        """The open connection. Raises ``BrowserGone`` if no connection is open yet."""
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
            command: from ``tabwarden.protocol``.
            session_id: the session; None for the browser itself.
            on_reply: called with the reply on the engine's thread; must not block.
        """
        return self.connection.send(command.METHOD, encode_params(command), session_id, on_reply)

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run ``coroutine`` in the background until the supervisor stops."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    # -- inputs and events -----------------------------------------------------------------

    def feed(self, given: inputs.Input) -> None:
        """Pass ``given`` to the state machine; send the resulting commands and publish the
        notices."""
        before = self._state
        now = Now(asyncio.get_running_loop().time(), time.time())
        done = machine.step(before, given, now)
        self._state = done.state
        for command in done.commands if self._connection is not None else ():
            self._outbox.send(self.connection, command)
        self._alarm.set(machine.next_deadline(self._state))
        if done.state is not before or done.notices:
            self._publish(done.notices)

    def observe(self, observer: Observer) -> Subscription:
        """Call ``observer(notices, state)`` on the engine's thread after each input that changed
        something. May be called from any thread."""
        return self._audience.observe(observer)

    def listen(self, method: str, session_id: str | None, listener: Listener) -> Subscription:
        """Call ``listener(params)`` for each event of one kind, for an action that needs it.

        Args:
            method: the event's name in the protocol.
            session_id: the event's session; None for the browser itself.
            listener: called on the engine's thread; must not block.
        """
        return self._audience.listen(method, session_id, listener)

    def _on_event(self, envelope: Envelope) -> None:
        self._audience.hear(envelope)
        if self._state.health.status in ("connecting", "reconnecting"):
            return  # the state machine has not enabled any events yet
        shared = self.opened is not None and self.opened.is_open_to_others
        if shared and self._context.is_another_tasks(envelope):
            self.feed(inputs.AnotherTasksTarget(envelope.params))
        elif machine.concerns(self._state, envelope.method, envelope.params):
            self.feed(inputs.EventReceived(envelope.method, envelope.session_id, envelope.params))

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
            self.feed(inputs.Disconnected(reason, reconnecting=True, guarded=guarded))
            # reports dialogs that opened after the connection was lost
            self.guard_post.tell_again()
            self._lifeline.mend(reason)
            return
        self.feed(inputs.Disconnected(self._with_last_words(reason)))

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
                raise EndpointUnreachable(f"The browser is not responding: {reply.lost}.")
            there = decode_result(target.GetTargets, reply.result).target_infos
        except (TimeoutError, msgspec.DecodeError) as error:
            await opened.wire.aclose()
            raise EndpointUnreachable(f"The browser is not responding: {error!r}.") from None
        except BaseException:
            await opened.wire.aclose()
            raise
        self.opened = opened
        self.telemetry.node = opened.node
        self.feed(inputs.Reattached(frozenset(info.target_id for info in there)))
        if self.connection.lost is not None:  # the new connection has already broken
            raise EndpointUnreachable(
                f"The connection was lost immediately: {self.connection.lost}."
            )

    async def _beat(self, connection: Connection, every_s: float) -> None:
        """Send commands regularly, because some providers close an idle connection."""
        while connection.lost is None:
            await asyncio.sleep(every_s)
            connection.send(browser.GetVersion.METHOD)

    def _with_last_words(self, reason: str) -> str:
        status = self.opened.exit_words() if self.opened is not None else ""
        return f"{reason} ({status})" if status else reason

    def _publish(self, notices: tuple[Notice, ...]) -> None:
        for notice in notices:
            record(self.telemetry, notice, self._state.policy)
            if isinstance(notice, SessionDetached) and self._connection is not None:
                self._connection.session_ended(notice.session_id, notice.reason)
                self.heard.pop(notice.session_id, None)
            if isinstance(notice, TargetCrashed) and notice.is_oopif and self._connection:
                self._connection.session_ended(notice.session_id, "the frame crashed")
            if isinstance(notice, SessionReady):
                self.guard_post.watch(notice.session_id)
            if isinstance(notice, DownloadArrived):
                files = self.opened.files if self.opened is not None else None
                self.spawn(store(notice, files, self.feed, self.telemetry.hide))
        self._audience.tell(notices, self._state)
