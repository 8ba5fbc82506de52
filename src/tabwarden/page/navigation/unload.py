"""Stop scripts in the old document that would block a navigation.

Between requesting a document and committing it, the browser delays all commands to the page's
renderer (docs/decisions/0003). A document of the same site is committed by that same renderer. So
we first replace a hung page with ``about:blank``, with the tab's scripts off. If the page starts to
hang between request and commit, no command can stop its script, and the tab gets another target
(``recovery/rescues.py``).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from tabwarden.page.navigation.timing import BLANK_S, HANDLERS_MS, UNLOAD_PROBE_S
from tabwarden.page.recovery import (
    find_silent,
    is_navigating,
    is_stuck_between_documents,
    is_unloading,
    sessions_of,
    stop_scripts,
    via_blank,
)
from tabwarden.page.task import Call, password_prompt
from tabwarden.protocol import fetch
from tabwarden.supervisor.core.state.inputs import Leaving, SetLeaving, SetScripts
from tabwarden.supervisor.core.state.tabs import Tab

_HUNG_SHARE = 0.1
_SHARE = 0.2


class Left(NamedTuple):
    """The state of a tab that is about to navigate."""

    loader_id: str
    """The loader ID of the document that stays in the tab until another document commits."""
    emptied: bool
    """Whether an empty page replaced a hung page. The empty page added a history entry."""


@asynccontextmanager
async def leaving(call: Call, url: str, *, restless: bool = False) -> AsyncIterator[Left]:
    """Guard a navigation of a tab to ``url``. ``restless``: the page keeps navigating itself."""
    watch = None
    call.race.outlives_replacement = True
    try:
        emptied = await _empty_page(call, restless=restless)
        # Wait for any replacement to finish. A tab that is being replaced would resume its previous
        # navigation and not this one.
        await call.race.until(lambda state: call.tab.tab_id not in state.replacing)
        before = call.state.document_in(call.tab.tab_id)
        call.task.supervisor.feed(SetLeaving(call.tab.tab_id, on=True))
        call.task.supervisor.feed(Leaving(call.tab.tab_id, url))
        if not emptied and not _is_empty(call.tab):
            watch = call.task.supervisor.spawn(_watch(call, before))
        yield Left(before, emptied)
    finally:
        call.race.outlives_replacement = False
        call.task.supervisor.feed(SetLeaving(call.tab.tab_id, on=False))
        if watch is not None:
            watch.cancel()


async def _empty_page(call: Call, *, restless: bool) -> bool:
    """Replace a page that hangs or keeps navigating with an empty page. Return whether the page was
    replaced."""
    supervisor = call.task.supervisor
    if _is_empty(call.tab) or call.tab.status != "ready" or call.state.dialogs_of(call.tab.tab_id):
        return False
    if password_prompt(call.state, call.tab.tab_id) is not None:  # the page does not hang
        return False
    own = sessions_of(call.state, call.tab.tab_id)[:1]
    within_s = min(UNLOAD_PROBE_S, call.race.budget.remaining_s() * _HUNG_SHARE)
    relapsing = call.task.hangs.has_relapsed(call.state.document_in(call.tab.tab_id))
    hung = own if relapsing else await find_silent(supervisor, own, within_s)
    if not hung and not restless and not call.task.tab(call.tab.tab_id).scripts_off:
        return False
    if hung and await is_stuck_between_documents(
        supervisor, call.tab.tab_id
    ):  # another watcher will replace the tab
        within_ms = call.race.budget.remaining_ms() * _SHARE
        await call.race.until(lambda s: not is_navigating(s, call.tab.tab_id), at_most_ms=within_ms)
        return False
    if hung:  # scripts are disabled, so no other script starts after this one is stopped
        supervisor.feed(SetScripts(call.tab.tab_id, on=False))
        stop_scripts(supervisor, hung)
    share_s = call.race.budget.remaining_s() * _SHARE
    # ``share_s`` is part of the caller's budget, so it must not grow on slow computers.
    within_s = max(BLANK_S, share_s / supervisor.hang_patience)
    emptied = await via_blank(supervisor, call.tab.tab_id, within_s)
    if not emptied:
        supervisor.feed(SetScripts(call.tab.tab_id, on=True))
    return emptied


async def _watch(call: Call, before: str) -> None:
    """Stop the old page's ``beforeunload`` and ``pagehide`` handlers if they don't return.

    The browser requests the new document only after the ``beforeunload`` handlers have returned.
    ``pagehide`` runs just before the new document commits, when the old worlds are already gone.
    Between the two, we send no command, because the browser would delay it until the new document
    commits.
    """
    requested = asyncio.Event()
    unlisten = call.task.supervisor.listen(
        fetch.RequestPaused.METHOD, call.tab.session_id, lambda _: requested.set()
    )
    every_s = min(HANDLERS_MS, call.race.budget.remaining_ms() * _SHARE) / 1000
    was_unloading = False
    try:
        while call.state.document_in(call.tab.tab_id) == before:
            await asyncio.sleep(every_s)
            if (
                call.state.dialogs_of(call.tab.tab_id)
                or call.state.document_in(call.tab.tab_id) != before
            ):
                continue
            unloads = is_unloading(call.state, call.tab.tab_id)
            if unloads and was_unloading:  # seen twice in a row, so this is not only the commit
                stop_scripts(call.task.supervisor, sessions_of(call.state, call.tab.tab_id)[:1])
            elif not unloads and not requested.is_set():
                sessions = sessions_of(call.state, call.tab.tab_id)
                hung = await find_silent(call.task.supervisor, sessions, UNLOAD_PROBE_S)
                if not requested.is_set():
                    stop_scripts(call.task.supervisor, hung)
            was_unloading = unloads
    finally:
        unlisten()


def _is_empty(tab: Tab) -> bool:
    return tab.url in ("", "about:blank") and not tab.scripts_off
