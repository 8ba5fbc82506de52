"""Who controls a task, which calls wait for a person, and which hand-offs are open."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol, TypeVar

from tabwarden.budget import Budget
from tabwarden.errors import HeldByPerson, InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.journal import Journal, Secrets, current_person
from tabwarden.page.control.lease import (
    LONGEST_NAME,
    LONGEST_TEXT,
    Answer,
    Ask,
    Change,
    ControlReleased,
    ControlTaken,
    Handoff,
    HandoffEnded,
    Input,
    Lease,
    Now,
    Person,
    Release,
    SetIdle,
    Take,
    Tick,
    Touch,
    Why,
    is_held_by,
    step,
)
from tabwarden.page.control.messages import control_words, handoff_words
from tabwarden.page.control.person_actions import PersonActions
from tabwarden.page.text import bare, quoted
from tabwarden.supervisor.core.state.notices import DialogClosed, Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor, Race

log = logging.getLogger("tabwarden.control")

HIDDEN = "(typed by a person, hidden)"
"""Results contain this text instead of a secret that a person typed."""
RECORDED = ("control", "answer")
"""The action names in the journal for the end of control and the end of a hand-off."""
HANDOFF_S = 600.0
"""A hand-off waits for at least this long, even after the call that requested it has returned. A
person may need minutes to respond, and most hosts abort a call after one minute."""
RESERVE_MS = 1_000.0
"""The time that a call reserves at the end of its budget. A call waits for a person only until
then, so that it can still act, or report who has control."""
RESERVE_SHARE = 0.25
"""The reserved share of the budget if the budget is short."""
T = TypeVar("T")
Watcher = Callable[[Change], None]


class SendsInput(Protocol):
    """Sends a person's input to a page."""

    def send(self, event: Mapping[str, Any], tab_id: str | None = None) -> None: ...


class _NoInput:
    """Refuses input until the browser sets its ``SendsInput``."""

    def send(self, event: Mapping[str, Any], tab_id: str | None = None) -> None:
        raise InvalidArgument("This browser does not accept input from people.")


