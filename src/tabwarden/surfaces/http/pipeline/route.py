"""ActionRoute: a route, defined by its fields, its action and its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwarden.actions import Aim, Performed, check_allowed
from tabwarden.control_api import Shape, outcome_with_value
from tabwarden.surfaces.http.pipeline.call import CheckedRequest, Work, with_tab
from tabwarden.surfaces.http.pipeline.request import read_fields, service_of, task_call
from tabwarden.surfaces.http.pipeline.response import json_response
from tabwarden.surfaces.http.pipeline.saved import saved_body


class ActionRoute(msgspec.Struct, frozen=True, kw_only=True):
    """A route that runs an action, or custom work."""

    shape: Shape
    """The request's shape. Its name is the method and path."""
    body: Callable[[Performed], Mapping[str, Any]] = outcome_with_value
    """Returns the answer's JSON."""
    answer: Callable[[Request, Performed], Awaitable[Response]] | None = None
    """Returns the answer instead of ``body``, if the answer also depends on the request."""
    aim: Aim = with_tab
    """Adds arguments that depend on the browser's state. Unused if ``work`` is given."""
    work: Work | None = None
    words: str = ""
    """A description of the route, if the action's description doesn't fit."""
    gives: Mapping[str, Any] = {}
    """JSON Schema of a success answer, without the fields of an action's outcome."""
    opens: bool | None = None
    """Whether the route may open a browser. None: only if its action may."""
    in_query: Collection[str] = ()
    """The fields of a POST that may also be in the query."""

    @property
    def method(self) -> str:
        return self.shape.name.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.shape.name.partition(" ")[2]

    @property
    def about(self) -> str:
        return self.words or self.shape.action.description

    @property
    def may_open(self) -> bool:
        return self.shape.action.opens if self.opens is None else self.opens


def route_of(row: ActionRoute) -> Route:
    async def serve(request: Request) -> Response:
        given = await read_fields(request, row.in_query)
        config = service_of(request).config
        check_allowed(row.shape.action, config)
        checked = CheckedRequest(row.shape, row.shape.check(given), given, row.work, row.aim)
        async with task_call(request, checked.budget(config), opens=row.may_open) as call:
            done = await checked.perform(call)
            if (body := saved_body(config, done)) is not None:
                return json_response(body)
            return await row.answer(request, done) if row.answer else json_response(row.body(done))

    return Route(row.path, serve, methods=[row.method])
