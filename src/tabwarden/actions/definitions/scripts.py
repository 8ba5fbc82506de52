"""Actions for models that know JavaScript or CDP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.page.task import FrameId, OptionalRef

__all__: list[str] = []


@action(
    "browser_evaluate",
    "script",
    permission="scripts",
    group="core",
    switch="evaluate_enabled",
    gives=Any,
    saves={},
)
async def evaluate(
    browser: Browser,
    *,
    script: Annotated[
        str,
        Field(
            description="An expression, a function ('(el) => el.value' gets ref's element), or "
            "statements with return. Awaits promises."
        ),
    ],
    ref: OptionalRef = None,
    frame_id: FrameId = None,
    args: Annotated[
        list[Any], Field(description="The function's arguments, after the element.")
    ] = [],  # noqa: B006 - pydantic copies it, and the schema shows it
    world: Annotated[
        Literal["main", "isolated"],
        Field(description="isolated: same document, invisible to the page's scripts."),
    ] = "main",
    backend_node_id: Annotated[
        int | None, Field(description="CDP backendNodeId, instead of ref.")
    ] = None,
    user_gesture: Annotated[
        bool, Field(description="Run as a user action: allows popups, sound, clipboard.")
    ] = True,
    **common: Any,
) -> Any:
    """Run JavaScript in the page and return its value as JSON.

    Stops the script after timeout_ms; the tab still works.
    """
    return await browser.evaluate(
        script,
        ref=ref,
        frame_id=frame_id,
        args=args,
        world=world,
        backend_node_id=backend_node_id,
        user_gesture=user_gesture,
        **common,
    )


@action(
    "browser_cdp",
    "cdp",
    permission="scripts",
    group="browsers",
    switch="cdp_enabled",
    needs="cdp",
    gives=Any,
)
async def cdp(
    browser: Browser,
    *,
    method: Annotated[str, Field(description="A CDP method, such as Page.getFrameTree.")],
    params: Annotated[dict[str, Any] | None, Field(description="The command's parameters.")] = None,
    frame_id: Annotated[
        str | None, Field(description="Use this out-of-process frame's session.")
    ] = None,
    target_id: Annotated[str | None, Field(description="Use this target's session.")] = None,
    **common: Any,
) -> Any:
    """Send one raw Chrome DevTools Protocol command and return its result."""
    return await browser.cdp(method, params, frame_id=frame_id, target_id=target_id, **common)