class Control:
    """The lease of one task. Any thread may call its methods. Its coroutines run on the engine's
    event loop."""

    def __init__(self, supervisor: CDPSupervisor, journal: Journal | None = None) -> None:
        self._supervisor = supervisor
        self._journal = journal or Journal()
        self._guarded = self._journal.guarded
        self._lease = Lease()
        self._lock = threading.RLock()
        self._watchers: tuple[Watcher, ...] = ()
        self._waiters: set[asyncio.Future[None]] = set()
        """Futures that are completed at the next change."""
        self._waiting_calls = 0
        """The number of calls that are waiting for a hand-off. They report its end themselves."""
        self._timer: asyncio.TimerHandle | None = None
        self._unobserve: Callable[[], None] | None = None
        self._news: tuple[tuple[str, Callable[[], str]], ...] = ()
        """Messages for the agent: the id of a hand-off or "", and a function that returns the text.
        It is a function because the page may still report which fields the person typed in."""
        self._unreported: Handoff | None = None
        """The last hand-off that ended while no call was waiting for it."""
        self.person_actions: PersonActions | None = None
        """The actions of the person with control; None if the agent has control."""
        self.secrets = Secrets(HIDDEN)
        """The text that people typed into secret fields while they had control. Results never
        contain it."""
        self.secret_worlds: dict[str, str] = {}
        """The worlds whose documents have a secret field that a person typed in, with their
        sessions."""
        self.late_marks: set[asyncio.Task[None]] = set()
        """Tasks that inject the walker into frames, to mark the fields that a person typed in."""
        self._reading_secrets = False
        """Whether control has ended but the secrets that the person typed are still being read."""
        self.link: Callable[[], str | None] | None = None
        """Returns a link to this task's live view. The package that serves the live view sets this
        function. The link is for people, and the agent must never see it."""
        self.input: SendsInput = _NoInput()
        """Sends the person's input to the page."""

    # -- reading -----------------------------------------------------------------------------

    @property
    def lease(self) -> Lease:
        return self._lease

    @property
    def holder(self) -> Person | None:
        """The person who has control; None if the agent has it."""
        return self._lease.holder

    @property
    def waiting_handoffs(self) -> tuple[Handoff, ...]:
        """The hand-offs that are waiting for a person."""
        return self._lease.waiting_handoffs

    def state_parts(self) -> list[str]:
        """Return phrases for the state line and for the snapshot."""
        lease = self._lease
        parts = [] if lease.holder is None else [f"{bare(lease.holder.name)} has control"]
        return parts + [
            f"hand-off {one.id} is waiting for a person" for one in lease.waiting_handoffs
        ]

    @property
    def concerns_answers(self) -> bool:
        """Whether results must include news or mask a secret."""
        return bool(self._news or self.secrets or self._guarded)

    def hide(self, value: T) -> T:
        """Mask the configured secrets in a value. Unless a person makes this call, also
        mask the secrets that people typed."""
        hidden = self._guarded.hide(value)
        return hidden if current_person() is not None else self.secrets.hide(hidden)

    def news(self) -> tuple[str, ...]:
        """Return the news for the agent, and clear the news."""
        if not self._news:
            return ()
        with self._lock:
            news, self._news, self._unreported = self._news, (), None
        return tuple(text() for _, text in news)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call ``watcher(change)`` after each change, in the order of the changes, on the thread
        that caused the change. The watcher must not block. Return a function that removes the
        watcher."""
        self._watchers = (*self._watchers, watcher)

        def stop() -> None:
            self._watchers = tuple(one for one in self._watchers if one is not watcher)

        return stop

    # -- people ------------------------------------------------------------------------------

    def take(self, name: str, identity: str = "") -> Person:
        """Give control to a person. Change nothing if that person already has control.

        Args:
            name: the person's name, which the agent sees.
            identity: distinguishes people with the same name, such as the login of a live view.

        Raises:
            HeldByPerson: another person has control.
            InvalidArgument: the name is empty or too long.
        """
        name = _check_text("name", name, LONGEST_NAME)
        lease = self._feed(Take(name, identity))
        if lease.holder is None or not is_held_by(lease, name, identity):
            raise self.held_error()
        return lease.holder

    def is_held_by(self, name: str, identity: str = "") -> bool:
        """Whether this person has control."""
        return is_held_by(self._lease, name, identity)

    def require(self) -> None:
        """Raise ``InvalidArgument`` if no person has control."""
        if self.holder is None:
            raise InvalidArgument(
                "No person has control, so the input was not sent to the page.",
                "Take control first.",
            )

    def touch(self) -> None:
        """Record that the person with control is active."""
        self._feed(Touch())

    def release(self, why: Why = "done", message: str = "") -> None:
        """End a person's control and all waiting hand-offs.

        Args:
            why: ``done``, or ``operator`` if the agent's operator takes control back.
            message: the person's message to the agent.
        """
        message = _check_text("message", message, LONGEST_TEXT, empty=True)
        self._feed(Release(why, self._guarded.hide(message)))

    def answer(
        self, handoff_id: str, outcome: Literal["done", "refused"], name: str, message: str = ""
    ) -> None:
        """End one hand-off without taking control, or refuse it.

        Raises:
            InvalidArgument: no hand-off with this id is waiting.
        """
        if all(one.id != handoff_id for one in self.waiting_handoffs):
            waiting = ", ".join(one.id for one in self.waiting_handoffs) or "none"
            raise InvalidArgument(
                f"Hand-off {handoff_id[:40]!r} is not waiting for a person.",
                f"Waiting hand-offs: {waiting}.",
                field="handoff_id",
            )
        name = _check_text("name", name, LONGEST_NAME)
        message = _check_text("message", message, LONGEST_TEXT, empty=True)
        self._feed(Answer(handoff_id, outcome, name, self._guarded.hide(message)))

    def note_answer(self, prompt_id: str) -> None:
        """If a person makes this call, record that the person answered a dialog or another
        prompt."""
        name = current_person()
        if name is None:
            return
        with self._lock:
            if self.person_actions is not None:
                self.person_actions.add_answer(prompt_id)
            elif not prompt_id.startswith("d-"):  # for a dialog, another message says who closed it
                self._news += (("", lambda: f"{bare(name)} answered {prompt_id}"),)

    # -- the agent's calls -------------------------------------------------------------------

    def is_closed_to_caller(self) -> bool:
        """Whether calls in this context must wait because a person has control."""
        is_held = self._lease.holder is not None or self._reading_secrets
        return is_held and current_person() is None

    async def given_back(self, budget: Budget) -> None:
        """Wait until the agent has control. Return at once if a person makes the call.

        Raises:
            HeldByPerson: a person still has control near the end of the budget.
            BrowserGone, Cancelled: the wait ended for another reason.
        """
        while self.is_closed_to_caller():
            if not await self._next_change(budget, "a person to return control"):
                raise self.held_error()

    def ask(self, reason: str, for_s: float = 0) -> Handoff:
        """Request a hand-off to a person. If a hand-off is already waiting, renew that hand-off.

        Args:
            reason: what the person should do.
            for_s: the minimum time to wait, in seconds.

        Raises:
            InvalidArgument: the reason is empty or too long.
        """
        reason = self._guarded.hide(_check_text("reason", reason, LONGEST_TEXT))
        return self._feed(Ask(reason, max(HANDOFF_S, for_s))).waiting_handoffs[-1]

    def has_unreported_end(self, reason: str) -> bool:
        """Whether a hand-off for this reason has ended and no call has reported its end."""
        unreported = self._unreported
        return unreported is not None and unreported.reason == self._guarded.hide(reason.strip())

    async def wait_for_handoff(self, budget: Budget, reason: str) -> Handoff:
        """Request a hand-off to a person. Wait until the hand-off ends or the budget is nearly
        over.

        If an earlier hand-off for the same reason has ended since its call returned, return that
        hand-off, because the agent called again only to keep waiting.
        """
        if (ended := self._unreported) is not None and self.has_unreported_end(reason):
            self._unreported = None
            self._news = tuple(one for one in self._news if one[0] != ended.id)
            return ended
        handoff = self.ask(reason, budget.remaining_s())
        self._waiting_calls += 1
        try:
            while self._handoff(handoff.id).outcome is None:
                if not await self._next_change(budget, "a person"):
                    break
        finally:
            self._waiting_calls -= 1
        return self._handoff(handoff.id)

    def _handoff(self, handoff_id: str) -> Handoff:
        lease = self._lease
        handoffs = (*lease.waiting_handoffs, *lease.ended_handoffs)
        return next(one for one in handoffs if one.id == handoff_id)

    async def _next_change(self, budget: Budget, what: str) -> bool:
        """Wait for a change; return False if the budget is nearly over."""
        reserve_ms = min(RESERVE_MS, budget.timeout_ms * RESERVE_SHARE)
        at_most_ms = budget.remaining_ms() - reserve_ms
        if at_most_ms <= 0:
            return False
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        with self._lock:
            self._waiters.add(waiter)
        try:
            with Race(self._supervisor, budget) as race, race.doing(f"waiting for {what}"):
                return await race.finished(waiter, at_most_ms=at_most_ms)
        finally:
            with self._lock:
                self._waiters.discard(waiter)
            waiter.cancel()

    def held_error(self) -> HeldByPerson:
        """Return the error for a call that could not run because a person has control."""
        holder = self._lease.holder
        if holder is None:  # control has just returned to the agent
            return HeldByPerson("A person had control until a moment ago.", "Call again.")
        since = datetime.fromtimestamp(holder.since).astimezone()
        for_s = round(time.time() - holder.since)
        return HeldByPerson(
            f"{quoted(holder.name)} has had control of the browser for {for_s} s, "
            "so this call did not run.",
            Hint(
                "You can still read the page (take a snapshot",
                Next("snapshot"),
                "). Call again later. When you have control again, new_since_last summarizes the "
                "person's actions.",
            ),
            who=holder.name,
            since=since.isoformat(timespec="seconds"),
            for_s=for_s,
        )

    # -- internals ---------------------------------------------------------------------------

    def end_reading_secrets(self) -> None:
        """Let the agent's calls continue, because the person's secrets have been read. Call this
        method on the engine's event loop."""
        if self._reading_secrets:
            self._reading_secrets = False
            self._arm()

    def set_idle(self, idle_s: float) -> None:
        self._feed(SetIdle(idle_s))

    def close(self) -> None:
        """End control and all hand-offs, because the browser is closed."""
        self._feed(Release("closed"))
        self.secrets.forget()
        self.secret_worlds.clear()

    def _feed(self, event: Input) -> Lease:
        with self._lock:
            now = Now(time.monotonic(), time.time())
            self._lease, changes = step(self._lease, event, now)
            lease, actions = self._lease, self.person_actions
            for change in changes:
                self._note(change)
            if changes:
                did = "" if actions is None else actions.summary()
                record_changes(self._journal, changes, did, self._supervisor.state)
            loop = self._supervisor.loop
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._arm)
            for change in changes:
                for watcher in self._watchers:
                    try:
                        watcher(change)
                    except Exception:  # a failing watcher must not block a change
                        log.exception("a control watcher failed")
        return lease

    def _note(self, change: Change) -> None:
        """Store a message for the agent."""
        state = self._supervisor.state
        match change:
            case ControlTaken(person):
                self.person_actions = PersonActions(state)
                self._unobserve = self._supervisor.observe(self._on_notices)
                log.info("a person took control", extra={"person": person.name})
            case ControlReleased(person, why, message):
                reads = bool(self.secret_worlds or self.late_marks)
                self._reading_secrets = reads and why != "closed"
                actions, self.person_actions = self.person_actions, None
                if self._unobserve is not None:
                    self._unobserve()
                if actions is not None:
                    actions.end(state)
                    self._news += (("", lambda: control_words(person, why, message, actions)),)
            case HandoffEnded(handoff) if not self._waiting_calls:
                self._unreported = handoff
                self._news += ((handoff.id, lambda: handoff_words(handoff)),)

    def _on_notices(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        _ = state
        for notice in notices:
            if isinstance(notice, DialogClosed) and notice.dialog.closed_by == "person":
                with self._lock:
                    if self.person_actions is not None:
                        self.person_actions.add_answer(notice.dialog.id)

    def _arm(self) -> None:  # runs on the engine's event loop
        """Wake the waiting calls, and set the timer for the next deadline."""
        with self._lock:
            waiters, self._waiters = self._waiters, set()
            due = self._lease.next_deadline
        for one in waiters:
            if not one.done():
                one.set_result(None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due is not None:
            self._timer = self._supervisor.loop.call_at(due, self._feed, Tick())


def _check_text(field: str, text: str, longest: int, *, empty: bool = False) -> str:
    text = text.strip() if isinstance(text, str) else ""
    if not text and not empty:
        raise InvalidArgument(f"{field} must be a non-empty string.", field=field)
    if len(text) > longest:
        raise InvalidArgument(
            f"{field} has {len(text)} characters; at most {longest} are allowed.", field=field
        )
    return text


def record_changes(
    journal: Journal, changes: Sequence[Change], did: str, state: SupervisorState
) -> None:
    """Add entries to a journal for control and hand-offs that have ended.

    Args:
        did: a summary of the person's actions, without any typed text.
    """
    tab = state.tabs.get(state.active_tab_id or "")
    where: dict[str, Any] = {} if tab is None else {
        "tab_id": tab.tab_id, "url": tab.url, "title": tab.title
    }  # fmt: skip
    now = time.time()
    for change in changes:
        match change:
            case ControlReleased(person, why, message):
                journal.add(
                    "control", {"ended": why}, by=person.name, began=person.since, ended=now,
                    effect=did, note=_message_note(message), **where,
                )  # fmt: skip
            case HandoffEnded(handoff):
                journal.add(
                    "answer", {"reason": handoff.reason, "outcome": handoff.outcome},
                    by=handoff.by, began=now, ended=now, effect=handoff.outcome or "",
                    note=_message_note(handoff.message), **where,
                )  # fmt: skip


def _message_note(message: str) -> str:
    return f"wrote {quoted(message)}" if message else ""
