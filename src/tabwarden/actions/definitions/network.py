from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import NetworkEntry, NetworkLog

__all__: list[str] = []


@action("browser_network", "network", read_only=True, gives=(NetworkLog, NetworkEntry))
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
        str | None, Field(description="One request (r-12), with its response body.")
    ] = None,
    max_chars: Annotated[
        int, Field(description="Maximum body length.", ge=1, le=1_000_000)
    ] = 20_000,
    **common: Any,
) -> Any:
    """List the tab's requests since the first call of this tool."""
    return await browser.network(
        url=url,
        resource_type=type,
        failed=failed,
        since=since,
        limit=limit,
        request_id=request_id,
        max_chars=max_chars,
        **common,
    )
