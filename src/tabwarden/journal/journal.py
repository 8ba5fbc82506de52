"""``Journal``: keeps one task's last calls, and notifies watchers when a call starts or ends."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from tabwarden.errors import TabwardenError
from tabwarden.files.inbox import with_own_names
from tabwarden.journal.brief import brief
from tabwarden.journal.entry import Entry, running
from tabwarden.journal.redaction import secrets_in
from tabwarden.journal.secrets import Secrets

_person: ContextVar[str | None] = ContextVar("person", default=None)
"""The name of the person who makes the calls in this context. A coroutine on the engine runs in its
caller's context.
"""


@contextmanager
def as_person(name: str) -> Iterator[None]:
    """Make the block's calls on behalf of a person. These calls don't wait for the person who has
    control, and they are reported to the agent.
    """
    reset = _person.set(name)
    try:
        yield
    finally:
        _person.reset(reset)


def current_person() -> str | None:
    """Return the person who makes the calls in this context; None if the agent makes them."""
    return _person.get()


log = logging.getLogger("tabwarden.journal")

KEPT = 500
"""How many ended calls are kept."""
KEPT_RESULTS = 50
"""How many of the ended calls keep their results, which may be large."""
INTERRUPTIONS = {
    "dialog": "a dialog",
    "navigation": "a new page",
    "auth": "a password prompt",
    "upload": "a file chooser",
    "choose": "a device prompt",
}
"""The cause of an interruption, keyed by ``by.kind`` in the call's result."""

Watcher = Callable[[Entry], None]
FailureWatcher = Callable[[Entry, TabwardenError], None]


class Journal:
    """One task's calls. Thread-safe.

    Args:
        guarded: the configuration's secrets, which are masked for every caller.
    """

    def __init__(self, guarded: Secrets | None = None) -> None:
        self.guarded = Secrets() if guarded is None else guarded
        self._numbers = itertools.count(1)
        self._ended: deque[Entry] = deque(maxlen=KEPT)
        self._running: dict[int, Entry] = {}
        self._watchers: tuple[Watcher, ...] = ()
        self.secrets = Secrets(others=self.guarded)
        """The secrets in the task's calls, and the configuration's secrets."""
        self.on_failure: FailureWatcher | None = None
        """Called with each failed call and its error, before the error is raised. It may add
        information to the error. It must not block.
        """

    @property
    def entries(self) -> list[Entry]:
        """The ended calls in the order in which they ended, then the running calls."""
        return [*self._ended.copy(), *self._running.copy().values()]

    @property
    def running(self) -> list[Entry]:
        return list(self._running.copy().values())

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call ``watcher(entry)`` when a call starts and when it has ended, on the call's thread.
        Return a function that removes the watcher.
        """
        self._watchers = (*self._watchers, watcher)

        def stop() -> None:
            self._watchers = tuple(one for one in self._watchers if one is not watcher)

        return stop

    @contextmanager
    def call(self, action: str, arguments: Mapping[str, Any]) -> Iterator[Entry]:
        """Record a call from the block's start to its end. The caller sets ``entry.result``."""
        outer = running.get()
        entry = Entry(
            number=next(self._numbers),
            action=action,
            arguments=with_own_names({n: v for n, v in arguments.items() if _tells(n, v)}),
            began=time.time(),
            by=current_person() or "",
            parent=outer.number if outer is not None else None,
            secrets=self.secrets,
        )
        self._running[entry.number] = entry
        reset = running.set(entry)
        self._tell(entry)
        try:
            yield entry
            _succeeded(entry)
        except TabwardenError as error:
            self.clean(error)
            entry.status, entry.code = "failed", error.code
            entry.message, entry.hint = error.message, str(error.hint)
            entry.steps = tuple(map(str, error.data.get("steps", ())))
            self._failed(entry, error)
            raise
        except asyncio.CancelledError:
            entry.status = "cancelled"
            raise
        except BaseException as error:
            entry.status, entry.code, entry.message = "failed", "internal_error", repr(error)[:500]
            raise
        finally:
            with suppress(ValueError):  # an abandoned coroutine ends in another context
                running.reset(reset)
            entry.ended = time.time()
            self.secrets.add(secrets_in(entry))
            entry.arguments, entry.result = brief(entry.arguments), brief(entry.result)
            del self._running[entry.number]
            self._keep(entry)

    def add(self, action: str, arguments: Mapping[str, Any], **facts: Any) -> None:
        """Record a person's completed action that is not a call.

        Args:
            action: ``control`` or ``answer`` (``page/control``).
            arguments: the action's subject.
            facts: values of the entry's other fields: ``by``, ``began`` and ``ended``, ``effect``,
                ...
        """
        self._keep(
            Entry(
                number=next(self._numbers),
                action=action,
                arguments=dict(arguments),
                secrets=self.secrets,
                status="ok",
                **facts,
            )
        )

    def _keep(self, entry: Entry) -> None:
        """Keep the ended call's entry, and notify the watchers."""
        self._ended.append(entry)
        if len(self._ended) > KEPT_RESULTS:
            self._ended[-KEPT_RESULTS - 1].result = None
        self._tell(entry)

    def clean(self, error: TabwardenError) -> None:
        """Mask the configuration's secrets in an error."""
        if self.guarded:
            error.message = self.guarded.hide(error.message)
            error.hint = self.guarded.hide(error.hint)
            error.data = self.guarded.hide(error.data)
            error.args = (error.message,)

    def _failed(self, entry: Entry, error: TabwardenError) -> None:
        if self.on_failure is not None:
            try:
                self.on_failure(entry, error)
            except Exception:  # as in ``_tell``
                log.exception("the recorder failed")

    def _tell(self, entry: Entry) -> None:
        for watcher in self._watchers:
            try:
                watcher(entry)
            except Exception:  # a watcher must not break the agent's call
                log.exception("a watcher of the journal failed")


def _succeeded(entry: Entry) -> None:
    """Copy the status from an action's result to the journal entry."""
    result = entry.result
    entry.status = getattr(result, "status", "ok")
    by = getattr(result, "by", None)
    entry.message = f"interrupted by {INTERRUPTIONS[by['kind']]}" if by else ""
    entry.tab_id = getattr(result, "tab_id", None) or entry.tab_id
    for field in ("note", "effect", "url", "title"):
        setattr(entry, field, str(getattr(result, field, "") or ""))


def _tells(name: str, value: Any) -> bool:
    """Whether to record an argument. An interface passes all arguments, and also its time
    budget.
    """
    return value is not None and (name != "timeout_ms" or isinstance(value, int | float))
