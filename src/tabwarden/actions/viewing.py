"""Actions on how a page is looked at: what to wait for, and in which size."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.parameters import Shows
from tabwarden.actions.registry import action
from tabwarden.browser import Browser

__all__: list[str] = []


@action("browser_wait", "wait", read_only=True)
async def wait(
    browser: Browser,
    *,
    time_s: Annotated[
        float | None, Field(description="Seconds; less than timeout_ms allows.", ge=0)
    ] = None,
    text: Annotated[str | None, Field(description="Until this is shown, in any frame.")] = None,
    text_gone: Annotated[str | None, Field(description="Until this is not shown.")] = None,
    selector: Annotated[
        str | None, Field(description="Until a CSS selector matches what is shown.")
    ] = None,
    url: Annotated[
        str | None, Field(description="Until the URL contains this; or a pattern with *.")
    ] = None,
    load_state: Annotated[
        Literal["domcontentloaded", "load", "networkidle"] | None,
        Field(description="Until the page has got that far."),
    ] = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Wait for exactly one thing. Actions wait for what they set off by themselves."""
    return await browser.wait(
        time_s,
        text=text,
        text_gone=text_gone,
        selector=selector,
        url=url,
        load_state=load_state,
        snapshot=snapshot,
        **common,
    )


@action("browser_resize", "resize")
async def resize(
    browser: Browser,
    *,
    width: Annotated[int, Field(description="CSS pixels.", ge=100, le=8192)],
    height: Annotated[int, Field(description="CSS pixels.", ge=100, le=8192)],
    **common: Any,
) -> Any:
    """Set the size of the tab's viewport; it stays over navigations."""
    return await browser.resize(width, height, **common)


@action("browser_highlight", "highlight", read_only=True)
async def highlight(
    browser: Browser,
    *,
    ref: Annotated[str, Field(description="The element's ref from the last snapshot.")],
    duration_s: Annotated[
        float, Field(description="How long it stays, seconds.", ge=0.1, le=60)
    ] = 10,
    **common: Any,
) -> Any:
    """Draw a box around an element, for a person who looks. The next action takes it away."""
    return await browser.highlight(ref, duration_s=duration_s, **common)
