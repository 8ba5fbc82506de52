"""Calls: one request's action under one budget, which ends when its client hangs up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from starlette.requests import Request

from tabwarden.actions import DEFAULT_TASK, Action, Session, Tasks, available
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import Disabled
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.targets import tab_named

__all__ = ["Aim", "Done", "Service", "budget_for", "heeding", "run", "service_of", "task_of"]

Aim = Callable[[SupervisorSnapshot, dict[str, Any]], dict[str, Any]]


class Service(NamedTuple):
    """What all requests share."""

    config: BrowserConfig
    tasks: Tasks


class Done(NamedTuple):
    """How an action ended."""

    result: Any
    """What the action returned."""
    opened: str
    """A note when the browser is a fresh one."""
    asked_tab: str | None
    """The tab that was meant: the one that was named, else the active one."""
    before: SupervisorSnapshot
    """The browser's state before it."""
    state: SupervisorSnapshot
    """The browser's state after it."""


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def task_of(request: Request) -> str:
    """The name of the task that a request is for."""
    return request.query_params.get("task", DEFAULT_TASK)


def budget_for(config: BrowserConfig, action: Action, arguments: Mapping[str, Any]) -> Budget:
    """The one budget of a call: what the client gave it, else the action's default.

    Raises:
        InvalidArgument: no such time.
    """
    return Budget.of(arguments.get("timeout_ms"), config.timeout_of(action.name))


@asynccontextmanager
async def heeding(request: Request, budget: Budget) -> AsyncIterator[None]:
    """Cancel the budget when the client hangs up before the block has ended.

    The request's body must have been read.
    """

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        budget.cancel("the HTTP client disconnected")

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def with_tab(state: SupervisorSnapshot, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the tab that the client's name for it means."""
    named = arguments.get("tab_id")
    return arguments if named is None else {**arguments, "tab_id": tab_named(state, named)}


async def run(
    session: Session,
    config: BrowserConfig,
    action: Action,
    arguments: dict[str, Any],
    budget: Budget,
    *,
    aim: Aim = with_tab,
) -> Done:
    """Run an action that was checked.

    Args:
        session: the task's.
        config: what it may do.
        action: the registry's.
        arguments: its parameters, as far as they don't depend on the browser's state.
        budget: of the whole call.
        aim: makes the rest of them.

    Raises:
        TabwardenError: as the action says.
    """
    if action not in available(config):
        raise Disabled(f"{action.tool} is switched off by the configuration.")
    browser, opened = await session.browser(may_open=action.opens, budget=budget)
    before = browser.state
    aimed = aim(before, {**arguments, "timeout_ms": budget})
    result = await action.run(browser, **aimed)
    return Done(result, opened, aimed.get("tab_id") or before.active_tab_id, before, browser.state)
