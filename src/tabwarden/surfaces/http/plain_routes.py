"""Routes that run no action. Each route is a function with a decorator that describes the route."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.routing import Route

from tabwarden.actions import Form, check_permission
from tabwarden.config import Permission
from tabwarden.control_api import form
from tabwarden.surfaces.guard.principal import for_operator
from tabwarden.surfaces.http.errors import switched_off
from tabwarden.surfaces.http.pipeline import fields_in_query, read_fields, service_of, task_of
from tabwarden.surfaces.http.service import CallerService


class RouteRequest(NamedTuple):
    """A request to a plain route."""

    request: Request
    fields: dict[str, Any]
    """The validated fields."""

    @property
    def service(self) -> CallerService:
        return service_of(self.request)

    @property
    def task(self) -> str:
        return task_of(self.request)


Serve = Callable[[RouteRequest], Awaitable[Any]]


class StatusRoute(msgspec.Struct, frozen=True, kw_only=True):
    """A route that runs no action."""

    form: Form
    """Checks and describes the request's fields. Its name is the method and path."""
    words: str
    serve: Serve
    """Accepts the request and its validated fields. Returns the response."""
    gives: Mapping[str, Any] = {}
    """JSON Schema of a successful response."""
    needs: Permission | Literal["operator"]
    """The permission that a caller needs. ``operator``: only the operator may use the route."""
    media_type: str = "application/json"
    takes_file: bool = False
    """Whether the request's body is a file, which ``serve`` reads."""
    always: bool = False
    """Whether the route works while Tabwarden is disabled."""


_ROW = frozenset(StatusRoute.__struct_fields__)


def plain_route(name: str, /, **rest: Any) -> Callable[[Serve], StatusRoute]:
    """Decorate the function that serves a route.

    Args:
        name: the method and path.
        rest: the fields of ``StatusRoute``, and those of the request (``optional``, ``required``).
    """
    row = {field: rest.pop(field) for field in _ROW & rest.keys()}
    return lambda serve: StatusRoute(form=form(name, **rest), serve=serve, **row)


def status_route(plain: StatusRoute) -> Route:
    method, _, path = plain.form.tool.partition(" ")

    async def serve(request: Request) -> Any:
        service = service_of(request)
        if plain.needs != "operator":
            check_permission(plain.needs, service.config)
        elif not service.principal.is_operator:
            raise for_operator()
        fields = (
            {**fields_in_query(request), **request.path_params}
            if plain.takes_file
            else await read_fields(request)
        )
        if not (plain.always or service.config.enabled):
            raise switched_off()
        return await plain.serve(RouteRequest(request, plain.form.check(fields).arguments))

    return Route(path, serve, methods=[method])
