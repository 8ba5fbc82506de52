"""A session manages one agent's browser, and opens the browser when an action first needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from tabwarden.actions.sessions.shared_opening import SharedOpening
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import (
    AlreadyOpen,
    BrowserGone,
    EndpointUnreachable,
    LaunchFailed,
    NotOpen,
    NotSupported,
    TabwardenError,
)
from tabwarden.events import EndpointLost, EndpointRegained, Notice
from tabwarden.hints import OPEN_AGAIN, Hint, Next, joined, tool_call
from tabwarden.page.task import Need

_IN_TIME = 0.99


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """How to get a browser. The configuration decides on each field that is None."""

    endpoint: str | None = None
    context: Literal["shared", "window", "own"] | None = None
    """See ``Browser.connect``. Allowed only with ``endpoint``."""
    browser: Literal["chrome", "edge", "chromium", "brave"] | None = None
    headless: bool | None = None
    profile: str | None = None
    restore: str | None = None
    options: Mapping[str, Any] = {}
    """The caller's launch options, keyed by name."""


OpenBrowser = Callable[[Way, Budget], Awaitable[Browser]]


class Session:
    """Opens a browser on demand. If the agent continues after its browser is gone, opens a new one.

    A session belongs to one event loop. Any number of calls may share it.

    Attributes:
        name_call: returns the text for a call in a hint. The interface sets this function.
        is_lent: whether the embedding program owns the browser. If so, no call may open, close or
            disconnect a browser.

    Args:
        open_browser: ``await open_browser(way, budget)`` returns a new browser.
        auto_open: whether actions may open a browser; if false, only ``open`` does.
        opening_ms: minimum time for opening a browser, even if the first call has less time. Other
            calls may wait for the same browser.
    """

    is_lent = False

    def __init__(
        self,
        open_browser: OpenBrowser,
        *,
        auto_open: bool = True,
        opening_ms: float = 30_000,
    ) -> None:
        self._open_browser = open_browser
        self._auto_open = auto_open
        self._opening_ms = opening_ms
        self._browser: Browser | None = None
        self._opening: SharedOpening | None = None
        self._way = Way()
        self._unreachable = False
        self._closed_because = ""
        """Why the last browser was closed, if the agent did not request it; "" otherwise."""
        self.obeyed: BrowserConfig | None = None
        """The configuration that was applied most recently."""
        self.name_call: Callable[[Next], str] = tool_call
        self.link_for_people: Callable[[], str | None] | None = None
        """Returns a link to the live view of this session's browser. The interface sets this
        function."""
        self.told_state = ""
        """The state line of the last result."""
        self.listed: frozenset[str] = frozenset()
        """Tools that were added to the model's list after the toolset's own tools."""
        self._changes: dict[str, Any] = {}
        self._lent: tuple[Path, ...] = ()
        self._watchers: list[Callable[[], None]] = []

    @property
    def current(self) -> Browser | None:
        return self._browser if self._browser is not None and self._browser.is_open else None

    @property
    def lacks(self) -> frozenset[Need]:
        """The missing capabilities. Interfaces should hide the tools that need one of these
        capabilities.

        The set is empty before the first browser opens. If opening a browser failed or the last
        browser is gone, all capabilities are missing until a new browser opens.
        """
        now = self.current
        if self._unreachable or (now is not None and now.state.health.status == "gone"):
            return frozenset(("cdp", "dialogs"))
        answers = now is None or now.capabilities.answer_dialogs
        return frozenset() if answers else frozenset(("dialogs",))

    def can_do(self, name: str, needs: Need | None) -> bool:
        """Whether the session's browser, or the browser that will open, supports an action.

        Args:
            name: the action's name.
            needs: the capability that the action requires.
        """
        now = self.current
        actions = now.capabilities.actions if now is not None else None
        return needs not in self.lacks and (actions is None or name in actions)

    def list_tools(self, tools: Iterable[str]) -> None:
        """Add tools to the model's list."""
        if not self.listed.issuperset(added := frozenset(tools)):
            self.listed |= added
            self._changed()

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call ``watcher()`` on the session's event loop when ``lacks`` or ``listed`` may have
        changed. Return a function that removes the watcher."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def lend(self, folders: Iterable[Path]) -> None:
        """Let pages read the files in these folders, in addition to the configured folders."""
        self._lent = tuple(folders)
        if self._browser is not None:
            self._browser.lend(self._lent)

    def change(self, key: str, value: Any) -> None:
        """Override a key of the configuration for this session. ``value`` must be valid."""
        self._changes[key] = value

    def adjusted(self, config: BrowserConfig) -> BrowserConfig:
        """Return ``config`` with the values that ``change`` set for this session."""
        return config.model_copy(update=self._changes) if self._changes else config

    def configure(self, config: BrowserConfig) -> None:
        """Apply a new configuration to the open browser, as far as possible."""
        self.obeyed = config = self.adjusted(config)
        if (now := self.current) is not None:
            now.configure(config)

    def obey(self, config: BrowserConfig) -> None:
        """Apply ``config`` if it is new, because an action may see a changed file before the
        watcher does.

        Ignore changes to ``allow``, because a caller's permissions apply to the call and not to the
        browser.
        """
        last, config = self.obeyed, self.adjusted(config)
        if last is not None and config.allow != last.allow:
            config = config.model_copy(update={"allow": last.allow})
        if last is None:
            self.obeyed = config
        elif config is not last and config != last:
            self.configure(config)

    async def browser(self, *, may_open: bool, budget: Budget) -> tuple[Browser, str]:
        """Return the browser for an action, and a note if the browser is new.

        Args:
            may_open: whether the action may open a browser.
            budget: the action's budget, which also limits the wait for a browser to open.

        Raises:
            NotOpen: no browser is open and this action may not open one.
            BrowserGone: the last browser is gone and this action may not open one.
            BudgetExceeded, Cancelled: this call stopped waiting. The browser continues to open
                while another call waits for it, until ``close``.
            EndpointUnreachable, LaunchFailed: no browser could be opened.
        """
        while True:
            now = self.current
            opening = self._opening
            if opening is None:
                if now is not None and now.state.health.status != "gone":
                    return now, ""
                if not (may_open and self._auto_open):
                    raise self._missing(now)
                return await self._opened(self._way, budget)
            if opening.abandoned:
                await opening.wait(budget, "another call's browser to close")
                continue
            await opening.wait(budget, "another call to open the browser")
            try:
                return opening.result()
            except TabwardenError:
                # The failed attempt had at least as much time as this call has left. A new attempt
                # would fail too.
                if opening.abandoned or budget.deadline <= opening.budget.deadline:
                    raise

    async def open(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        """Open a browser. If it is lost later, the session opens a new one in the same way.

        Raises:
            AlreadyOpen: a browser is already open; a session has only one.
            BudgetExceeded, Cancelled, EndpointUnreachable, LaunchFailed: see ``browser``.
        """
        await self._no_opening(budget)
        now = self.current
        if now is not None and now.state.health.status != "gone":
            raise AlreadyOpen(
                "A browser is already open, and only one can be open at a time.",
                Hint("Use that browser, or close it first", Next("close"), "."),
            )
        return await self._opened(way, budget)

    async def connect(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        """Attach to a running browser, then disconnect from the previous browser, or close it if
        Tabwarden launched it.

        Tabs and refs do not carry over. If attaching fails, the session keeps its browser.

        Raises:
            BudgetExceeded, Cancelled, EndpointUnreachable, InvalidArgument, LaunchFailed: see
                ``browser``.
        """
        await self._no_opening(budget)
        return await self._opened(way, budget)

    async def disconnect(self, budget: Budget) -> str:
        """Disconnect from an attached browser. The browser keeps running. Return a note for the
        agent.

        Raises:
            NotOpen: no browser is open. NotSupported: Tabwarden launched the browser, so
                disconnecting would close it.
        """
        await self._no_opening(budget)
        now = self.current
        if now is None:
            raise NotOpen(
                "No browser is connected.", Hint("Attach to one", Next("connect", url="..."), ".")
            )
        if now.is_launched:
            raise NotSupported(
                "Tabwarden launched this browser, so it can't keep running without Tabwarden.",
                Hint("Close it", Next("close"), "."),
            )
        self._way = Way()
        lost = " This task's tabs and login cookies are gone." if now.has_own_context else ""
        lost = lost or (" The tabs that this task opened are closed." if now.has_own_window else "")
        await now.close(timeout_ms=budget)
        self._changed()
        again = Next("connect", url="...")
        return Hint(f"Disconnected. The browser keeps running.{lost} Attach again", again, ".")

    async def close(self, budget: Budget | None = None, *, reason: str = "") -> None:
        """Close the browser, even if it is still opening.

        Args:
            budget: limits the call.
            reason: why the browser is closed without the agent's request, such as "no call arrived
                for 60 minutes". The next call reports the reason, and opens a browser in the same
                    way as before.
        """
        if not reason:
            self._way = Way()
        if reason or self.current is not None:
            self._closed_because = reason
        if self._opening is not None:
            self._opening.abandon()
            await self._opening.ended()
        if self._browser is not None:
            await self._browser.close(timeout_ms=budget)
        self._unreachable = False
        self._changed()

    # -- opening -------------------------------------------------------------------------------

    async def _no_opening(self, budget: Budget) -> None:
        while self._opening is not None:
            await self._opening.wait(budget, "another call to open the browser")

    async def _opened(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        # Slightly less than the time for which a call waits, so that this error reaches the call in
        # time.
        lasting = Budget(max(budget.remaining_ms(), self._opening_ms) * _IN_TIME)
        work = self._open(way, self.current, lasting)
        opening = self._opening = SharedOpening(work, lasting, self._opening_ended)
        await opening.wait(budget, "the browser to open")
        return opening.result()

    def _opening_ended(self) -> None:
        self._opening = None
        self._changed()

    async def _open(self, way: Way, before: Browser | None, budget: Budget) -> tuple[Browser, str]:
        try:
            fresh = await self._open_browser(way, budget)
        except (EndpointUnreachable, LaunchFailed):
            self._unreachable = before is None or before.state.health.status == "gone"
            raise
        self._way, self._unreachable = way, False
        if self._browser is not None:
            fresh.continue_refs_of(self._browser)
        self._browser = fresh
        fresh.lend(self._lent)
        if fresh.can_hand_off:
            fresh.control.link = self.link_for_people
        self._watch_endpoint(fresh)
        kind = joined(fresh.restored, *fresh.warnings, fresh.capabilities.note)
        closed, self._closed_because = self._closed_because, ""
        if before is None and closed:
            note = (
                f"The previous browser was closed because {closed}, so its refs are no longer "
                "valid. This is a new browser."
            )
            return fresh, f"{note} {kind}".strip()
        if before is None:
            return fresh, kind
        health = before.state.health
        became = "closed" if before.is_launched else "disconnected"
        note = (
            f"The previous browser is gone ({health.reason}), with its pages, login cookies and "
            "refs. This is a new browser."
            if health.status == "gone"
            else f"The previous browser was {became}, so its refs are no longer valid."
        )
        await before.close()
        return fresh, f"{note} {kind}".strip()

    # -- requirements --------------------------------------------------------------------------

    def _watch_endpoint(self, browser: Browser) -> None:
        loop = asyncio.get_running_loop()

        def on_notice(_: Notice) -> None:  # runs on the engine's thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._changed)

        browser.events(EndpointLost, EndpointRegained, callback=on_notice)

    def _changed(self) -> None:
        for watcher in list(self._watchers):
            watcher()

    def _missing(self, gone: Browser | None) -> NotOpen | BrowserGone:
        if gone is None:
            why = f"No browser is open: {self._closed_because}." if self._closed_because else ""
            return NotOpen(
                why or "No browser is open.", Hint("Open one", Next("open", url="..."), ".")
            )
        reason = gone.state.health.reason
        return BrowserGone(
            f"The browser is gone: {reason}.",
            OPEN_AGAIN,
            reason=reason,
        )
