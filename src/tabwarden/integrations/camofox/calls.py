"""Run a call on a Camofox server within its budget; a dialog that opens interrupts it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import urldefrag

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    DialogPending,
    InvalidArgument,
    TabwardenError,
)
from tabwarden.hints import MORE_TIME, Hint, Next, joined
from tabwarden.integrations.camofox.answers import Downloads, Listed, Opened, Result, Tabs, Text
from tabwarden.integrations.camofox.capabilities import PLAIN, WITH_PLUGIN
from tabwarden.integrations.camofox.dialogs import DialogLink
from tabwarden.integrations.camofox.failures import TabLost
from tabwarden.integrations.camofox.outline import Page, Refs, chunk_of, parse_page, theirs
from tabwarden.integrations.camofox.server import Server
from tabwarden.integrations.camofox.store import Store
from tabwarden.page import ActionResult
from tabwarden.page.task import Seen, answers, dialog_json
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.telemetry import Telemetry

__all__ = ["Calls", "Done"]

_HEADROOM_MS = 60.0
_LOOK_S = 1.0
"""The timeout for listing the tabs after a call. The list may not arrive, because a hung tab does
not return its title.
"""
_SESSION = "tabwarden"
_MAX_CHUNKS = 20
_STILL_BUSY = Hint(
    "The server might still be busy, and it closes a tab that is busy for 30 s. Try again, with ",
    MORE_TIME,
    ", or continue in another tab",
    Next("tabs", mode="open"),
    ".",
)


class Done(NamedTuple):
    """An action's outcome."""

    value: Any = None
    note: str = ""
    http_status: int | None = None


Body = Callable[[Tab], Awaitable[Done]]
T = TypeVar("T")


