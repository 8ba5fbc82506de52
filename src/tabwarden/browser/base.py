"""Base: what the methods of ``Browser`` share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from tabwarden.browser.inside import Inside
from tabwarden.budget import Budget, Timeout
from tabwarden.config import ActionName, BrowserConfig
from tabwarden.hints import joined
from tabwarden.journal import Journal
from tabwarden.page import ActionResult, Task, perform_without_page
from tabwarden.page.call import Body, one_of
from tabwarden.page.snapshot import Show, show
from tabwarden.page.task import CARDS, ActionSpec, Run, Turn
from tabwarden.supervisor.runtime import EngineLoop

T = TypeVar("T")


class BrowserBase:
    """The open task, the configuration, and how an action runs."""

    task_id: str
    """The name of this task in the process's registry of supervisors."""
    restored: str
    """What ``restore`` did when the browser opened, in one sentence; "" without ``restore``."""
    warnings: tuple[str, ...]
    """What the configuration asked for and this browser does not have, in sentences."""
    _config: BrowserConfig
    inside: Inside
    """What the packages above use of the browser beside its methods."""

    @property
    def _engine(self) -> EngineLoop:
        return self.inside.engine

    @property
    def _journal(self) -> Journal:
        return self.inside.journal

    @property
    def _task(self) -> Task:
        return self.inside.task

    @property
    def upload_folders(self) -> tuple[Path, ...]:
        """The folders whose files pages may get: the upload folder first."""
        return self._task.upload_folders

    def lend(self, folders: tuple[Path, ...]) -> None:
        """Let pages get the files in more folders than those of the configuration.

        Args:
            folders: the folders.
        """
        self._task.lent_folders = folders

    def _budget(self, action: ActionName, timeout_ms: Timeout) -> Budget:
        return Budget.of(timeout_ms, self._config.timeout_of(action))

    async def _perform(
        self,
        spec: ActionSpec,
        body: Body,
        tab_id: str | None,
        timeout_ms: Timeout,
        *,
        shows: Show = "none",
    ) -> ActionResult:
        one_of("snapshot", shows, show.SHOWS)
        task, budget = self._task, self._budget(spec.name, timeout_ms)
        turn = task.turns.enter(spec, tab_id)
        work = partial(show.perform_and_show, task, spec, budget, body, shows, tab_id=tab_id)
        done = await self._in_turn(turn, budget, work)
        return replace(done, note=joined(turn.note, done.note)) if turn.note else done

    async def _in_turn(self, turn: Turn, budget: Budget, work: Callable[[], Awaitable[T]]) -> T:
        """Run work on the engine when the calls on its tab that came first have ended."""
        try:
            return await self._engine.run_async(turn.run(budget, work))
        finally:
            turn.leave()  # also if the engine never began

    async def _run(
        self,
        run: Run,
        given: Mapping[str, Any],
        tab_id: str | None,
        timeout_ms: Timeout,
        shows: Show = "none",
    ) -> ActionResult:
        asked = CARDS[run].checked(given)
        card = CARDS[run].of(asked)
        body: Body = partial(run, **asked)
        if card.without_page:
            return await self._perform_without_page(card, body, tab_id, timeout_ms)
        tab_id = self._task.tab_of(card.aims(asked), tab_id)
        return await self._perform(card, body, tab_id, timeout_ms, shows=shows)

    async def _perform_without_page(
        self, spec: ActionSpec, body: Body, tab_id: str | None, timeout_ms: Timeout
    ) -> ActionResult:
        return await self._engine.run_async(
            perform_without_page(
                self._task, spec, self._budget(spec.name, timeout_ms), body, tab_id=tab_id
            )
        )
