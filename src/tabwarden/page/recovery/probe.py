"""Find out which of a tab's renderers respond, and stop the scripts in the others."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Self

from tabwarden.page.recovery import timing
from tabwarden.protocol import browser, debugger, encode_params, page, runtime
from tabwarden.supervisor.core.state.answers import UNANSWERABLE
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor
from tabwarden.wire import Reply

_SLOW_MACHINE = 4.0
"""A renderer may take this many times longer to reply than the browser process, even if that
exceeds the caller's limit."""
_PROBE = runtime.Evaluate(expression="(async () => 0)()", await_promise=True, silent=True)
"""The probe awaits a promise, because promises settle only when no script is running. A page
replies to a plain ``0`` even while its script is opening a window. That script may then run
forever, and it ignores a ``terminateExecution`` that arrives meanwhile (measured)."""


def sessions_of(state: SupervisorState, tab_id: str) -> list[str]:
    """Return a tab's sessions that are set up or overdue, the page's session first, then the
    frames' sessions.

    If a page hung before its session was attached (for example during a reconnect), the session is
    never set up.
    """
    tab = state.tabs.get(tab_id)
    own = tab.session_id if tab is not None else None
    overdue = time.monotonic() - timing.OVERDUE_S
    session_ids = [
        s.session_id
        for s in state.sessions.values()
        if s.tab_id == tab_id and (s.ready or s.attached_at < overdue)
    ]
    return sorted(session_ids, key=lambda session_id: session_id != own)


def renderer_siblings(state: SupervisorState, tab_id: str) -> list[str]:
    """Return the other tabs that may share a tab's renderer because one of the two opened the
    other."""
    siblings, has_grown = {tab_id}, True
    while has_grown:
        has_grown = False
        for tab in state.tabs.values():
            linked = tab.opener_tab_id in siblings or any(
                state.tabs[one].opener_tab_id == tab.tab_id for one in siblings if one in state.tabs
            )
            if linked and tab.tab_id not in siblings:
                siblings.add(tab.tab_id)
                has_grown = True
    return [one for one in state.tabs if one in siblings and one != tab_id]


def stop_scripts(supervisor: CDPSupervisor, session_ids: Sequence[str]) -> None:
    """Resume paused scripts, and stop running ones (``Runtime.terminateExecution``).

    This works only in sessions that were attached before the hang (docs/facts.md, "What frees a
    page that hangs"). It stops any running script, no matter who started the script, and has no
    effect if no script is running.
    """
    with Stopping(supervisor, session_ids):
        pass


async def is_between(supervisor: CDPSupervisor, session_id: str) -> bool:
    """Whether a page's next document is ready, but the renderer has not yet accepted it.

    If so, the session already belongs to the next document. The browser process then rejects the
    command that this function sends, and the old document's scripts can't be stopped
    (docs/decisions/0011).
    """
    command = page.GetNavigationHistory()
    call = supervisor.connection.call(command.METHOD, encode_params(command), session_id)
    try:
        reply = await asyncio.wait_for(call, timing.BETWEEN_DOCUMENTS_S)
    except TimeoutError:
        return False
    return reply.error is not None and UNANSWERABLE in reply.error.message


class Stopping:
    """Stop scripts as ``stop_scripts`` does, and record whether a renderer reacts during the block.

    A renderer that reacts was running or about to run a script. A renderer that runs native code
    does not react.
    """

    def __init__(self, supervisor: CDPSupervisor, session_ids: Sequence[str]) -> None:
        self.reacted = False
        self._reaction = asyncio.get_running_loop().create_future()
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
        """Also send the stop over the guard's connection. If a page hung during a reconnect, only
        this connection can stop it, because only this connection was attached before the hang."""
        session, post = self._supervisor.state.sessions.get(session_id), self._supervisor.guard_post
        if session is not None and not session.ready and session.target_id in post.targets:
            post.send(stop, session.target_id, self._on_reply)

    def _on_reply(self, reply: Reply) -> None:
        self.reacted = self.reacted or reply.result is not None
        if self.reacted and not self._reaction.done():
            self._reaction.set_result(None)

    async def took_effect(self, within_s: float) -> bool:
        await asyncio.wait([self._reaction], timeout=within_s * self._patience)
        return self.reacted

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for command_id in self._sent:
            self._supervisor.connection.forget(command_id)


async def browser_took_s(supervisor: CDPSupervisor, at_most_s: float) -> float:
    """Return how long the browser process takes to reply to a command that involves no page."""
    began = time.monotonic()
    with suppress(TimeoutError):
        call = supervisor.connection.call(browser.GetVersion.METHOD, b"{}", None)
        await asyncio.wait_for(call, at_most_s)
    return time.monotonic() - began


async def find_silent(
    supervisor: CDPSupervisor, session_ids: Sequence[str], within_s: float
) -> list[str]:
    """Return the sessions whose JavaScript does not reply in time. The sessions get more time if
    the browser process itself replies slowly because the computer is busy."""
    within_s *= supervisor.hang_patience
    waiting, sent_at, browser_s = set(session_ids), time.monotonic(), math.inf
    all_answered = asyncio.get_running_loop().create_future()

    def on_session(session_id: str, _: Reply) -> None:
        waiting.discard(session_id)
        if not waiting and not all_answered.done():
            all_answered.set_result(None)

    def on_browser(_: Reply) -> None:
        nonlocal browser_s
        browser_s = time.monotonic() - sent_at

    sent = [supervisor.send(_PROBE, one, partial(on_session, one)) for one in session_ids]
    sent.append(supervisor.send(browser.GetVersion(), None, on_browser))
    try:
        if waiting:
            await asyncio.wait([all_answered], timeout=within_s)
        if waiting and browser_s * _SLOW_MACHINE > within_s:
            slowest_s = min(max(timing.SLOWEST_PROBE_S, within_s), _SLOW_MACHINE * within_s)
            await asyncio.wait([all_answered], timeout=slowest_s)
    finally:
        for command_id in sent:
            supervisor.connection.forget(command_id)
    return [one for one in session_ids if one in waiting]
