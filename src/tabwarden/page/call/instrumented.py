"""Telemetry for actions that do not run on a single tab through ``perform``."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.page.task import ActionResult, Task

_HINT = Hint("The browser itself was slow, not a page. Try again, or ", MORE_TIME, ".")
P = ParamSpec("P")
Action = Callable[Concatenate[Task, Budget, P], Coroutine[Any, Any, ActionResult]]


def instrumented(name: str) -> Callable[[Action[P]], Action[P]]:
    """Count the calls of an action under ``name``, and measure their duration."""

    def wrap(action: Action[P]) -> Action[P]:
        @wraps(action)
        async def run(
            task: Task, budget: Budget, /, *args: P.args, **kwargs: P.kwargs
        ) -> ActionResult:
            with task.supervisor.telemetry.acting(name) as acting:
                try:
                    result = await action(task, budget, *args, **kwargs)
                except BudgetExceeded as error:
                    error.hint = error.hint or _HINT  # no rescue has set a more specific hint
                    raise
                acting.tab_id = result.tab_id
                acting.outcome = result.status
                return result

        return run

    return wrap
