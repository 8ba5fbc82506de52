from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.actions.saving import saved
from tabwarden.browser import Browser
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import checked_filename, with_extension
from tabwarden.page.routing import ABORTS, RESOURCE_TYPES
from tabwarden.results import (
    HarFile,
    NetworkEntry,
    NetworkLog,
    Routed,
    Routes,
    RoutesRemoved,
    SavedFile,
)

__all__: list[str] = []


@action(
    "browser_network",
    "network",
    permission="read",
    group="logs",
    read_only=True,
    gives=(NetworkLog, NetworkEntry, HarFile, SavedFile),
)
async def network(
    browser: Browser,
    *,
    url: Annotated[
        str | None,
        Field(description="Text in the URL, or a * pattern."),
    ] = None,
    type: Annotated[  # noqa: A002 - the contract's name
        Literal[
            "document",
            "stylesheet",
            "image",
            "media",
            "font",
            "script",
            "xhr",
            "fetch",
            "eventsource",
            "websocket",
            "manifest",
            "ping",
            "preflight",
            "prefetch",
            "texttrack",
            "other",
        ]
        | None,
        Field(description="Only this resource type."),
    ] = None,
    failed: Annotated[
        bool, Field(description="Only failures and statuses of 400 or more.")
    ] = False,
    since: Annotated[str | None, Field(description="After this one (r-12).")] = None,
    limit: Annotated[int, Field(description="Maximum requests (the latest).", ge=1, le=500)] = 50,
    request_id: Annotated[
        str | None, Field(description="One request (r-12): headers, data sent, body, messages...")
    ] = None,
    max_chars: Annotated[
        int, Field(description="Maximum body length.", ge=1, le=1_000_000)
    ] = 20_000,
    filename: Annotated[
        str | None,
        Field(description="Save to this file: .har, other names the list or the request's body."),
    ] = None,
    content: Annotated[
        Literal["omit", "embed"], Field(description="embed: with the responses' texts.")
    ] = "omit",
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
    **common: Any,
) -> Any:
    """List the tab's requests since the first call of this tool."""
    ending = PurePath(filename or "").suffix.lower()
    if filename is not None and (request_id is not None or ending not in ("", ".har")):
        if content != "omit":
            raise InvalidArgument(
                "content is for HAR files.", "Omit it, or give a name such as a.har.",
                field="content",
            )  # fmt: skip
        return await _saved(
            browser,
            filename,
            overwrite=overwrite,
            url=url,
            resource_type=type,
            failed=failed,
            since=since,
            request_id=request_id,
            **common,
        )
    return await browser.network(
        url=url,
        resource_type=type,
        failed=failed,
        since=since,
        limit=limit,
        request_id=request_id,
        max_chars=max_chars,
        filename=filename,
        content=content,
        overwrite=overwrite,
        **common,
    )


async def _saved(
    browser: Browser, filename: str, *, overwrite: bool, request_id: str | None, **given: Any
) -> Any:
    """Save the body of one response, or the list of all requests that match, as JSON."""
    checked_filename(filename, "output")
    result = await browser.network(request_id=request_id, limit=500, as_bytes=True, **given)
    if request_id is None or result.interrupted:
        return await saved(browser.config, result, filename, overwrite=overwrite)
    one = result.value
    if "body" not in one:
        why = one.get("body_missing", "a WebSocket has messages, but no body")
        raise InvalidArgument(
            f"{request_id} has no body to save: {why}.",
            "Omit filename to see what is known of the request.",
            field="request_id",
        )
    body = msgspec.structs.replace(result, value=one["body"])
    name = with_extension(filename, one["mime_type"])
    return await saved(browser.config, body, name, overwrite=overwrite)


@action(
    "browser_route",
    "route",
    permission="scripts",
    group="network",
    opens=True,
    gives=(Routed, Routes, RoutesRemoved),
)
async def route(
    browser: Browser,
    *,
    url: Annotated[
        str | None,
        Field(description="Glob for the whole URL (**/api/*.{png,jpg}), or /regex/. Default: all."),
    ] = None,
    mode: Annotated[
        Literal["add", "list", "remove"],
        Field(description="remove: one by route_id, those of url, or all."),
    ] = "add",
    method: Annotated[str | None, Field(description="Only this method.")] = None,
    resource_type: Annotated[
        list[Literal[RESOURCE_TYPES]] | None,  # type: ignore[valid-type]
        Field(description="Only these types. xhr, fetch and eventsource mean the same."),
    ] = None,
    abort: Annotated[
        Literal[tuple(ABORTS)] | None,  # type: ignore[valid-type]
        Field(description="Fail the request."),
    ] = None,
    status: Annotated[int | None, Field(description="Answer with it. Default: 200.")] = None,
    body: Annotated[str | None, Field(description="Answer with this text.")] = None,
    path: Annotated[
        str | None, Field(description="Answer with this file of the upload folder.")
    ] = None,
    content_type: Annotated[str | None, Field(description="The answer's type.")] = None,
    headers: Annotated[
        dict[str, str | None] | None,
        Field(description="The answer's; without an answer: set on the request, null removes."),
    ] = None,
    delay_ms: Annotated[float | None, Field(description="First wait.")] = None,
    times: Annotated[int | None, Field(description="Take only so many requests.")] = None,
    route_id: Annotated[str | None, Field(description="For remove: such as ro-1.")] = None,
    **common: Any,
) -> Any:
    """Block, answer, change or delay the requests of all tabs. The latest matching route wins."""
    return await browser.route(
        url,
        mode=mode,
        method=method,
        resource_type=resource_type,
        abort=abort,
        status=status,
        body=body,
        path=path,
        content_type=content_type,
        headers=headers,
        delay_ms=delay_ms,
        times=times,
        route_id=route_id,
        **common,
    )
