"""Pass a person's input on to a tab, without the checks for the agent's actions.

Events are sent in order. Only a key event waits until the page has handled earlier events. If the
page does not handle an event in time, Tabwarden frees the page as it does after an agent's call.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tabwarden.page.person.events import Compose, Key, Mouse, Paste, PersonEvent, event_of
from tabwarden.page.person.focus import Field, FocusFinder
from tabwarden.page.person.secret_reader import SecretReader
from tabwarden.page.person.timing import FOCUS_S, LOOK_S, UNANSWERED_S
from tabwarden.page.recovery import begin_rescue
from tabwarden.page.task import Task, blocking_dialogs
from tabwarden.protocol import Command, target
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.wire import Reply

_MOVES = 8
"""If this many commands are unanswered, mouse moves are dropped."""
_MOST = 1_000
"""If this many commands are unanswered, all input is dropped."""
_RESCUES = 3
"""After this many rescues, a page that still does not respond is given up."""


class _PendingCommands:
    """Counts a session's unanswered commands."""

    def __init__(self) -> None:
        self.unanswered = 0
        self.heard_at = 0.0
        """When the page last responded, or received the first command without a response."""
        self.rescues = 0
        """How often Tabwarden has tried to recover the page since ``heard_at``."""
        self._quiet = asyncio.Event()

    def sent(self) -> None:
        if not self.unanswered:
            self.heard_at, self.rescues = time.monotonic(), 0
        self.unanswered += 1
        self._quiet.clear()

    def answered(self, _: Reply) -> None:
        self.unanswered -= 1
        self.heard_at, self.rescues = time.monotonic(), 0
        if not self.unanswered:
            self._quiet.set()

    async def quiet(self) -> bool:
        """Wait until all commands are answered. Return False if that takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FOCUS_S if self.unanswered else None):
                if self.unanswered:
                    await self._quiet.wait()
        return not self.unanswered


class PersonInput:
    """Sends the input of the person who has control of a task. Any thread may call ``send``."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._focus = FocusFinder(task)
        self._secrets = SecretReader(task)
        self._pending: dict[str, _PendingCommands] = {}
        """The unanswered commands, keyed by session."""
        self._queue: deque[tuple[PersonEvent, str | None]] = deque()
        self._pump: asyncio.Task[None] | None = None

    def send(self, event: Mapping[str, Any], tab_id: str | None = None) -> None:
        """Send one event to a tab.

        Args:
            event: an event such as ``{"kind": "mouse", "type": "down", "x": 10, "y": 20, ...}``;
                see ``events``.
            tab_id: the tab that the person sees; None for the active tab.

        Raises:
            InvalidArgument: the event is invalid, or nobody has control.
        """
        checked = event_of(event)
        self._task.control.require()
        self._task.control.touch()
        self._task.supervisor.loop.call_soon_threadsafe(self._add, checked, tab_id)

    def _add(self, event: PersonEvent, tab_id: str | None) -> None:  # on the event loop
        if len(self._queue) >= _MOST:
            return
        self._queue.append((event, tab_id))
        if self._pump is None or self._pump.done():
            self._pump = self._task.supervisor.spawn(self._pass_all_on())

    async def _pass_all_on(self) -> None:
        """Send the events in order. Only key events wait: until their frame is known."""
        while self._queue:
            event, tab_id = self._queue.popleft()
            if self._task.control.holder is None:  # meanwhile, the person has returned control
                self._queue.clear()
                return
            state = self._task.state
            tab = state.tabs.get(tab_id or state.active_tab_id or "")
            if tab is not None and state.health.status == "live" and tab.status == "ready":
                await self._pass_on(event, tab)

    async def _pass_on(self, event: PersonEvent, tab: Tab) -> None:
        if tab.session_id is None:
            return
        pending = self._pending.get(tab.session_id)
        is_move = isinstance(event, Mouse) and event.type == "move"
        if pending and pending.unanswered >= (_MOVES if is_move else _MOST):
            return
        self._to_front(tab)
        if isinstance(event, Key | Mouse) and event.type == "down":
            self._secrets.read()  # this key or click may navigate away from the page
        session_id = tab.session_id
        field = None
        if isinstance(event, Key | Paste | Compose):
            # The browser passes keys on to the focused frame only within one process (measured).
            if await self._has_handled_all(tab):
                field = await self._focus.find(tab)
                session_id = field.session_id if field is not None else session_id
            if field is None and event.types:
                self._focus.mark(tab)
        self._count(event, field)
        for command in event.commands():
            self._send(tab, command, session_id)

    async def _has_handled_all(self, tab: Tab) -> bool:
        """Wait until the page has handled earlier clicks, because they may move the focus."""
        pending = self._pending.get(tab.session_id or "")
        return pending is None or await pending.quiet()

    def _to_front(self, tab: Tab) -> None:
        """Activate the tab, because a background tab does not handle input."""
        if self._task.front_target != tab.target_id:
            activate = target.ActivateTarget(target_id=tab.target_id)
            self._task.supervisor.send(activate, None, lambda _: None)
            self._task.front_target, self._task.front_newest = tab.target_id, None

    def _count(self, event: PersonEvent, field: Field | None) -> None:
        actions = self._task.control.person_actions
        if actions is None:
            return
        if event.types and field is not None and field.element is not None:
            actions.add_field(field.world, field.element)
        elif isinstance(event, Key) and event.type == "down":
            actions.add_key()
        elif isinstance(event, Mouse) and event.type == "down":
            actions.add_click()

    def _send(self, tab: Tab, command: Command[Any], session_id: str) -> None:
        pending = self._pending.setdefault(session_id, _PendingCommands())
        pending.sent()
        if pending.unanswered == 1:
            self._watch(tab, session_id, pending)
        self._task.supervisor.send(command, session_id, pending.answered)

    def _watch(self, tab: Tab, session_id: str, pending: _PendingCommands) -> None:
        """Check again when the page has not responded for some seconds."""
        supervisor = self._task.supervisor
        within_s = UNANSWERED_S * supervisor.hang_patience
        at = max(pending.heard_at + within_s, supervisor.loop.time() + LOOK_S)
        supervisor.loop.call_at(at, self._look, tab, session_id, pending)

    def _look(self, tab: Tab, session_id: str, pending: _PendingCommands) -> None:
        state, supervisor = self._task.state, self._task.supervisor
        if not pending.unanswered or self._pending.get(session_id) is not pending:
            return
        is_gone = session_id not in state.sessions or state.health.status != "live"
        if is_gone or pending.rescues >= _RESCUES:  # the page will not answer these commands
            del self._pending[session_id]
            return
        silent_s = supervisor.loop.time() - pending.heard_at
        is_silent = silent_s >= UNANSWERED_S * supervisor.hang_patience
        if is_silent and not blocking_dialogs(state, tab.tab_id):
            pending.rescues += 1
            rescue = begin_rescue(self._task, tab.tab_id)
            rescue.work.add_done_callback(lambda _: self._watch(tab, session_id, pending))
            return
        self._watch(tab, session_id, pending)
