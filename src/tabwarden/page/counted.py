"""Counted: the actions that run no race on one tab, told to the telemetry like all others."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded
from tabwarden.page.result import ActionResult
from tabwarden.page.task import Task

__all__ = ["counted"]

_HINT = (
    "The browser itself did not get so far in time; no page was in the way. Try again, or allow "
    "more time (timeout_ms)."
)
P = ParamSpec("P")
Action = Callable[Concatenate[Task, Budget, P], Coroutine[Any, Any, ActionResult]]


def counted(name: str) -> Callable[[Action[P]], Action[P]]:
    """Count and time an action under ``name``."""

    def wrap(action: Action[P]) -> Action[P]:
        @wraps(action)
        async def run(
            task: Task, budget: Budget, /, *args: P.args, **kwargs: P.kwargs
        ) -> ActionResult:
            with task.supervisor.telemetry.acting(name) as acting:
                try:
                    result = await action(task, budget, *args, **kwargs)
                except BudgetExceeded as error:
                    error.hint = error.hint or _HINT  # no page's rescue has told more
                    raise
                acting.tab_id = result.tab_id
                acting.outcome = result.status
                return result

        return run

    return wrap
