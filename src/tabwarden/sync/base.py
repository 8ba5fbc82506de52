"""Sync twin of ``tabwarden.browser.base``: the same names, for code without an event loop.

Generated from browser/base.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from tabwarden.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from tabwarden.browser.inside import Inside
    from tabwarden.budget import Timeout
    from tabwarden.config import ActionName, BrowserConfig
    from tabwarden.journal import Journal
    from tabwarden.page import Task
    from tabwarden.page.scripts import evaluate_fast_path
    from tabwarden.page.snapshot import Addition, Show
    from tabwarden.page.task import Card, Run, Turn
    from tabwarden.supervisor.runtime import EngineLoop

T = TypeVar("T")


class BrowserBase:
    """Contains the open task and the configuration, and runs actions."""

    task_id: str
    """The task's name in this process's registry of supervisors."""
    restored: str
    """A sentence about what ``restore`` did when the browser opened; "" without ``restore``."""
    warnings: tuple[str, ...]
    """Sentences about configured settings that this kind of browser does not support."""
    _config: BrowserConfig
    inside: Inside
    """The parts of the browser that higher packages use in addition to its methods."""
    _fast_path: evaluate_fast_path.FastPath

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
        """The folders with files that pages may read. The upload folder is the first."""
        return self._task.upload_folders

    def lend(self, folders: tuple[Path, ...]) -> None:
        """Let pages read files from folders other than the configured ones.

        Args:
            folders: the additional folders.
        """
        self._task.lent_folders = folders

    def _budget(self, action: ActionName, timeout_ms: Timeout) -> Budget:
        return Budget.of(timeout_ms, self._config.timeout_of(action))

    def _run(
        self,
        run: Run,
        arguments: Mapping[str, Any],
        tab_id: str | None,
        timeout_ms: Timeout,
        shows: Show = "none",
    ) -> Any:
        """Run an action for a Python caller."""
        from tabwarden.page.call import one_of
        from tabwarden.page.snapshot import show
        from tabwarden.page.task import CARDS

        one_of("snapshot", shows, show.SHOWS)
        card = CARDS[run]
        return self._perform(card, card.checked(arguments), tab_id, timeout_ms, shows)

    def _act(self, card: Card, arguments: Mapping[str, Any]) -> Any:
        """Run an action for an interface that has checked the arguments."""
        from tabwarden.page.task import are_turns_kept

        own = dict(arguments)
        with self._journal.call(card.method, own) as entry:
            common = (own.pop("tab_id", None), own.pop("timeout_ms", None))
            shows: Addition = own.pop("snapshot", "none") if card.shows else "none"
            if card.shows and shows == "none" and not are_turns_kept():
                shows = "effect"
            result = self._perform(card, own, *common, shows)
            entry.result = self._journal.guarded.hide(result)
            return entry.result

    def _perform(
        self,
        card: Card,
        arguments: Mapping[str, Any],
        tab_id: str | None,
        timeout_ms: Timeout,
        shows: Addition = "none",
    ) -> Any:
        from msgspec.structs import replace

        from tabwarden.hints import joined
        from tabwarden.page import ActionResult, perform, perform_without_page
        from tabwarden.page.snapshot import show

        card, task, budget = card.of(arguments), self._task, self._budget(card.name, timeout_ms)
        if not card.without_page:
            tab_id = task.tab_of(card.aims(arguments), tab_id)
        if card.sends_ahead:
            from tabwarden.page.scripts import evaluate

            script = evaluate.Asked(**arguments).checked(task.config)
            sent = self._fast_path.send(script, budget, tab_id)
            if sent is not None:
                return sent.ended_sync(self._engine)
        tab = {"tab_id": tab_id} if card.of_tab else {}
        if card.is_whole:
            action: Callable[[], Awaitable[Any]] = partial(
                card.run, task, budget, **tab, **arguments
            )
        else:
            how = perform_without_page if card.without_page else perform
            action = partial(how, task, card, budget, partial(card.run, **arguments), **tab)
            shows = "none" if card.without_page else shows
        work = partial(show.and_show, task, budget, action, shows)
        if card.without_page or card.turn is None:
            result = self._engine.run_sync(work())
        else:
            turn = task.turns.enter(card, tab_id if card.turn == "tab" else None)
            result = self._in_turn(turn, budget, work)
            if turn.note and isinstance(result, ActionResult):
                result = replace(result, note=joined(turn.note, result.note))
        return result if card.answer is None else card.answer(result)

    def _in_turn(self, turn: Turn, budget: Budget, work: Callable[[], Awaitable[T]]) -> T:
        """Run work on the engine after earlier calls on its tab have ended."""
        try:
            return self._engine.run_sync(turn.run(budget, work))
        finally:
            turn.leave()  # also runs if the engine never started the work
