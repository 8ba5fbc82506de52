"""Actions of the mouse and of fingers for models that see pictures, and drops from outside."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.definitions.parameters import OptionalRef, Shows, X, Y
from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Dropped, Pointed, Touched

__all__: list[str] = []

_X = Annotated[float | None, Field(description="Pixels of the picture from its left.")]
_Y = Annotated[float | None, Field(description="Pixels of the picture from its top.")]
_TO = Annotated[float | None, Field(description="Where a drag or swipe ends.")]
_Pixels = Annotated[
    Literal["picture", "css"],
    Field(description="css: points count CSS pixels of the viewport."),
]
_Width = Annotated[
    int | None,
    Field(description="The picture's width as you saw it, if smaller than told.", ge=1),
]
_Hold = Annotated[float, Field(description="Milliseconds to keep it down.", ge=0, le=60_000)]


@action("browser_mouse", "mouse", permission="act", group="vision", gives=Pointed)
async def mouse(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["move", "click", "down", "up", "drag", "wheel"],
        Field(description="What the mouse does."),
    ],
    x: _X = None,
    y: _Y = None,
    to_x: _TO = None,
    to_y: _TO = None,
    path: Annotated[
        list[list[float]], Field(description="Points on a drag's way: [[x, y], ...].")
    ] = [],  # noqa: B006 - pydantic copies it, and the schema shows it
    button: Annotated[
        Literal["left", "middle", "right"], Field(description="The mouse button.")
    ] = "left",
    count: Annotated[int, Field(description="2 for a double click.", ge=1, le=3)] = 1,
    hold_ms: _Hold = 0,
    delta_x: Annotated[float, Field(description="For wheel: CSS pixels to the right.")] = 0,
    delta_y: Annotated[float, Field(description="For wheel: CSS pixels down.")] = 0,
    modifiers: Annotated[
        list[str], Field(description="Keys to hold down: Alt, Control, Meta, Shift.")
    ] = [],  # noqa: B006
    pixels: _Pixels = "picture",
    picture_width: _Width = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Use the mouse at points of the tab's last browser_screenshot, in that picture's pixels.

    Finds the points at any scale of the picture. Refuses if the page has moved since.
    """
    return await browser.mouse(
        mode,
        x,
        y,
        to_x=to_x,
        to_y=to_y,
        path=path,
        button=button,
        count=count,
        hold_ms=hold_ms,
        delta_x=delta_x,
        delta_y=delta_y,
        modifiers=modifiers,
        pixels=pixels,
        picture_width=picture_width,
        snapshot=snapshot,
        **common,
    )


@action("browser_touch", "touch", permission="act", group="vision", gives=Touched)
async def touch(
    browser: Browser,
    *,
    mode: Annotated[Literal["tap", "swipe", "pinch"], Field(description="The gesture.")],
    ref: OptionalRef = None,
    x: _X = None,
    y: _Y = None,
    to_x: _TO = None,
    to_y: _TO = None,
    direction: Annotated[
        Literal["up", "down", "left", "right"] | None,
        Field(description="Where the finger swipes: up scrolls down."),
    ] = None,
    distance: Annotated[
        float, Field(description="Of a swipe, in CSS pixels.", ge=1, le=100_000)
    ] = 300,
    scale: Annotated[
        float | None, Field(description="Of a pinch: 2 zooms in, 0.5 out.", ge=0.2, le=5)
    ] = None,
    hold_ms: _Hold = 0,
    pixels: _Pixels = "picture",
    picture_width: _Width = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Tap, swipe or pinch with fingers, by ref or at points as browser_mouse takes them."""
    return await browser.touch(
        mode,
        ref,
        x=x,
        y=y,
        to_x=to_x,
        to_y=to_y,
        direction=direction,
        distance=distance,
        scale=scale,
        hold_ms=hold_ms,
        pixels=pixels,
        picture_width=picture_width,
        snapshot=snapshot,
        **common,
    )


@action("browser_drop", "drop", permission="act", group="pages", gives=Dropped)
async def drop(
    browser: Browser,
    *,
    ref: OptionalRef = None,
    filenames: Annotated[
        list[str], Field(description="Plain file names in the upload folder.")
    ] = [],  # noqa: B006
    data: Annotated[
        dict[str, str] | None,
        Field(description="Texts by MIME type: {'text/plain': 'words'}."),
    ] = None,
    x: X = None,
    y: Y = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Drop files or data on an element, as if dragged from outside the page."""
    return await browser.drop(ref, filenames, data=data, x=x, y=y, snapshot=snapshot, **common)
