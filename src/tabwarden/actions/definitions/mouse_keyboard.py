from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.definitions.parameters import OptionalRef, Shows, X, Y
from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Dragged, Scrolled, Typed

__all__: list[str] = []


@action("browser_click", "click", permission="act", group="core")
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
        list[str], Field(description="Keys to hold down: Alt, Control, Meta, Shift.")
    ] = [],  # noqa: B006 - pydantic copies it, and the schema shows it
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Click an element by ref, or a point. Scrolls to it and checks that nothing covers it.

    If a dialog opens, returns it at once, with status "interrupted".
    """
    return await browser.click(
        ref, x=x, y=y, button=button, count=count, modifiers=modifiers, snapshot=snapshot, **common
    )


@action(
    "browser_hover", "hover", permission="act", group="pages", destructive=False, idempotent=True
)
async def hover(
    browser: Browser,
    *,
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Move the mouse over an element or a point."""
    return await browser.hover(ref, x=x, y=y, snapshot=snapshot, **common)


@action("browser_type", "type", permission="act", group="core", gives=Typed)
async def type_text(
    browser: Browser,
    *,
    text: Annotated[str, Field(description="Text to type.")],
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    clear: Annotated[
        bool | None, Field(description="Replace its text (default with ref), or add to it.")
    ] = None,
    press_enter: Annotated[bool, Field(description="Then press Enter to submit.")] = False,
    slowly: Annotated[
        bool, Field(description="Type key by key, for pages that handle keys.")
    ] = False,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Type text into a field by ref, replacing its text, or at a point or the focus."""
    return await browser.type(
        text,
        ref,
        x=x,
        y=y,
        clear=clear,
        press_enter=press_enter,
        slowly=slowly,
        snapshot=snapshot,
        **common,
    )


@action("browser_press", "key", permission="act", group="core")
async def press(
    browser: Browser,
    *,
    key: Annotated[
        str, Field(description="Enter, Tab, Escape, ArrowDown, a, Ctrl+A, Shift+Tab, ...")
    ],
    times: Annotated[int, Field(description="How many times.", ge=1, le=50)] = 1,
    hold_ms: Annotated[
        float, Field(description="Milliseconds to keep the key down.", ge=0, le=60_000)
    ] = 0,
    mode: Annotated[
        Literal["press", "down", "up"], Field(description="down keeps one key down until up.")
    ] = "press",
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Press a key or key combination in the focused element."""
    return await browser.press(
        key, times=times, hold_ms=hold_ms, mode=mode, snapshot=snapshot, **common
    )


@action(
    "browser_scroll", "scroll", permission="act", group="core", destructive=False, gives=Scrolled
)
async def scroll(
    browser: Browser,
    *,
    direction: Annotated[
        Literal["up", "down", "left", "right"], Field(description="Scroll direction.")
    ] = "down",
    amount: Annotated[float, Field(description="Distance in CSS pixels.", ge=1, le=100_000)] = 500,
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Turn the mouse wheel over an element, a point, or the middle of the viewport.

    Returns the distances scrolled and left. Clicking and typing by ref scroll by themselves.
    """
    return await browser.scroll(direction, amount, ref, x=x, y=y, snapshot=snapshot, **common)


@action("browser_drag", "drag", permission="act", group="pages", gives=Dragged)
async def drag(
    browser: Browser,
    *,
    from_ref: Annotated[str | None, Field(description="Ref of the element to drag.")] = None,
    to_ref: Annotated[str | None, Field(description="Ref of the drop target.")] = None,
    from_x: Annotated[float | None, Field(description="Instead of from_ref: a point.")] = None,
    from_y: Annotated[float | None, Field(description="Pixels from the top.")] = None,
    to_x: Annotated[
        float | None, Field(description="A point, or with to_ref from its middle.")
    ] = None,
    to_y: Annotated[float | None, Field(description="Pixels from the top.")] = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Drag with the mouse from one element or point to another, and drop."""
    return await browser.drag(
        from_ref,
        to_ref,
        from_x=from_x,
        from_y=from_y,
        to_x=to_x,
        to_y=to_y,
        snapshot=snapshot,
        **common,
    )
