"""Actions with mouse and keyboard."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.parameters import OptionalRef, X, Y
from tabwarden.actions.registry import action
from tabwarden.browser import Browser

__all__: list[str] = []


@action("browser_click", "click")
async def click(
    browser: Browser,
    *,
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    button: Annotated[
        Literal["left", "middle", "right"], Field(description="The mouse button.")
    ] = "left",
    count: Annotated[int, Field(description="2 for a double click.", ge=1, le=3)] = 1,
    modifiers: Annotated[
        list[str], Field(description="Keys held: Alt, Control, Meta, Shift.")
    ] = [],  # noqa: B006 - pydantic copies it, and the schema shows it
    **common: Any,
) -> Any:
    """Click an element by ref (scrolled into view, checked not to be covered) or a point.

    If the click opens a dialog this returns at once with status "interrupted" and the dialog.
    """
    return await browser.click(
        ref, x=x, y=y, button=button, count=count, modifiers=modifiers, **common
    )


@action("browser_hover", "hover")
async def hover(
    browser: Browser, *, ref: OptionalRef = None, x: X = None, y: Y = None, **common: Any
) -> Any:
    """Move the mouse over an element or a point."""
    return await browser.hover(ref, x=x, y=y, **common)


@action("browser_type", "type")
async def type_text(
    browser: Browser,
    *,
    text: Annotated[str, Field(description="What to type; any Unicode.")],
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    clear: Annotated[bool, Field(description="Replace what the field holds.")] = False,
    press_enter: Annotated[bool, Field(description="Press Enter after, to submit.")] = False,
    **common: Any,
) -> Any:
    """Type text into a field by ref, at a point, or where the focus is."""
    return await browser.type(text, ref, x=x, y=y, clear=clear, press_enter=press_enter, **common)


@action("browser_press", "key")
async def press(
    browser: Browser,
    *,
    key: Annotated[
        str, Field(description="Enter, Tab, Escape, ArrowDown, a, Ctrl+A, Shift+Tab, ...")
    ],
    times: Annotated[int, Field(description="How often.", ge=1, le=50)] = 1,
    **common: Any,
) -> Any:
    """Press a key or a chord where the focus is."""
    return await browser.press(key, times=times, **common)
