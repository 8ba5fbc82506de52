"""Serve a request: read and validate its fields, run its action, and write the response.

``ActionRoute`` defines one route. ``CheckedRequest`` is a request to a route or to ``POST /act``,
ready to run. ``TaskCall`` runs actions for one request under its budget.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any, NamedTuple

import msgspec
from pydantic import Field
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tabwarden.actions import DEFAULT_TASK, Action, Aim, Performed, Session, check_allowed, perform
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.control_api import (
    Shape,
    camel_keys,
    outcome,
    outcome_with_value,
    shape,
    with_tab,
    with_tabs_named,
)
from tabwarden.digits import whole_number
from tabwarden.errors import Cancelled, InvalidArgument, TabwardenError
from tabwarden.page import ActionResult
from tabwarden.results import SavedFile
from tabwarden.surfaces.guard.principal import principal_of, validity_of
from tabwarden.surfaces.http.files import BODY_S, route_to
from tabwarden.surfaces.http.hints import in_requests
from tabwarden.surfaces.http.service import CallerService, Service


def json_response(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response. The hints in the response are HTTP requests."""
    text = json.dumps(msgspec.to_builtins(body, enc_hook=in_requests), default=str)
    return Response(text, status, headers, media_type="application/json")


MAX_BYTES = 4 * 1024 * 1024
"""Maximum length of a body."""


class BodyTooLarge(InvalidArgument):
    def __init__(self) -> None:
        super().__init__(
            f"The body exceeds {MAX_BYTES} bytes.",
            "Split the request into smaller requests.",
            field="body",
        )


class NotJson(InvalidArgument):
    """The body's content type is not JSON."""


async def fields_of(request: Request, in_query: Collection[str] = ()) -> dict[str, Any]:
    """Return the client's fields: a POST's JSON object, otherwise the query without ``task``.

    Args:
        in_query: the fields of a POST that may also be in the query.

    Raises:
        InvalidArgument: the body is too long, is not a JSON object, or arrived too late; or a field
            occurs twice or is in the wrong place.
        Cancelled: the client disconnected.
    """
    query = fields_in_query(request)
    body = await _object_of(request)
    fields, elsewhere = (body, query) if request.method == "POST" else (query, body)
    for name in [name for name in in_query if name in query and name not in body]:
        body[name] = query.pop(name)
    for name in elsewhere:
        place = "body" if request.method == "POST" else "query"
        raise InvalidArgument(
            f"{name} is in the wrong place for this request.",
            f"Put it into the {place}. Only `task` (or `profile`) always belongs in the query.",
            field=name,
        )
    return fields