class Calls:
    """One task's calls. All methods run on the engine's loop.

    Attributes:
        link: the server's plugin, which reports dialogs; None for a server without it.
    """

    def __init__(
        self, server: Server, store: Store, telemetry: Telemetry, *, has_plugin: bool
    ) -> None:
        self.server = server
        self.store = store
        self.telemetry = telemetry
        self.link = DialogLink(server, store, self._without_plugin) if has_plugin else None
        self.refs = Refs()
        self.seen = Seen()
        self.returned: set[str] = set()
        """The downloads that a wait has returned."""
        self.hung: set[str] = set()
        """The tabs that did not return their title in time."""
        self._running: set[asyncio.Future[Any]] = set()

    @property
    def capabilities(self) -> Capabilities:
        return PLAIN if self.link is None else WITH_PLUGIN

    @property
    def state(self) -> SupervisorState:
        return self.store.state

    def _without_plugin(self) -> None:
        """Treat the server as one without the plugin from now on: it was restarted without the
        plugin."""
        self.link = None
        self.store.lost_plugin()

    async def aclose(self) -> None:
        for running in list(self._running):
            running.cancel()
        if self.link is not None:
            await self.link.aclose()
        await self.server.aclose()

    async def perform(
        self,
        action: str,
        budget: Budget,
        body: Body,
        *,
        tab_id: str | None = None,
        opens: str | None = None,
    ) -> ActionResult:
        """Run an action on a tab.

        Args:
            action: its name, for metrics and the result.
            budget: the time limit.
            body: ``await body(tab)`` performs the action.
            tab_id: the tab; None for the active tab.
            opens: if no tab is open, open one with this URL; None raises an error instead.

        Raises:
            TabwardenError: any kind, in time.
        """
        budget.check()
        with self.telemetry.acting(action, tab_id) as acting:
            if opens is not None and tab_id is None and not self.state.tabs:
                return await self.open(action, budget, opens)
            tab = self.tab(tab_id)
            acting.tab_id = tab.tab_id
            self.refuse_behind_dialog(tab.tab_id)
            work = self.on_tab(tab, body)
            done = await self.raced(work, budget, lambda d: self._blocks(d, tab.tab_id))
            if isinstance(done, PendingDialog):
                acting.outcome = "interrupted"
                return self.interrupted(action, done)
            await self.look(budget, tab)
            return self.result(action, tab.tab_id, done, before=tab)

    def _blocks(self, dialog: PendingDialog, tab_id: str) -> bool:
        """Whether a dialog can block a tab: the tab's own dialog, or one in a popup that it
        opened."""
        asks = self.state.tabs.get(dialog.tab_id)
        return dialog.tab_id == tab_id or (asks is not None and asks.opener_tab_id == tab_id)

    async def on_tab(self, tab: Tab, body: Callable[[Tab], Awaitable[T]]) -> T:
        """Return ``await body(tab)``. If the server lost the tab, record that."""
        try:
            return await body(tab)
        except TabLost as lost:
            self.store.closed(tab.target_id, lost.data.get("reason", ""))
            raise

    async def open(self, action: str, budget: Budget, url: str) -> ActionResult:
        """Open a tab with a URL; "" for an empty tab."""
        known = set(self.state.tabs)
        fields = {"url": url} if url else {}
        work = self.server.post("/tabs", sessionKey=_SESSION, **fields)
        done = await self.raced(work, budget, lambda d: d.tab_id not in known)
        if isinstance(done, PendingDialog):
            return self.interrupted(action, done)
        opened = done.read(Opened)
        tab = self.store.opened(opened.tab_id, opened.url)
        self.store.activate(tab.tab_id)
        await self.look(budget, tab)
        result = self.result(action, tab.tab_id, status_told(opened.http_status))
        return msgspec.structs.replace(result, navigation="new_document" if url else "")

    async def raced(
        self,
        work: Awaitable[Any],
        budget: Budget,
        is_ours: Callable[[PendingDialog], bool],
    ) -> Any:
        """Return the result of ``work``, or the dialog that opened meanwhile.

        Raises:
            BudgetExceeded, Cancelled: the call's budget ended or it was canceled.
        """
        known = {dialog.id for dialog in self.state.pending_dialogs}
        opened: asyncio.Future[PendingDialog] = asyncio.get_running_loop().create_future()

        def observed(_: object, state: SupervisorState) -> None:
            for dialog in state.pending_dialogs:
                is_new = dialog.id not in known and not state.policy.answers_dialogs
                if is_new and is_ours(dialog) and not opened.done():
                    opened.set_result(dialog)

        request = asyncio.ensure_future(work)
        self._running.add(request)
        request.add_done_callback(self._running.discard)
        unobserve = self.store.observe(observed)
        try:
            async with budget.child(headroom_ms=_HEADROOM_MS).enforced():
                await asyncio.wait({request, opened}, return_when=asyncio.FIRST_COMPLETED)
        except BudgetExceeded as late:
            late.hint = late.hint or _STILL_BUSY
            raise
        finally:
            unobserve()
            if not request.done():
                request.cancel()  # the server continues, but the result is not used
        if not request.done() or (request.cancelled() and opened.done()):
            return opened.result()
        return await request

    async def look(self, budget: Budget, tab: Tab | None = None) -> None:
        """Fetch the server's tabs, and record new titles, popups and closed tabs. Never fails."""
        opener = tab.tab_id if tab is not None else None
        known = frozenset(one.target_id for one in self.state.tabs.values())
        within_s = min(_LOOK_S, budget.remaining_s() * 0.5)
        try:
            async with asyncio.timeout(within_s):
                tabs = (await self.server.get("/tabs")).read(Tabs)
                self.store.listed(tabs.tabs, known=known, opener=opener)
        except TimeoutError:  # a hung tab does not return its title, and blocks the list
            await self._look_at_each(within_s)
        except TabwardenError:
            return
        now = self.state.tabs.get(opener or "")
        if now is None:
            return
        path = f"/tabs/{now.target_id}/downloads"
        with contextlib.suppress(TimeoutError, TabwardenError):
            async with asyncio.timeout(within_s):
                downloads = (await self.server.get(path)).read(Downloads)
                self.store.downloaded(now, downloads.downloads)

    async def _look_at_each(self, within_s: float) -> None:
        """Fetch each tab separately: all URLs, and the titles of tabs that do not hang."""

        async def look_at(tab: Tab) -> None:
            path = f"/tabs/{tab.target_id}"
            with contextlib.suppress(TimeoutError, TabwardenError):
                async with asyncio.timeout(within_s):
                    listed = (await self.server.get(f"{path}/stats")).read(Listed)
                    self.store.shows(tab.target_id, listed.url)
                    if tab.tab_id not in self.hung:
                        self.hung.add(tab.tab_id)  # until it responds: query a hung tab only once
                        reply = await self.server.post(
                            f"{path}/evaluate", expression="document.title"
                        )
                        title = reply.read(Result).result
                        self.hung.discard(tab.tab_id)
                        self.store.shows(tab.target_id, listed.url, str(title or ""))

        self.hung &= self.state.tabs.keys()
        await asyncio.gather(*(look_at(tab) for tab in self.state.tabs.values()))

    # -- pages -------------------------------------------------------------------------------

    async def page(self, tab: Tab) -> Page:
        """Read a tab's page, which renews the server's refs. A long page arrives in chunks."""
        chunks: list[str] = []
        offset, piece = 0, Text()
        for _ in range(_MAX_CHUNKS):
            path = f"/tabs/{tab.target_id}/snapshot"
            piece = (await self.server.get(path, offset=offset)).read(Text)
            chunks.append(chunk_of(piece, offset))
            if not piece.has_more or not piece.next_offset or piece.next_offset <= offset:
                break
            offset = piece.next_offset
        url = tab.url if piece.url is None else piece.url
        self.store.shows(tab.target_id, url)
        return parse_page(url, chunks)

    async def their_ref(self, ref: str, tab: Tab) -> dict[str, str]:
        """Translate our ref into the request fields that identify the element.

        Raises:
            StaleRef: the element is gone. UnknownRef, InvalidArgument: this tab has no such ref.
        """
        tab_id, element = self.refs.find(ref)
        if tab_id != tab.tab_id:
            raise InvalidArgument(
                f"{ref} is in tab {tab_id}, not in {tab.tab_id}.", "Omit tab_id.", field="ref"
            )
        target = theirs(await self.page(tab), element, ref)
        return {"ref" if target.startswith("e") else "selector": target}

    # -- state -------------------------------------------------------------------------------

    def tab(self, tab_id: str | None) -> Tab:
        """Return the tab for an action.

        Raises:
            InvalidArgument: no tab has this id. BrowserGone: no tab is open.
        """
        wanted = tab_id or self.state.active_tab_id
        tab = self.state.tabs.get(wanted or "")
        if tab is not None:
            return tab
        if wanted is None:
            raise BrowserGone(
                "The browser is open but has no tabs.",
                Hint("Open a tab", Next("navigate", url="..."), "."),
                reason="no tab",
            )
        raise InvalidArgument(
            f"There is no tab {wanted!r}.",
            f"Open tabs: {', '.join(self.state.tabs) or 'none'}.",
            field="tab_id",
            tabs=list(self.state.tabs),
        )

    def refuse_behind_dialog(self, tab_id: str) -> None:
        """Raise ``DialogPending`` at once if a dialog blocks the page."""
        for dialog in self.state.dialogs_of(tab_id):
            raise DialogPending(
                f"Dialog {dialog.id} ({dialog.type}) is waiting in tab {tab_id} and blocks the "
                f"page: {dialog.message[:200]!r}.",
                Hint("To continue, ", answers(dialog.id, dialog.type), "."),
                dialog=dialog_json(dialog),
            )

    def interrupted(self, action: str, dialog: PendingDialog) -> ActionResult:
        """Return the result of an action that a dialog interrupted."""
        self.seen.told(dialog.id)
        tab = self.state.tabs.get(dialog.tab_id)
        return ActionResult(
            action=action,
            status="interrupted",
            tab_id=dialog.tab_id,
            url=tab.url if tab is not None else "",
            title=tab.title if tab is not None else "",
            by={"kind": "dialog", "dialog": dialog_json(dialog)},
            next=Hint("To continue, ", answers(dialog.id, dialog.type), "."),
            new_since_last=self.seen.news(self.state),
        )

    def result(
        self, action: str, tab_id: str | None, done: Done, *, before: Tab | None = None
    ) -> ActionResult:
        tab = self.state.tabs.get(tab_id or "")
        went: Literal["", "new_document", "same_document"] = ""
        if tab is not None and before is not None and tab.url != before.url:
            same = urldefrag(tab.url).url == urldefrag(before.url).url
            went = "same_document" if same else "new_document"
        return ActionResult(
            action=action,
            value=done.value,
            note=done.note,
            http_status=done.http_status,
            tab_id=tab.tab_id if tab is not None else None,
            url=tab.url if tab is not None else "",
            title=tab.title if tab is not None else "",
            navigation=went,
            new_since_last=self.seen.news(self.state),
        )


def status_told(status: int | None, note: str = "") -> Done:
    """Return an outcome with a status and, for an HTTP error, a note, because the page itself might
    not show the error. ``note`` is appended.
    """
    error = f"The server replied {status}." if status is not None and status >= 400 else ""
    return Done(note=joined(error, note), http_status=status)
