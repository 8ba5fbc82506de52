"""Actions for those who know JavaScript or CDP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.parameters import FrameId, OptionalRef
from tabwarden.actions.registry import action
from tabwarden.browser import Browser

__all__: list[str] = []


@action("browser_evaluate", "script", switch="evaluate_enabled", gives=Any)
async def evaluate(
    browser: Browser,
    *,
    script: Annotated[
        str,
        Field(
            description="An expression, a function ('(el) => el.value', called with the element "
            "of ref), or statements with return. Promises are awaited."
        ),
    ],
    ref: OptionalRef = None,
    frame_id: FrameId = None,
    args: Annotated[
        list[Any], Field(description="JSON values for the function, after the element.")
    ] = [],  # noqa: B006 - pydantic copies it, and the schema shows it
    world: Annotated[
        Literal["main", "isolated"],
        Field(description="isolated: the same document, out of sight of the page's own scripts."),
    ] = "main",
    backend_node_id: Annotated[
        int | None, Field(description="An element by CDP's backendNodeId instead of ref.")
    ] = None,
    **common: Any,
) -> Any:
    """Run JavaScript in the page and return its value as JSON.

    A script that does not end is stopped when timeout_ms has passed; the tab works on.
    """
    return await browser.evaluate(
        script,
        ref=ref,
        frame_id=frame_id,
        args=args,
        world=world,
        backend_node_id=backend_node_id,
        **common,
    )


@action("browser_cdp", "cdp", switch="cdp_enabled", needs="cdp", gives=Any)
async def cdp(
    browser: Browser,
    *,
    method: Annotated[str, Field(description="A CDP method, such as Page.getFrameTree.")],
    params: Annotated[dict[str, Any] | None, Field(description="Its parameters.")] = None,
    frame_id: Annotated[
        str | None, Field(description="An out-of-process frame: over its own session.")
    ] = None,
    target_id: Annotated[str | None, Field(description="A target: over its own session.")] = None,
    **common: Any,
) -> Any:
    """Send one raw Chrome DevTools Protocol command and return its result."""
    return await browser.cdp(method, params, frame_id=frame_id, target_id=target_id, **common)
