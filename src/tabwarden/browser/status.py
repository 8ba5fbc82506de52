"""The properties, state and events of an open browser. Nothing in this module waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from tabwarden.browser.base import BrowserBase
from tabwarden.errors import InvalidArgument, NotSupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabwarden.config import BrowserConfig
    from tabwarden.endpoints.capabilities import Capabilities
    from tabwarden.events import Event, Events, Notice
    from tabwarden.page.control import Control
    from tabwarden.supervisor.core import SupervisorSnapshot

EventT = TypeVar("EventT", bound="Notice")
OtherT = TypeVar("OtherT", bound="Notice")


class StatusMethods(BrowserBase):
    """Properties of an open browser, its state, metrics and events."""

    @property
    def is_open(self) -> bool:
        """True until ``close`` is called."""
        return self.inside.open_task is not None

    @property
    def is_launched(self) -> bool:
        """Whether Tabwarden launched the browser for this task, here or on a fleet. If so,
        ``close`` closes the browser."""
        from tabwarden.endpoints.endpoint import is_ours

        return is_ours(self._task.supervisor.endpoint)

    @property
    def address(self) -> str:
        """The ``ws://`` address at which other programs on this computer can connect to the browser
        that Tabwarden launched, for example with Playwright's ``connect_over_cdp``. Anyone who
        knows the address can control the browser.

        Raises:
            NotSupported: the browser has no debugging port.
        """
        opened = self._task.supervisor.opened
        launched = opened.launched if opened is not None else None
        if launched is not None and launched.ws_url is not None:
            return launched.ws_url
        if launched is not None:
            raise NotSupported(
                "Tabwarden controls this browser through a pipe, so the browser has no address.",
                "Launch it with transport='port' (configuration: browser.transport).",
            )
        raise NotSupported(
            "Tabwarden did not launch this browser.", "Use the address that you connected to."
        )

    @property
    def has_own_context(self) -> bool:
        """Whether the task has its own context in a browser that Tabwarden did not launch."""
        own = self._task.supervisor.own_context
        return own is not None and own.joins is None

    @property
    def has_own_window(self) -> bool:
        """Whether the task sees only the tabs that it opens, in a browser that a person uses."""
        from tabwarden.supervisor.contexts import OwnWindow

        return isinstance(self._task.supervisor.place, OwnWindow)

    @property
    def capabilities(self) -> Capabilities:
        """The features that this browser's endpoint supports (docs/reference/endpoints.md)."""
        return self._task.supervisor.capabilities

    @property
    def config(self) -> BrowserConfig:
        """The configuration in effect."""
        return self._config

    @property
    def can_hand_off(self) -> bool:
        """Whether a person can take control of this browser."""
        return True

    @property
    def control(self) -> Control:
        """Whether the agent or a person has control of this browser, and the agent's hand-offs. For
        the person's program and the agent's operator, not for the agent."""
        return self._task.control

    @property
    def state(self) -> SupervisorSnapshot:
        """The current tabs, frames, dialogs, console and health. Never waits for a page."""
        return self._task.vault.hidden.hide(self._task.supervisor.snapshot())

    def state_message(self) -> str:
        """Return a status line for the model's next turn. Call this for each turn; don't store it.

        ``[Browser: chrome | https://example.com/ | Example Domain | 3 tab(s) | 1 dialog
        waiting]``
        """
        return self._task.state_message()

    def metrics(self) -> dict[str, Any]:
        """Return the counters and durations for this task's browser so far. Never waits.

        ``tabwarden serve`` shows the totals for all tasks at ``/metrics``.
        docs/reference/metrics.md describes each metric. Counters are nested by their labels;
        durations are ``{"count": n, "sum_ms": milliseconds}``::

            {
                "actions": {"click": {"ok": 3, "interrupted": 1}, "goto": {"ok": 1}},
                "durations": {"click": {"count": 4, "sum_ms": 9.2}, ...},
                "evaluate": {"ok": {"count": 2, "sum_ms": 1.8}},
                "timeouts": {"evaluate": 1},
                "cancels": {},
                "terminations": 1,
                "ladder_steps": {...},
                "rescues": {"freed": 1},
                "fallbacks": {"last_outline": {"dialog": 1}},
                "dialogs": {"confirm": {"debugger": {"agent": 1}}},
                "reconnects": {"tried": 1, "done": 1},
                "crashes": {"tab": 1},
                "downloads": {"completed": 1},
                "popups": 0, "tasks": 1, "tabs": 2,
                "calls_in_flight": 0, "commands_in_flight": 0,
            }

        Raises:
            NotOpen: the browser was closed.
        """
        return self._task.supervisor.telemetry.metrics()

    @overload
    def events(self, *, callback: Callable[[Event], None] | None = None) -> Events[Event]: ...

    @overload
    def events(
        self,
        first: type[EventT],
        second: type[OtherT],
        /,
        *,
        callback: Callable[[EventT | OtherT], None] | None = None,
    ) -> Events[EventT | OtherT]: ...

    @overload
    def events(
        self, *kinds: type[EventT], callback: Callable[[EventT], None] | None = None
    ) -> Events[EventT]: ...

    def events(
        self, *kinds: type[Notice], callback: Callable[[Any], None] | None = None
    ) -> Events[Any]:
        """Subscribe to later events: ``async for event in browser.events()``, or ``for``.

        Args:
            kinds: the event types to receive (``tabwarden.events``); all by default.
            callback: a function that receives each event, instead of the iterator. It runs on
                Tabwarden's own thread and must not block.

        Raises:
            InvalidArgument: a kind is not an event type.
        """
        from tabwarden.events import EVENT_TYPES, Events

        for kind in kinds:
            if not (isinstance(kind, type) and issubclass(kind, EVENT_TYPES)):
                raise InvalidArgument(
                    f"{kind!r} is not an event type.",
                    "Use a type from tabwarden.events.",
                    field="kinds",
                )
        inside, hide = self.inside, self._journal.guarded.hide
        return Events(inside.observed, inside.engine.loop, kinds, callback, hide=hide)

    def __repr__(self) -> str:
        status = self.state_message() if self.is_open else "closed"
        return f"<{self.__class__.__name__} {self.task_id}: {status}>"

    def _repr_html_(self) -> str | None:
        """The state line, the tabs and the open dialogs, for Jupyter."""
        from tabwarden.notebook import html_of

        return html_of(self.state_message(), self.state) if self.is_open else None
