from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.definitions.parameters import FrameId
from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Findings

__all__: list[str] = []


@action("browser_find", "find", permission="read", group="pages", read_only=True, gives=Findings)
async def find(
    browser: Browser,
    *,
    text: Annotated[str | None, Field(description="Part of the visible text or name.")] = None,
    role: Annotated[str | None, Field(description="Instead of text: the role (button...).")] = None,
    name: Annotated[str | None, Field(description="Part of the name, also with role.")] = None,
    css: Annotated[str | None, Field(description="Or a CSS selector.")] = None,
    xpath: Annotated[str | None, Field(description="Or an XPath expression.")] = None,
    frame_id: FrameId = None,
    max: Annotated[  # noqa: A002 - the contract's name
        int, Field(description="Maximum results.", ge=1, le=1000)
    ] = 20,
    **common: Any,
) -> Any:
    """Find elements in all frames and get their refs, without a snapshot."""
    return await browser.find(
        text,
        role=role,
        name=name,
        css=css,
        xpath=xpath,
        frame_id=frame_id,
        max=max,
        **common,
    )
