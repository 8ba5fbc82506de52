"""Probe: which of a tab's renderers answer, and stopping the scripts of those that don't."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

from tabwarden.protocol import browser, debugger, encode_params, page, runtime
from tabwarden.supervisor import UNANSWERABLE, CDPSupervisor, SupervisorState
from tabwarden.wire import Reply

__all__ = [
    "OVERDUE_S",
    "Stopping",
    "browser_took_ms",
    "is_between",
    "kin_of",
    "sessions_of",
    "silent",
    "stop_scripts",
]

_SLOW_MACHINE = 4.0
"""A renderer may take so many times longer than the browser process does, whatever was allowed."""
_SLOWEST_MS = 400.0
_BETWEEN_S = 1.0
OVERDUE_S = 2.0
"""A session that is not set up by then is looked at as if it were."""
_PROBE = runtime.Evaluate(expression="(async () => 0)()", await_promise=True, silent=True)
"""Awaited, as microtasks run only once no script does: commands are served, and a mere ``0`` is
answered, from within a script that opens a window, too, which may go on for ever afterwards (and
swallows a ``terminateExecution`` that comes meanwhile; measured)."""


def sessions_of(state: SupervisorState, tab_id: str) -> list[str]:
    """The sessions of a tab that are set up, or should be: its page's first, then its frames'.

    What hung before a session came, as while a connection was made again, is never set up.
    """
    tab = state.tabs.get(tab_id)
    own = tab.session_id if tab is not None else None
    overdue = time.monotonic() - OVERDUE_S
    found = [
        s.session_id
        for s in state.sessions.values()
        if s.tab_id == tab_id and (s.ready or s.attached_at < overdue)
    ]
    return sorted(found, key=lambda session_id: session_id != own)


def kin_of(state: SupervisorState, tab_id: str) -> list[str]:
    """The other tabs that may share a tab's renderer: those that opened each other."""
    kin, found = {tab_id}, True
    while found:
        found = False
        for tab in state.tabs.values():
            linked = tab.opener_tab_id in kin or any(
                state.tabs[one].opener_tab_id == tab.tab_id for one in kin if one in state.tabs
            )
            if linked and tab.tab_id not in kin:
                kin.add(tab.tab_id)
                found = True
    return [one for one in state.tabs if one in kin and one != tab_id]


def stop_scripts(supervisor: CDPSupervisor, session_ids: Sequence[str]) -> None:
    """Resume what stands in a pause, and stop what runs (``Runtime.terminateExecution``).

    Only a session that was attached before the hang is heard (FINDINGS 4). It stops whatever runs
    at that moment, whoever began it; where nothing runs it does nothing.
    """
    with Stopping(supervisor, session_ids):
        pass


async def is_between(supervisor: CDPSupervisor, session_id: str) -> bool:
    """Whether a page's next document is ready to come in, and its renderer has not taken it yet.

    The session belongs to that document by then, so the browser process, which answers this by
    itself, refuses; and what runs in the old one can't be stopped (docs/decisions/0011).
    """
    command = page.GetNavigationHistory()
    call = supervisor.connection.call(command.METHOD, encode_params(command), session_id)
    try:
        reply = await asyncio.wait_for(call, _BETWEEN_S)
    except TimeoutError:
        return False
    return reply.error is not None and UNANSWERABLE in reply.error.message


class Stopping:
    """The same, and whether any renderer takes notice while this lasts.

    One that does runs a script, or was about to; native code takes none.
    """

    def __init__(self, supervisor: CDPSupervisor, session_ids: Sequence[str]) -> None:
        self.noticed = False
        self._notice = asyncio.get_running_loop().create_future()
        self._supervisor = supervisor
        self._patience = supervisor.hang_patience
        self._sent = []
        for session_id in session_ids:
            supervisor.send(debugger.Resume(), session_id)
            stop = runtime.TerminateExecution()
            self._sent.append(supervisor.send(stop, session_id, self._on_reply))
            self._by_guard(stop, session_id)
            supervisor.telemetry.terminated()

    def _by_guard(self, stop: runtime.TerminateExecution, session_id: str) -> None:
        """What hung while a connection was made again hears the guard, which was there before."""
        session, post = self._supervisor.state.sessions.get(session_id), self._supervisor.guard_post
        if session is not None and not session.ready and session.target_id in post.targets:
            post.send(stop, session.target_id, self._on_reply)

    def _on_reply(self, reply: Reply) -> None:
        self.noticed = self.noticed or reply.result is not None
        if self.noticed and not self._notice.done():
            self._notice.set_result(None)

    async def taken(self, within_ms: float) -> bool:
        """Whether one takes notice within the time."""
        await asyncio.wait([self._notice], timeout=within_ms * self._patience / 1000)
        return self.noticed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for command_id in self._sent:
            self._supervisor.connection.forget(command_id)


async def browser_took_ms(supervisor: CDPSupervisor, at_most_ms: float) -> float:
    """How long the browser process takes to answer, for which no page is needed."""
    began = time.monotonic()
    with suppress(TimeoutError):
        call = supervisor.connection.call(browser.GetVersion.METHOD, b"{}", None)
        await asyncio.wait_for(call, at_most_ms / 1000)
    return (time.monotonic() - began) * 1000


async def silent(
    supervisor: CDPSupervisor, session_ids: Sequence[str], within_ms: float
) -> list[str]:
    """Which sessions' JavaScript does not answer within the time.

    On a machine so busy that the browser process itself is slow to answer, they are given longer.
    """
    within_ms *= supervisor.hang_patience
    waiting = _Waiting(supervisor, session_ids)
    try:
        await waiting.ended(within_ms)
        if waiting.silent and waiting.is_slow(within_ms):
            await waiting.ended(min(max(_SLOWEST_MS, within_ms), _SLOW_MACHINE * within_ms))
    finally:
        waiting.forget()
    return [s for s in session_ids if s in waiting.silent]


class _Waiting:
    """Probes under way: one a session, and one to the browser process to compare with."""

    def __init__(self, supervisor: CDPSupervisor, session_ids: Sequence[str]) -> None:
        self.silent = set(session_ids)
        self._supervisor = supervisor
        self._all_answered = asyncio.get_running_loop().create_future()
        self._sent_at = time.monotonic()
        self._browser_ms: float | None = None
        self._sent = [supervisor.send(_PROBE, one, self._on_reply(one)) for one in session_ids]
        self._sent.append(supervisor.send(browser.GetVersion(), None, self._on_browser))
        self._resolve()

    def _on_reply(self, session_id: str) -> Callable[[Reply], None]:
        def on_reply(_: Reply) -> None:
            self.silent.discard(session_id)
            self._resolve()

        return on_reply

    def _on_browser(self, _: Reply) -> None:
        self._browser_ms = (time.monotonic() - self._sent_at) * 1000

    def _resolve(self) -> None:
        if not self.silent and not self._all_answered.done():
            self._all_answered.set_result(None)

    async def ended(self, within_ms: float) -> None:
        await asyncio.wait([self._all_answered], timeout=within_ms / 1000)

    def is_slow(self, within_ms: float) -> bool:
        took = self._browser_ms
        return took is None or took * _SLOW_MACHINE > within_ms

    def forget(self) -> None:
        for command_id in self._sent:
            self._supervisor.connection.forget(command_id)
