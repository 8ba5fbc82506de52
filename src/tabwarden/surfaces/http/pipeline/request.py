"""Get a request's service, task and fields, and notice when its client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import Request

from tabwarden.actions import DEFAULT_TASK
from tabwarden.budget import Budget
from tabwarden.control_api import with_tabs_named
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import principal_of, validity_of
from tabwarden.surfaces.http.pipeline.body import fields_of
from tabwarden.surfaces.http.pipeline.call import TaskCall
from tabwarden.surfaces.http.service import CallerService, Service


def service_of(request: Request) -> CallerService:
    """Return the server as the request's sender sees it."""
    whole: Service = request.app.state.service
    return whole.seen_by(principal_of(request.scope), validity_of(request.scope))


def task_of(request: Request) -> str:
    """Return the name of a request's task: ``task`` or ``profile`` in its query.

    Raises:
        InvalidArgument: the request has both, and they differ.
    """
    names = {
        request.query_params[key] for key in ("task", "profile") if key in request.query_params
    }
    if len(names) > 1:
        raise InvalidArgument(
            "task and profile mean the same but name different tasks.",
            "Send only one of them.",
            field="profile",
        )
    return names.pop() if names else DEFAULT_TASK


def labels_of(request: Request) -> Mapping[str, str]:
    """Return the ``tab_id`` for each label that clients gave to the tabs of the request's task."""
    return service_of(request).labels_of(task_of(request))


async def read_fields(request: Request, in_query: Collection[str] = ()) -> dict[str, Any]:
    """Return a request's fields (see ``fields_of``). Replace labels of tabs with ``tab_id``."""
    given = {**await fields_of(request, in_query), **request.path_params}
    if given.keys().isdisjoint(("targetId", "actions")):
        return given
    return with_tabs_named(given, labels_of(request))


@asynccontextmanager
async def task_call(
    request: Request, budget: Budget, *, opens: bool = False
) -> AsyncIterator[TaskCall]:
    """Yield a request's call on its task. If the client disconnects, cancel the budget.

    The request's body must already have been read.

    Raises:
        Capacity: too many browsers are open.
    """
    service, task = service_of(request), task_of(request)
    with service.tasks.call(task, budget, opens=opens) as session:
        async with cancelled_by_leaving(request, budget):
            yield TaskCall(service, task, session, service.config, budget, opens)


@asynccontextmanager
async def cancelled_by_leaving(request: Request, budget: Budget) -> AsyncIterator[None]:
    """Cancel the budget if the client disconnects before the block ends.

    The request's body must already have been read.
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
