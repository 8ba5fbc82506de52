"""``Race``: the only module that decides how a wait ends.

Whichever comes first ends the wait: a command's reply, the deadline, a cancellation by the caller,
a dialog, a crash, the closing of the tab, and the loss of the browser. Actions wait for all their
commands here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    Cancelled,
    NotSupported,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.hints import OPEN_AGAIN, OTHER_TAB, Hint, Next
from tabwarden.protocol import Command, Event, decode_event, decode_result
from tabwarden.supervisor.core.state import notices as n
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime.driver import CDPSupervisor
from tabwarden.supervisor.runtime.thread_future import Handoff
from tabwarden.wire import ProtocolError, Reply

R = TypeVar("R")
E = TypeVar("E", bound=Event)
Waiter: TypeAlias = asyncio.Future[Any] | Handoff
_NO_METHOD = -32601
"""The code of the error for a command that the browser does not know."""
_BY_RENDERERS = ("Runtime.", "DOM.")
"""Domains whose commands run on a renderer's main thread, along with the page's scripts."""
_LATE = object()
"""The value that a waiter gets if its own time limit has passed but the race continues."""


class NavigatedAway(msgspec.Struct, frozen=True, kw_only=True):
    """The script's document was replaced while the script ran."""

    frame_id: str
    url: str
    """The frame's current URL, or the URL that the frame is navigating to."""


class Interrupted(Exception):
    """Something interrupted the action's wait. This is not an error."""

    def __init__(self, by: PendingDialog | Prompt | NavigatedAway) -> None:
        super().__init__(type(by).__name__)
        self.by = by
        self.value: Any = None
        """The part of the action's result from before the interruption."""


class CommandRefused(NotSupported):
    """The browser rejected a command. Actions that expect this catch the exception."""

    def __init__(self, method: str, error: ProtocolError) -> None:
        super().__init__(
            f"The browser rejected {method}: {error}.",
            "This browser does not have this feature. Try another way."
            if error.code == _NO_METHOD or error.message == "Not supported"
            else "The page may have changed during the call. Take a new snapshot.",
            method=method,
            cdp_code=error.code,
        )
        self.error = error


class Pending(Generic[R]):
    """A sent command; use ``await race.result(pending)`` to get its reply."""

    __slots__ = ("command", "command_id", "waiter")

    def __init__(self, command: Command[R], waiter: Waiter) -> None:
        self.command = command
        self.waiter = waiter
        self.command_id = 0