async def _object_of(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body; ``{}`` if the body is empty."""
    try:
        async with asyncio.timeout(BODY_S):
            body = await _bytes_of(request)
    except TimeoutError:
        raise InvalidArgument(
            f"The body did not arrive within {BODY_S:.0f} s.",
            "Send as many bytes as Content-Length declares.",
            field="body",
        ) from None
    except ClientDisconnect:
        raise Cancelled("The HTTP client disconnected before it sent its body.") from None
    if not body:
        return {}
    _check_type(request.headers.get("content-type", ""))
    try:
        read = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidArgument(
            f"The body is not JSON: {error}.", 'Send an object: {"name": value}.', field="body"
        ) from None
    if not isinstance(read, dict):
        raise InvalidArgument(
            "The body is JSON, but not an object.", 'Send an object: {"name": value}.', field="body"
        )
    return read


def _check_type(content_type: str) -> None:
    """Raise ``NotJson`` for any other content type. A body without a content type is treated as
    JSON.
    """
    named, _, parameters = content_type.lower().partition(";")
    kind, parameters = named.strip(), parameters.replace(" ", "").replace('"', "")
    is_json = kind in ("", "application/json") or kind.endswith("+json")
    if not is_json or ("charset=" in parameters and "charset=utf-8" not in parameters):
        raise NotJson(
            f"The body is {content_type[:100]!r}, not JSON.",
            "Send Content-Type: application/json (curl --json).",
            field="Content-Type",
        )


async def _bytes_of(request: Request) -> bytes:
    length = whole_number(request.headers.get("content-length", "0"))
    if length is not None and length > MAX_BYTES:
        raise BodyTooLarge
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            raise BodyTooLarge
    return bytes(body)


def fields_in_query(request: Request) -> dict[str, Any]:
    """Return the fields in a request's query, except the name of the task.

    Raises:
        InvalidArgument: a field occurs twice.
    """
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in fields:
            raise InvalidArgument(f"The query contains {name} twice.", "Send it once.", field=name)
        fields[name] = value
    return {name: value for name, value in fields.items() if name not in ("task", "profile")}


class TaskCall(NamedTuple):
    """The objects that one request needs."""

    service: CallerService
    task: str
    session: Session
    config: BrowserConfig
    """The configuration at the time when the request arrived."""
    budget: Budget
    opens: bool = False
    """Whether the call may open a browser."""

    async def run(
        self, action: Action, arguments: Mapping[str, Any], *, aim: Aim = with_tab
    ) -> Performed:
        """Run an action of the registry.

        Args:
            arguments: the checked arguments, except those that depend on the browser's state.
            aim: adds the arguments that depend on the browser's state.

        Raises:
            TabwardenError: the configuration disables the action, or the action failed.
        """
        check_allowed(action, self.config, arguments)
        return await perform(
            self.session, action, arguments, self.budget, aim=aim, opens=self.opens
        )


Work = Callable[[TaskCall, dict[str, Any]], Awaitable[Performed]]
"""Serves a request that needs more than one action. Accepts the call and the validated
arguments.
"""


class CheckedRequest(NamedTuple):
    """A checked request: its action or work, and the arguments."""

    shape: Shape
    arguments: dict[str, Any]
    fields: Mapping[str, Any]
    """The fields as the client sent them."""
    work: Work | None = None
    """The work to run instead of the shape's action, if set."""
    aim: Aim = with_tab
    """Adds arguments that depend on the browser's state. Unused if ``work`` is set."""

    def budget(self, config: BrowserConfig) -> Budget:
        default_ms = config.timeout_of(self.shape.action.name)
        return Budget.of(self.arguments.get("timeout_ms"), default_ms)

    async def perform(self, call: TaskCall) -> Performed:
        """Run the request. Errors use the request's field names."""
        try:
            if self.work is not None:
                done = await self.work(call, self.arguments)
            else:
                done = await call.run(self.shape.action, self.arguments, aim=self.aim)
        except TabwardenError as error:
            self.shape.in_fields(error, self.fields)
            raise
        notes = (*self.shape.passed_over(self.fields), done.note)
        return done._replace(note=" ".join(note for note in notes if note))


def service_of(request: Request) -> CallerService:
    """Return the part of the server that the request's sender can use."""
    whole: Service = request.app.state.service
    return whole.seen_by(principal_of(request.scope), validity_of(request.scope))


def task_of(request: Request) -> str:
    """Return the name of a request's task: ``task`` or ``profile`` in its query.

    Raises:
        InvalidArgument: the request has both fields, and their values differ.
    """
    names = {
        request.query_params[key] for key in ("task", "profile") if key in request.query_params
    }
    if len(names) > 1:
        raise InvalidArgument(
            "task and profile have the same meaning, but their values differ.",
            "Send only one of them.",
            field="profile",
        )
    return names.pop() if names else DEFAULT_TASK


def labels_of(request: Request) -> Mapping[str, str]:
    """Return the ``tab_id`` for each label that clients gave to the tabs of the request's task."""
    return service_of(request).labels_of(task_of(request))


async def read_fields(request: Request, in_query: Collection[str] = ()) -> dict[str, Any]:
    """Return a request's fields (see ``fields_of``). In these fields, labels of tabs are replaced
    with ``tab_id``.
    """
    fields = {**await fields_of(request, in_query), **request.path_params}
    if fields.keys().isdisjoint(("targetId", "actions")):
        return fields
    return with_tabs_named(fields, labels_of(request))


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


def saved_body(config: BrowserConfig, done: Performed) -> dict[str, Any] | None:
    """Return the response body with the saved ``file`` and its route; None if no file was saved."""
    value = done.result.value if isinstance(done.result, ActionResult) else None
    if not isinstance(value, SavedFile):
        return None
    file = {**camel_keys(msgspec.to_builtins(value)), "route": route_to(config, value.path)}
    return {**outcome(done), "file": file}


class ActionRoute(msgspec.Struct, frozen=True, kw_only=True):
    """A route that runs an action, or custom work."""

    shape: Shape
    """The request's shape. Its name is the method and path."""
    body: Callable[[Performed], Mapping[str, Any]] = outcome_with_value
    """Returns the JSON of the response."""
    answer: Callable[[Request, Performed], Awaitable[Response]] | None = None
    """Returns the response instead of ``body``, if the response also depends on the request."""
    aim: Aim = with_tab
    """Adds arguments that depend on the browser's state. Unused if ``work`` is set."""
    work: Work | None = None
    words: str = ""
    """A description of the route, if the action's description doesn't fit."""
    gives: Mapping[str, Any] = {}
    """JSON Schema of a successful response, without the fields of an action's outcome."""
    opens: bool | None = None
    """Whether the route may open a browser. None if this depends on its action."""
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
        fields = await read_fields(request, row.in_query)
        config = service_of(request).config
        check_allowed(row.shape.action, config)
        checked = CheckedRequest(row.shape, row.shape.check(fields), fields, row.work, row.aim)
        async with task_call(request, checked.budget(config), opens=row.may_open) as call:
            done = await checked.perform(call)
            if (body := saved_body(config, done)) is not None:
                return json_response(body)
            return await row.answer(request, done) if row.answer else json_response(row.body(done))

    return Route(row.path, serve, methods=[row.method])


_ROW = frozenset(ActionRoute.__struct_fields__)


def action_route(name: str, tool: str, *, mode: str = "", **rest: Any) -> ActionRoute:
    """Return a route that runs an action.

    Args:
        name: the method and path.
        tool: the name of the action's tool.
        mode: the action's mode, if the route sets it; "" if clients set the mode.
        rest: the fields of ``ActionRoute``, and the arguments of ``shape``.
    """
    if mode:
        rest["without"] = ("mode", *rest.get("without", ()))
        rest["translate"] = lambda arguments: {**arguments, "mode": mode}
    row = {field: rest.pop(field) for field in _ROW & rest.keys()}
    return ActionRoute(shape=shape(name, tool, **rest), **row)


def required(kind: Any, words: str, **limits: Any) -> tuple[Any, Any]:
    """Return a required field of a request, for ``shape`` or ``form``."""
    return Annotated[kind, Field(description=words, **limits)], ...


def optional(kind: Any, words: str, *, default: Any = None, **limits: Any) -> tuple[Any, Any]:
    """Return an optional field of a request. If the field has no default, it may also be null."""
    kind = kind | None if default is None else kind
    return Annotated[kind, Field(description=words, **limits)], default
