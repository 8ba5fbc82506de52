"""Kept state: a named storage state that is loaded when a browser opens, and saved until the
browser closes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tabwarden.budget import Budget
from tabwarden.endpoints.endpoint import is_ours
from tabwarden.errors import TabwardenError
from tabwarden.journal import Entry
from tabwarden.page.call import open_if_none, wait_until_ready
from tabwarden.page.storage import state_file, state_format, state_merge, storage_state
from tabwarden.page.task import Call, Task
from tabwarden.supervisor.contexts import OwnContext
from tabwarden.supervisor.core.state.notices import EndpointRegained, Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Race

_SAVE_EVERY_S = 30.0
"""The time between two saves. If the process is killed, logins after the last save are lost."""
_SAVE_MS = 5_000.0
"""How long one save of a kept state may take. The browser closes at the latest after that time."""
log = logging.getLogger("tabwarden.state")

_SESSION_COOKIES = "tabwarden-session-cookies.json"
_EMPTY: dict[str, Any] = {"cookies": [], "origins": []}


async def keep_state(task: Task, folder: Path, name: str, budget: Budget) -> str:
    """Load a saved state into a task's browser. From now on, save the state regularly and before
    the browser closes. Return a sentence for the agent. Call this on the engine's event loop.

    If the file does not contain a state, move it aside and mention it in the sentence.

    Args:
        task: the task, which has its own browser or browser context; otherwise nothing is loaded
            or saved, and the sentence says so.
        folder: the folder for storage states.
        name: the state's name.
        budget: limit for loading.

    Raises:
        Denied: the name leads outside the folder. InvalidArgument: the file can't be read.
    """
    if not _has_own(task):
        return (
            f"The state {name!r} was not restored and will not be saved: other programs use this "
            "browser too, and its login cookies belong to them."
        )
    return await _keep(_KeptState(task, state_file.state_path(folder, name), name), budget)


async def keep_session_cookies(task: Task, profile: Path, budget: Budget) -> None:
    """Load the session cookies of a permanent profile, which Chromium forgets when it closes. From
    now on, save them regularly, and before the browser closes.

    Args:
        task: the task that has launched the profile's browser.
        profile: the folder of the profile.
        budget: limit for loading.

    Raises:
        InvalidArgument: the file can't be read.
    """
    await _keep(_SessionCookies(task, profile / _SESSION_COOKIES, profile.name), budget)


async def _keep(state: _KeptState, budget: Budget) -> str:
    sentence = await state.load(budget)
    state.task.supervisor.before_end = state.save
    state.task.supervisor.observe(state.on_notices)
    state.task.journal.watch(state.on_entry)
    state.task.supervisor.spawn(state.save_often())
    return sentence


def _has_own(task: Task) -> bool:
    supervisor = task.supervisor
    own = isinstance(supervisor.place, OwnContext) and supervisor.place.joins is None
    for_us = supervisor.opened is not None and supervisor.opened.for_us
    return own or for_us or is_ours(supervisor.endpoint)


async def pause() -> None:
    """Wait until the next regular save."""
    await asyncio.sleep(_SAVE_EVERY_S)


class _KeptState:
    def __init__(self, task: Task, path: Path, name: str) -> None:
        self.task, self._path, self._name = task, path, name
        self._base = _EMPTY
        """The state when we last loaded or saved it."""
        self._next_base = _EMPTY
        self._changed = False
        self._saving = asyncio.Lock()

    async def load(self, budget: Budget) -> str:
        saved = await asyncio.to_thread(state_file.found, self._path)
        if isinstance(saved, Path):
            return (
                f"The file {self._path} is not a storage state, so nothing was restored. "
                f"The file was moved to {saved}."
            )
        if saved is None:
            return (
                f"There is no saved state {self._name!r} yet. The state will be saved to "
                f"{self._path}."
            )
        async with self._loading(budget) as call:
            result = await storage_state.load(call, state_format.checked_state(saved))
            cookies = await storage_state.read_cookies(call)
        missed = result.value.get("missed", ())
        origins = saved.get("origins", [])
        self._base = {
            "cookies": cookies,
            "origins": [one for one in origins if one["origin"] not in missed],
            "passkeys": saved.get("passkeys", []),
        }
        count, sites = result.value["cookies"], len(result.value["origins"])
        sentence = f"Restored {self._name!r}: {count} cookies, and the storage of {sites} sites."
        return f"{sentence} {result.note}".strip()

    @asynccontextmanager
    async def _loading(self, budget: Budget) -> AsyncIterator[Call]:
        """Open a tab if no tab is open, and yield a call on the tab."""
        await open_if_none(self.task, budget)
        with Race(self.task.supervisor, budget) as race:
            tab = await wait_until_ready(self.task, race, self.task.tab().tab_id, revives=False)
            yield Call(self.task, race, tab, storage_state.STORAGE_STATE)

    async def save_often(self) -> None:
        last_state = self.task.state
        while True:
            await pause()
            if self._changed or self.task.state is not last_state:
                self._changed = False
                await self.save()
                last_state = self.task.state

    async def save(self) -> None:
        """Save the state, unless the browser is gone. If saving fails, log the error and leave the
        file unchanged."""
        async with self._saving:
            try:
                await self._save(Budget(_SAVE_MS))
            except (TabwardenError, OSError) as error:
                log.warning("the state %s was not saved: %s", self._path, error)

    async def _save(self, budget: Budget) -> None:
        task = self.task
        if task.state.health.status != "live" or not task.state.tabs:
            return
        async with budget.enforced():
            tab = task.tab()
            with Race(task.supervisor, budget, tab.tab_id, through_dialogs=True) as race:
                change = await self._read(Call(task, race, tab, storage_state.STORAGE_STATE))
        await _in_thread(partial(state_file.changed, self._path, change))
        self._base = self._next_base

    async def _read(self, call: Call) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """Read the browser's current state. Return a function that merges this state into the
        file's state."""
        reading = await storage_state.read(call, [])
        for note in reading.notes:
            log.warning("the state %s is not complete: %s", self._path, note)
        base, now_s = self._base, time.time()
        self._next_base = state_merge.merged(base, reading.state, base, reading.unread, now_s)
        return lambda theirs: state_merge.merged(base, reading.state, theirs, reading.unread, now_s)

    def on_entry(self, entry: Entry) -> None:
        if entry.ended is not None:
            self._changed = True

    def on_notices(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        if state.replacement is not None and any(
            isinstance(notice, EndpointRegained) for notice in notices
        ):
            self._base = _EMPTY  # the new browser is empty, but nothing was deleted


class _SessionCookies(_KeptState):
    """The session cookies of a profile. Only one browser at a time can use the profile."""

    async def load(self, budget: Budget) -> str:
        saved = await asyncio.to_thread(state_file.found, self._path)
        if isinstance(saved, dict) and saved.get("cookies"):
            async with self._loading(budget) as call:
                await storage_state.load_cookies(call, state_format.checked_state(saved))
        return ""

    async def _read(self, call: Call) -> Callable[[dict[str, Any]], dict[str, Any]]:
        cookies = await storage_state.read_cookies(call)
        session_cookies = [one for one in cookies if one["expires"] == -1]
        return lambda _: {**_EMPTY, "cookies": session_cookies}


async def _in_thread(work: Callable[[], None]) -> None:
    try:
        running = asyncio.get_running_loop().run_in_executor(None, work)
    except RuntimeError:  # the interpreter is shutting down and starts no threads
        work()
    else:
        await running