class Race:
    """All waits of one action on one tab, as a context manager.

    Args:
        tab_id: the tab. The race ends when this tab closes, crashes, or opens a dialog. With None,
            no event of a tab ends the race; only the loss of the browser does.
        through_dialogs: whether the race continues when a dialog opens, for work that a dialog
            doesn't block.
        outside: whether the race runs on a thread other than the engine's, and only sends commands.
            The engine still decides how the race ends; ``pending.waiter`` passes on the result.
    """

    def __init__(
        self,
        supervisor: CDPSupervisor,
        budget: Budget,
        tab_id: str | None = None,
        *,
        through_dialogs: bool = False,
        outside: bool = False,
    ) -> None:
        self.supervisor = supervisor
        self.budget = budget
        self.tab_id = tab_id
        self.outlives_replacement = False
        """Set by an action that replaces its own tab's target and continues with the new target."""
        self.notes: list[str] = []
        """Notes for the agent about how the action's elements were found."""
        self._through_dialogs = through_dialogs
        self._outside = outside
        self._ended: Exception | None = None
        self._waiters: set[Waiter] = set()
        self._conditions: list[tuple[Callable[[SupervisorState], bool], Waiter]] = []
        self._commands: set[int] = set()

    # -- waiting ---------------------------------------------------------------------------

    async def call(self, command: Command[R], session_id: str | None) -> R:
        """Send a command and wait for its result. Raises ``Interrupted``, ``CommandRefused``, or
        the error that ended the race."""
        return await self.result(self.start(command, session_id))

    def start(self, command: Command[R], session_id: str | None) -> Pending[R]:
        """Send a command now; the result can be awaited later (pipelining)."""
        self.raise_if_ended()
        waiter = self._waiter()
        pending = Pending(command, waiter)

        def on_reply(reply: Reply) -> None:
            self._commands.discard(pending.command_id)
            if session_id is not None and reply.method.startswith(_BY_RENDERERS):
                heard = self.supervisor.heard
                heard[session_id] = max(sent_at, heard.get(session_id, 0.0))
            _resolve(waiter, reply)

        sent_at = time.monotonic()
        pending.command_id = self.supervisor.send(command, session_id, on_reply)
        if not waiter.done():
            self._commands.add(pending.command_id)
        return pending

    async def result(self, pending: Pending[R]) -> R:
        reply: Reply = await self._wait(pending.waiter)
        if reply.result is None:
            raise self._refusal(reply)
        try:
            return decode_result(type(pending.command), reply.result)
        except msgspec.DecodeError as error:
            words = f"its reply has an unexpected format ({error})"
            raise CommandRefused(reply.method, ProtocolError(message=words)) from None

    async def raw(self, method: str, params: bytes, session_id: str | None) -> msgspec.Raw:
        """Send a command that is identified by its name (for ``browser_cdp``) and wait for its
        result.
        """
        self.raise_if_ended()
        waiter = self._waiter()

        def on_reply(reply: Reply) -> None:
            _resolve(waiter, reply)

        command_id = self.supervisor.connection.send(method, params, session_id, on_reply)
        self._commands.add(command_id)
        reply: Reply = await self._wait(waiter)
        if reply.result is not None:
            return reply.result
        raise self._refusal(reply)

    async def event(
        self, event_type: type[E], session_id: str | None, *, at_most_ms: float
    ) -> E | None:
        """Return the session's next event of this type; None if ``at_most_ms`` passes first."""
        self.raise_if_ended()
        waiter = self._waiter()
        unlisten = self.supervisor.listen(
            event_type.METHOD, session_id, lambda params: _resolve(waiter, params)
        )
        try:
            params = await self._wait(waiter, at_most_ms)
        finally:
            unlisten()
        return None if params is _LATE else decode_event(event_type, params)

    async def connected(self) -> None:
        """Wait until the connection is back. Raise ``BrowserGone`` if the reconnect fails."""
        await self.until(lambda state: state.health.status != "reconnecting")

    async def until(
        self, condition: Callable[[SupervisorState], bool], *, at_most_ms: float | None = None
    ) -> bool:
        """Wait until ``condition(state)`` is true; return False if ``at_most_ms`` passes first."""
        self.raise_if_ended()
        if condition(self.supervisor.state):
            return True
        waiter = self._waiter()
        self._conditions.append((condition, waiter))
        try:
            return await self._wait(waiter, at_most_ms) is not _LATE
        finally:
            self._conditions.remove((condition, waiter))

    async def pause(self, ms: float) -> None:
        """Sleep. A dialog or the deadline can end this wait, like any other wait."""
        await self.until(lambda _: False, at_most_ms=ms)

    async def answered(self, pending: Pending[Any], *, at_most_ms: float) -> bool:
        """Wait for a command's reply; return False if ``at_most_ms`` passes first."""
        return await self._wait(pending.waiter, at_most_ms) is not _LATE

    async def one_answered(
        self, some: Sequence[Pending[Any]], *, at_most_ms: float | None = None
    ) -> bool:
        """Wait for the reply to any of these commands; return False if ``at_most_ms`` passes
        first. Others may wait for the same replies.
        """
        timeout = None if at_most_ms is None else at_most_ms / 1000
        waiters = [asyncio.ensure_future(one.waiter) for one in some]
        done, _ = await asyncio.wait(waiters, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)

    async def finished(self, work: asyncio.Future[Any], *, at_most_ms: float | None = None) -> bool:
        """Wait for ``work`` without ever canceling it; return False if ``at_most_ms`` passes
        first.
        """
        self.raise_if_ended()
        waiter = self._waiter()

        def done(_: asyncio.Future[Any]) -> None:
            _resolve(waiter, True)

        work.add_done_callback(done)
        try:
            return await self._wait(waiter, at_most_ms) is not _LATE
        finally:
            work.remove_done_callback(done)

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Set the description of the current wait ("waiting for the tab to be set up")."""
        before = self.budget.doing
        self.budget.doing = what
        try:
            yield
        finally:
            if self._ended is None:  # otherwise, keep the description for the error
                self.budget.doing = before

    def raise_if_ended(self) -> None:
        if self._ended is not None:
            raise self._ended

    # -- context ---------------------------------------------------------------------------

    def __enter__(self) -> Race:
        self._loop = self.supervisor.loop
        self._unobserve = self.supervisor.observe(self._observed)
        self._deadline = self.supervisor.deadlines.add(self.budget.deadline, self._out_of_time)
        self._uncancel = self.budget.on_cancel(self._cancelled_elsewhere)
        if self.supervisor.state.health.status == "gone":
            self._end(_gone(self.supervisor.state.health.reason))
        return self

    def __exit__(self, *_: object) -> None:
        self._unobserve()
        self.supervisor.deadlines.lift(self._deadline)
        self._uncancel()
        for command_id in self._commands:
            self.supervisor.connection.forget(command_id)
        self._end(BudgetExceeded("The action has already ended."))

    # -- how it ends -----------------------------------------------------------------------

    def _observed(self, notices: tuple[n.Notice, ...], state: SupervisorState) -> None:
        for notice in notices:
            end = self._verdict(notice, state)
            if end is not None:
                self._end(end)
                return
        for condition, waiter in self._conditions:
            if not waiter.done() and condition(state):
                waiter.set_result(True)

    def _verdict(self, notice: n.Notice, state: SupervisorState) -> Exception | None:
        """Return the error with which a notice ends this race, or None."""
        match notice:
            case n.EndpointLost():
                return _lost(notice.reason) if notice.reconnecting else _gone(notice.reason)
            case n.DialogOpened() if not self._through_dialogs and self._blocks(notice, state):
                return Interrupted(notice.dialog)
            case n.PromptInterrupts() if not self._through_dialogs and notice.tab_id == self.tab_id:
                return Interrupted(notice.prompt)
            case n.TargetCrashed() if notice.tab_id == self.tab_id and not notice.is_oopif:
                return crashed_error(notice.tab_id, notice.reason)
            case n.TabClosed() if notice.tab_id == self.tab_id:
                return BrowserGone(
                    f"Tab {notice.tab_id} was closed during the call.",
                    OTHER_TAB,
                    reason=notice.reason,
                    tab_id=notice.tab_id,
                )
            case n.TabReplaced() if notice.tab_id == self.tab_id and not self.outlives_replacement:
                return BrowserGone(
                    f"Tab {notice.tab_id} hung, and a new tab replaced it.",
                    "Take a new snapshot. The old page's JavaScript state is lost.",
                    reason="the tab was replaced",
                    tab_id=notice.tab_id,
                )
            case _:
                return None

    def _blocks(self, notice: n.DialogOpened, state: SupervisorState) -> bool:
        """Whether a dialog blocks this tab: a dialog in the tab, or in the tab's popup, which may
        share the tab's renderer.
        """
        # the supervisor has already closed the dialog
        if self.tab_id is None or notice.dialog.is_leaving:
            return False
        tab = state.tabs.get(notice.tab_id)
        return self.tab_id in (notice.tab_id, tab.opener_tab_id if tab else None)

    def _out_of_time(self) -> None:
        self._end(self.budget.exceeded())

    def _cancelled_elsewhere(self, reason: str) -> None:
        self._loop.call_soon_threadsafe(self._cancelled, reason)

    def _cancelled(self, reason: str) -> None:
        self._end(Cancelled(f"The call was canceled: {reason}."))

    def _end(self, error: Exception) -> None:
        if self._ended is None:
            self._ended = error
        for waiter in list(self._waiters):
            _resolve(waiter, None)

    # -- plumbing --------------------------------------------------------------------------

    def _waiter(self) -> Waiter:
        waiter: Waiter = Handoff() if self._outside else self._loop.create_future()
        self._waiters.add(waiter)
        if self._ended is not None:  # the engine has already settled the race
            _resolve(waiter, None)
        return waiter

    async def _wait(self, waiter: Waiter, at_most_ms: float | None = None) -> Any:
        timer = None
        if at_most_ms is not None:
            timer = self._loop.call_later(at_most_ms / 1000, _resolve, waiter, _LATE)
        try:
            value = await waiter
        finally:
            self._waiters.discard(waiter)
            if timer is not None:
                timer.cancel()
        if value is None:  # only ``_end`` resolves a waiter with None
            self.raise_if_ended()
        return value

    def _refusal(self, reply: Reply) -> Exception:
        """Return the error for a command without a result."""
        if self._ended is not None:  # this error is more specific than a lost session
            return self._ended
        if reply.lost is not None and self.supervisor.connection.lost is not None:
            reconnecting = self.supervisor.state.health.status == "reconnecting"
            return _lost(reply.lost) if reconnecting else _gone(reply.lost)
        # A frame's own session ends with the frame, or when the frame moves to another process.
        return CommandRefused(reply.method, reply.error or ProtocolError(message=reply.lost or ""))


def _resolve(waiter: Waiter, value: Any) -> None:
    if not waiter.done():
        waiter.set_result(value)


def _gone(reason: str) -> TabwardenError:
    return BrowserGone(
        f"Tabwarden can no longer reach the browser: {reason}.",
        OPEN_AGAIN,
        reason=reason,
    )


def _lost(reason: str) -> TabwardenError:
    return BrowserGone(
        f"The connection to the browser was lost during the call: {reason}.",
        Hint(
            "Tabwarden reconnects automatically. Then read the page",
            Next("snapshot"),
            ". The action may or may not have been performed, so Tabwarden did not repeat it.",
        ),
        reason=reason,
        reconnecting=True,
    )


def crashed_error(tab_id: str, reason: str) -> TargetCrashed:
    """Return the error for a tab whose renderer crashed."""
    return TargetCrashed(
        f"The page in tab {tab_id} crashed: {reason}.",
        Hint(
            "Reload the page",
            Next("reload"),
            " or navigate to another page. The page's JavaScript state is lost.",
        ),
        tab_id=tab_id,
        reason=reason,
    )
