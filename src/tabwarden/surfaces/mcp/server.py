"""The MCP server, which handles each kind of request on any transport."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, NamedTuple

import mcp_types as types
from mcp import MCPError
from mcp.server import NotificationOptions, Server
from mcp.server.apps import EXTENSION_ID, client_supports_apps
from mcp.server.models import InitializationOptions

from tabwarden import __version__
from tabwarden.actions import Answer, Tool
from tabwarden.surfaces.guard.principal import OPERATOR, Principal, ending
from tabwarden.surfaces.mcp import elicitation, resources
from tabwarden.surfaces.mcp.calls import HANDOFF, Structured, progress_text, result_json
from tabwarden.surfaces.mcp.clients import Client, Clients
from tabwarden.surfaces.mcp.elicitation import Context
from tabwarden.surfaces.mcp.roots import Roots
from tabwarden.surfaces.progress import CallProgress

Named = Callable[[Context], str]
"""A function that returns the name of the client or connection that sent a request."""


class Caller(NamedTuple):
    """The sender of a request."""

    principal: Principal = OPERATOR
    is_valid: Callable[[], bool] | None = None
    """Whether the caller's token is still valid; None if it always is."""

    def until_revoked(self, end: Callable[[], object]) -> AbstractAsyncContextManager[None]:
        """During the block, call ``end()`` once the caller's token is no longer valid."""
        return nullcontext() if self.is_valid is None else ending(self.is_valid, end)


class OurServer(Server[dict[str, Any]]):
    """An MCP server that declares, on every transport, that its list of tools may change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """See ``Server``. The SDK's HTTP transport gets its options only from this method."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def make_server(
    clients: Clients,
    client_of: Named,
    connection_of: Named | None = None,
    caller_of: Callable[[Context], Caller] = lambda _: Caller(),
    *,
    host_is_here: bool = False,
) -> OurServer:
    """Create a server for many clients.

    Args:
        client_of: returns the name of the client that sent a request.
        connection_of: returns the name of a request's connection. The default is ``client_of``.
        caller_of: returns the sender of a request. The default is the operator.
        host_is_here: whether the client is a program of this user on this machine. Pages may then
            get files from its roots.
    """
    named = connection_of or client_of

    def reader(context: Context) -> Client:
        return _reading(clients.of(client_of(context)), caller_of(context).principal)

    async def list_tools(
        context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        tools = clients.of(client_of(context)).tools(caller_of(context).principal)
        meta = resources.app_meta() if client_supports_apps(context) else None
        return types.ListToolsResult(
            tools=[
                as_tool(tool, clients.structured, meta if tool.name == HANDOFF else None)
                for tool in tools
            ]
        )

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        client = clients.of(client_of(context))
        roots = client.roots if host_is_here else None
        return await _called(clients, client, caller_of(context), context, params, roots)

    async def list_resources(
        context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        more = [resources.app_resource()] if client_supports_apps(context) else []
        return types.ListResourcesResult(resources=[*resources.RESOURCES, *more])

    async def read_resource(
        context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return _read(reader(context), str(params.uri))

    async def subscribe(
        context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        subscribers = reader(context).subscribers
        subscribers.subscribe(named(context), str(params.uri))
        return types.EmptyResult()

    async def unsubscribe(
        context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        subscribers = clients.of(client_of(context)).subscribers
        subscribers.unsubscribe(named(context), str(params.uri))
        return types.EmptyResult()

    async def listen(
        context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        return await reader(context).subscribers.listen(context, params)

    async def roots_changed(context: Context, _: types.NotificationParams) -> None:
        clients.of(client_of(context)).roots.changed()

    async def initialized(context: Context, _: types.NotificationParams) -> None:
        clients.of(client_of(context)).subscribers.connected(named(context), context.session)

    server = OurServer(
        "tabwarden",
        version=__version__,
        instructions=clients.toolset.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_subscribe_resource=subscribe,
        on_unsubscribe_resource=unsubscribe,
        on_subscriptions_listen=listen,
        # Our tools take no parameters from headers, so skip the lookup for each call.
        get_tool_input_schema=lambda _: None,
    )
    server.extensions[EXTENSION_ID] = {}
    server.add_notification_handler(
        "notifications/initialized", types.NotificationParams, initialized
    )
    if host_is_here:
        server.add_notification_handler(
            "notifications/roots/list_changed", types.NotificationParams, roots_changed
        )
    return server


async def _called(
    clients: Clients,
    client: Client,
    caller: Caller,
    context: Context,
    params: types.CallToolRequestParams,
    roots: Roots | None,
) -> types.CallToolResult | types.InputRequiredResult:
    principal = caller.principal
    if hands_off := params.name == HANDOFF and client.allows("act", principal):
        if elicitation.asks_with_link(context):
            await clients.view.listening()
        if (question := elicitation.question(context, client.session, params)) is not None:
            return question
        elicitation.heard(context, client.session, params)
    prepared = client.prepare(params.name, params.arguments or {}, principal)
    budget = prepared.budget
    if roots is not None:
        within_s = budget.remaining_ms() / 1000
        if (which := await roots.learn(context, params, within_s)) is not None:
            return which

    async def report(now: CallProgress) -> None:
        await context.session.report_progress(now.elapsed_ms, now.budget_ms, progress_text(now))

    async with (
        caller.until_revoked(lambda: budget.cancel("the token was revoked")),
        elicitation.asking(context, client.session, params) if hands_off else nullcontext(),
    ):
        return as_result(await client.answer(prepared, principal, report), clients.structured)


def _reading(client: Client, caller: Principal) -> Client:
    """Return the client whose state a caller wants to read. Raise ``MCPError`` if the caller may
    not read it.
    """
    if not client.allows("read", caller):
        raise MCPError(types.INVALID_REQUEST, "This request needs the permission 'read'.")
    return client


def _read(client: Client, uri: str) -> types.ReadResourceResult:
    match uri:
        case resources.APP:
            return resources.read_app()
        case resources.LIVE:
            return client.live.read()
        case _:
            return resources.read(uri, client.session, client.picture)


def as_tool(tool: Tool, structured: Structured, meta: dict[str, Any] | None = None) -> types.Tool:
    """Convert a tool. ``meta`` is for the host, not for the model."""
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema if structured == "full" and not tool.pictures else None,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive and not tool.read_only,
            idempotent_hint=tool.idempotent or tool.read_only,
            open_world_hint=tool.open_world,
        ),
        _meta=meta,
    )


def as_result(answer: Answer, structured: Structured) -> types.CallToolResult:
    """Convert an answer to the SDK's result."""
    return types.CallToolResult.model_validate(result_json(answer, structured))
