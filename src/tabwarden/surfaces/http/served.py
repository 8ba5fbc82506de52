"""Served: a route of the API as a row of a table: its fields, its action, its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwarden.actions import Aim, check_allowed
from tabwarden.errors import TabwardenError
from tabwarden.surfaces.http.answers import outcome_response
from tabwarden.surfaces.http.bodies import fields_of
from tabwarden.surfaces.http.calls import (
    Call,
    Done,
    budget_for,
    heeding,
    named_as_ours,
    run,
    service_of,
    task_of,
    with_tab,
)
from tabwarden.surfaces.http.shapes import Shape

__all__ = ["Served", "Work", "route_of"]

Work = Callable[[Call, dict[str, Any]], Awaitable[Done]]
"""What is done with the checked arguments, where it is more than the shape's one action."""


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """One route."""

    shape: Shape
    """Its name is method and path."""
    answer: Callable[[Request, Done], Response] = outcome_response
    aim: Aim = with_tab
    """Makes arguments that depend on the browser's state, where there is no ``work``."""
    work: Work | None = None
    words: str = ""
    """What it does, where that is not what its action says."""
    gives: Mapping[str, Any] = {}
    """JSON Schema of what a good answer has besides how it ended."""
    opens: bool | None = None
    """Whether it may open a browser; as its action when left out."""
    in_query: Collection[str] = ()
    """Fields that may stand in the query too, though it is a POST."""

    @property
    def method(self) -> str:
        """GET, POST or DELETE."""
        return self.shape.name.partition(" ")[0]

    @property
    def path(self) -> str:
        """As Starlette writes it."""
        return self.shape.name.partition(" ")[2]

    @property
    def about(self) -> str:
        """What it does, in words."""
        return self.words or self.shape.action.description

    @property
    def may_open(self) -> bool:
        """Whether it may open a browser."""
        return self.shape.action.opens if self.opens is None else self.opens


def route_of(served: Served) -> Route:
    """The route as Starlette takes it."""

    async def serve(request: Request) -> Response:
        service, shape = service_of(request), served.shape
        given = {**await fields_of(request, served.in_query), **request.path_params}
        given = named_as_ours(request, given)
        config = service.config
        check_allowed(shape.action, config)
        arguments = shape.check(given)
        budget = budget_for(config, shape.action, arguments)
        task = task_of(request)
        with service.tasks.call(task, budget, opens=served.may_open) as session:
            call = Call(service, task, session, config, budget, served.may_open)
            async with heeding(request, budget):
                try:
                    done = await _worked(served, call, arguments)
                except TabwardenError as error:
                    shape.in_fields(error, given)
                    raise
        passed_over = shape.passed_over(given)
        if passed_over:
            done = done._replace(note=" ".join([*passed_over, done.note]).strip())
        return served.answer(request, done)

    return Route(served.path, serve, methods=[served.method])


async def _worked(served: Served, call: Call, arguments: dict[str, Any]) -> Done:
    if served.work is not None:
        return await served.work(call, arguments)
    return await run(call, served.shape.action, arguments, aim=served.aim)
