"""Leave: on the way to another document, what would hold the old one's renderer is stopped.

From the request of a document to its commit the browser holds back every command to the page's
renderer (docs/decisions/0003), and a document of the same site is committed by that renderer: a
page that hangs is left for ``about:blank`` first, with its scripts off. One that begins to hang
just then can't be stopped: its tab gets another target (``rescue/held.py``).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from tabwarden.page.rescue import (
    is_held,
    is_navigating,
    is_unloading,
    sessions_of,
    silent,
    stop_scripts,
    via_blank,
)
from tabwarden.page.task import Task
from tabwarden.protocol import fetch
from tabwarden.supervisor import Leaving, Race, SetScripts, Tab

__all__ = ["Left", "leaving"]

_HUNG_MS = 200.0
"""A page that answers by then is left as it is: only one that hangs costs this time."""
_HUNG_SHARE = 0.1
_BLANK_MS = 250.0
_HANDLERS_MS = 400.0
"""How long ``beforeunload`` handlers may take, at most; they are stopped then."""
_SHARE = 0.2


class Left(NamedTuple):
    """What was left."""

    loader_id: str
    """The document that stands in the tab until another commits."""
    emptied: bool
    """The page hung, so an empty one was put in its place, one entry of history further."""


@asynccontextmanager
async def leaving(
    task: Task, race: Race, tab: Tab, url: str, *, restless: bool = False
) -> AsyncIterator[Left]:
    """Around a navigation of a tab to ``url``, perhaps from a page that keeps navigating itself."""
    watch = None
    race.outlives_replacement = True
    try:
        emptied = await _let_go(task, race, tab, restless=restless)
        # A tab that is being replaced goes where it was on its way to before: not where we do.
        await race.until(lambda state: tab.tab_id not in state.replacing)
        before = task.state.document_in(tab.tab_id)
        task.supervisor.feed(Leaving(tab.tab_id, url))
        if not emptied and not _is_empty(tab):
            watch = task.supervisor.spawn(_watch(task, race, tab, before))
        yield Left(before, emptied)
    finally:
        race.outlives_replacement = False
        if watch is not None:
            watch.cancel()


async def _let_go(task: Task, race: Race, tab: Tab, *, restless: bool) -> bool:
    """Leave a page that hangs, or is restless, for an empty one; whether it was left."""
    supervisor = task.supervisor
    if _is_empty(tab) or tab.status != "ready" or task.state.dialogs_of(tab.tab_id):
        return False
    own = sessions_of(task.state, tab.tab_id)[:1]
    within_ms = min(_HUNG_MS, race.budget.remaining_ms() * _HUNG_SHARE)
    relapsing = task.state.document_in(tab.tab_id) in task.relapsing_documents
    hung = own if relapsing else await silent(supervisor, own, within_ms)
    if not hung and not restless and not task.tab(tab.tab_id).scripts_off:
        return False
    if hung and await is_held(supervisor, tab.tab_id):  # it is being watched, and replaced
        within_ms = race.budget.remaining_ms() * _SHARE
        await race.until(lambda s: not is_navigating(s, tab.tab_id), at_most_ms=within_ms)
        return False
    if hung:  # so that no other script begins when this one is stopped
        supervisor.feed(SetScripts(tab.tab_id, on=False))
        stop_scripts(supervisor, hung)
    share_ms = race.budget.remaining_ms() * _SHARE
    # A share of the caller's own time is no guess about the machine, to be made longer where it is
    # said to be slow.
    within_ms = max(_BLANK_MS, share_ms / supervisor.hang_patience)
    emptied = await via_blank(supervisor, tab.tab_id, within_ms)
    if not emptied:
        supervisor.feed(SetScripts(tab.tab_id, on=True))
    return emptied


async def _watch(task: Task, race: Race, tab: Tab, before: str) -> None:
    """Stop handlers of the page that is left (``beforeunload``, ``pagehide``) that don't end.

    No document is asked for before the former has ended. The latter runs when the new document is
    about to stand in the renderer: the old one's worlds are gone by then. Between the two, commands
    are held back, so none is sent that the new document would get.
    """
    requested = asyncio.Event()
    unlisten = task.supervisor.listen(
        fetch.RequestPaused.METHOD, tab.session_id, lambda _: requested.set()
    )
    every_s = min(_HANDLERS_MS, race.budget.remaining_ms() * _SHARE) / 1000
    was_unloading = False
    try:
        while task.state.document_in(tab.tab_id) == before:
            await asyncio.sleep(every_s)
            if task.state.dialogs_of(tab.tab_id) or task.state.document_in(tab.tab_id) != before:
                continue
            unloads = is_unloading(task.state, tab.tab_id)
            if unloads and was_unloading:  # not just between two documents
                stop_scripts(task.supervisor, sessions_of(task.state, tab.tab_id)[:1])
            elif not unloads and not requested.is_set():
                sessions = sessions_of(task.state, tab.tab_id)
                hung = await silent(task.supervisor, sessions, _HUNG_MS)
                if not requested.is_set():
                    stop_scripts(task.supervisor, hung)
            was_unloading = unloads
    finally:
        unlisten()


def _is_empty(tab: Tab) -> bool:
    return tab.url in ("", "about:blank") and not tab.scripts_off
