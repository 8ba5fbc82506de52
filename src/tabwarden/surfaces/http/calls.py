"""Calls: one request's action under one budget, which ends when its client hangs up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from starlette.requests import Request

from tabwarden.actions import DEFAULT_TASK, Action, Aim, Session, perform
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.labels import with_tabs_named
from tabwarden.surfaces.http.service import Service
from tabwarden.surfaces.http.targets import tab_named

__all__ = [
    "Call",
    "Done",
    "budget_for",
    "heeding",
    "labels_of",
    "named_as_ours",
    "run",
    "service_of",
    "task_of",
    "with_tab",
]


class Call(NamedTuple):
    """What the work of one request goes on with."""

    service: Service
    task: str
    session: Session
    config: BrowserConfig
    """As it was when the request came."""
    budget: Budget
    opens: bool = False
    """Whether it may open a browser."""


class Done(NamedTuple):
    """How an action ended."""

    result: Any
    """What the action returned."""
    note: str
    """What there is to say besides: that the browser is a fresh one, what was passed over."""
    asked_tab: str | None
    """The tab that was meant: the one that was named, else the active one."""
    before: SupervisorSnapshot | None
    """The browser's state before it; None: there was none."""
    state: SupervisorSnapshot | None
    """The browser's state after it; None: there is none."""


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def task_of(request: Request) -> str:
    """The name of the task that a request is for: ``task`` in its query, or ``profile``.

    Raises:
        InvalidArgument: both are given, and differ.
    """
    names = {
        request.query_params[key] for key in ("task", "profile") if key in request.query_params
    }
    if len(names) > 1:
        raise InvalidArgument(
            "task and profile name two tasks: they mean the same.", "Give one.", field="profile"
        )
    return names.pop() if names else DEFAULT_TASK


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


def labels_of(request: Request) -> Mapping[str, str]:
    """What the tabs of a request's task are called by its clients: label to ``tab_id``."""
    return service_of(request).labels_of(task_of(request))


def named_as_ours(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """A request's fields, with tabs by their own names instead of clients' labels."""
    if given.keys().isdisjoint(("targetId", "actions")):
        return given
    return with_tabs_named(given, labels_of(request))


def with_tab(state: SupervisorSnapshot, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the tab that the client's name for it means."""
    named = arguments.get("tab_id")
    return arguments if named is None else {**arguments, "tab_id": tab_named(state, named)}


async def run(
    call: Call, action: Action, arguments: Mapping[str, Any], *, aim: Aim = with_tab
) -> Done:
    """Run an action that was checked.

    Args:
        call: whose, and under which budget.
        action: the registry's.
        arguments: its parameters, as far as they don't depend on the browser's state.
        aim: makes the rest of them.

    Raises:
        TabwardenError: as the action says.
    """
    done = await perform(
        call.session, call.config, action, arguments, call.budget, aim=aim, opens=call.opens
    )
    active = done.before.active_tab_id if done.before is not None else None
    asked = done.arguments.get("tab_id") or active
    return Done(done.result, done.opened, asked, done.before, done.state)
