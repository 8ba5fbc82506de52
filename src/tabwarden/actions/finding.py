"""The action that finds elements without a snapshot."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.parameters import FrameId
from tabwarden.actions.registry import action
from tabwarden.actions.values import Findings
from tabwarden.browser import Browser

__all__: list[str] = []


@action("browser_find", "find", read_only=True, gives=Findings)
async def find(
    browser: Browser,
    *,
    text: Annotated[
        str | None, Field(description="What an element shows or is named by, or a part of it.")
    ] = None,
    role: Annotated[
        str | None, Field(description="Instead: its role (button, link, textbox, ...).")
    ] = None,
    name: Annotated[
        str | None, Field(description="A part of its name; with or without role.")
    ] = None,
    css: Annotated[str | None, Field(description="Instead: a CSS selector.")] = None,
    xpath: Annotated[str | None, Field(description="Instead: an XPath expression.")] = None,
    frame_id: FrameId = None,
    max: Annotated[  # noqa: A002 - the contract's name
        int, Field(description="How many to give.", ge=1, le=1000)
    ] = 20,
    **common: Any,
) -> Any:
    """Find elements in all frames and get their refs, without a whole snapshot."""
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
