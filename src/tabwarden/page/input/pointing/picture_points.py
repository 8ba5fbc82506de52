"""Convert points on the tab's last screenshot to points on the page.

A screenshot may be scaled, or show only a part of the page, and a host may shrink it further. The
model gives points in the image that it sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.call import BARS, bar_sizes, coordinate, within
from tabwarden.page.elements import Point
from tabwarden.page.task import Call, TakenPicture, View
from tabwarden.page.walker import call_walker
from tabwarden.protocol import page

Pixels = Literal["picture", "css"]
NamedPoint = tuple[str, float, str, float]
"""A point, with the names of the two parameters that contain it: ``("x", 12.0, "y", 30.0)``."""
_STILL = 0.5
"""The tolerance in CSS pixels. A page that has scrolled or grown by less than this counts as
unchanged."""


PictureX = Annotated[float | None, Field(description="Screenshot pixels from the left edge.")]
PictureY = Annotated[float | None, Field(description="Screenshot pixels from the top edge.")]
GestureEnd = Annotated[float | None, Field(description="Where a drag or swipe ends.")]
PixelsParameter = Annotated[
    Pixels, Field(description="css: points are viewport coordinates in CSS pixels.")
]
PictureWidth = Annotated[
    int | None,
    Field(description="The width at which you saw the screenshot, if it was scaled down.", ge=1),
]
HoldMs = Annotated[
    float, Field(description="Milliseconds to hold the button or finger down.", ge=0, le=60_000)
]


def point_named(x_name: str, x: Any, y_name: str, y: Any) -> NamedPoint | None:
    """Check a point. Return None if the caller gave neither ``x`` nor ``y``."""
    if x is None and y is None:
        return None
    if x is None or y is None:
        raise InvalidArgument(
            f"A point needs both {x_name} and {y_name}.",
            "Give both coordinates.",
            field=x_name if x is None else y_name,
        )
    return x_name, coordinate(x_name, x), y_name, coordinate(y_name, y)


def check_pixels(pixels: str, picture_width: int | None) -> None:
    if picture_width is not None:
        within("picture_width", picture_width, 1, 100_000)
        if pixels == "css":
            raise InvalidArgument(
                "picture_width does not apply to pixels='css'.", "Omit it.", field="picture_width"
            )


async def points_on_screen(
    call: Call, named_points: Sequence[NamedPoint], *, pixels: Pixels, picture_width: int | None
) -> list[Point]:
    """Return the points in CSS pixels of the viewport. Scroll to points on a full-page screenshot.

    Args:
        call: the running call.
        named_points: the points.
        pixels: ``picture`` for pixels of the tab's last screenshot, if there is one; otherwise
            ``css``.
        picture_width: the screenshot's width as the model saw it; None for the full width.

    Raises:
        InvalidArgument: a point is outside the screenshot or the viewport, or the page has
            navigated, scrolled or changed its size since the screenshot.
    """
    if not named_points:
        return []
    bars_question = call.race.start(BARS, call.tab.session_id)
    now = View.of(await call.race.call(page.GetLayoutMetrics(), call.tab.session_id))
    bars = await bar_sizes(call.race, bars_question)
    picture = call.memory.picture if pixels == "picture" else None
    if picture is None:
        if picture_width is not None:
            raise InvalidArgument(
                "picture_width is the width of a screenshot, but this tab has no screenshot.",
                Hint("Take a screenshot", Next("screenshot"), ", or omit picture_width."),
                field="picture_width",
            )
        return [_to_viewport(one, Point(one[1], one[3]), now, bars) for one in named_points]
    _check_is_current(call, picture, now)
    on_page = [_to_page(one, picture, picture_width) for one in named_points]
    if picture.of_page and not all(_shows(point, now) for point in on_page):
        now = await _scroll_to(call, on_page[0], now)
    return [
        _to_viewport(one, Point(point.x - now.x, point.y - now.y), now, bars)
        for one, point in zip(named_points, on_page, strict=True)
    ]


def _to_page(named_point: NamedPoint, picture: TakenPicture, picture_width: int | None) -> Point:
    """Convert a point on the screenshot to a point on the page."""
    x_name, x, y_name, y = named_point
    shrunk = 1.0 if picture_width is None else picture_width / picture.width
    width, height = picture.width * shrunk, picture.height * shrunk
    for field, value, size in ((x_name, x, width), (y_name, y, height)):
        if not 0 <= value <= size:
            raise InvalidArgument(
                f"{field}={value:g} is outside the screenshot {picture.id}, which has "
                f"{width:.0f} x {height:.0f} pixels.",
                Hint(
                    "Nothing was done. Points start at the top left corner of the tab's latest "
                    "screenshot",
                    Next("screenshot"),
                    "; with pixels='css', they are viewport coordinates in CSS pixels.",
                ),
                field=field,
                picture=picture.id,
            )
    scale = picture.scale * shrunk
    return Point(picture.x + x / scale, picture.y + y / scale)


def _check_is_current(call: Call, picture: TakenPicture, now: View) -> None:
    old = picture.view
    if picture.document != call.state.document_in(call.tab.tab_id):
        why = "the tab now shows another page"
    elif not _same((old.width, old.height), (now.width, now.height)):
        why = (
            f"the viewport was {old.width:.0f} x {old.height:.0f} CSS pixels and now is "
            f"{now.width:.0f} x {now.height:.0f}"
        )
    elif not picture.of_page and not _same((old.x, old.y), (now.x, now.y)):
        why = f"the page has scrolled by ({now.x - old.x:.0f}, {now.y - old.y:.0f}) CSS pixels"
    else:
        return
    raise InvalidArgument(
        f"The screenshot {picture.id} is out of date: {why}.",
        Hint("Nothing was done. Take a new screenshot", Next("screenshot"), "."),
        field="x",
        picture=picture.id,
    )


def _same(before: tuple[float, float], now: tuple[float, float]) -> bool:
    return all(abs(one - other) < _STILL for one, other in zip(before, now, strict=True))


def _shows(point: Point, now: View) -> bool:
    return now.x <= point.x <= now.x + now.width and now.y <= point.y <= now.y + now.height


async def _scroll_to(call: Call, point: Point, view: View) -> View:
    """Scroll the page until a point is in the middle of the viewport."""
    top = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    world = await call.task.worlds.of(call.race, top)
    await call_walker(
        call.race, world, "scrollPage", point.x - view.width / 2, point.y - view.height / 2
    )
    # The browser uses the last painted image to find the frame under a point.
    await call_walker(call.race, world, "drawn")
    return View.of(await call.race.call(page.GetLayoutMetrics(), call.tab.session_id))


def _to_viewport(
    named_point: NamedPoint, point: Point, now: View, bars: tuple[float, float]
) -> Point:
    x_name, _, y_name, _ = named_point
    size = (now.width + bars[0], now.height + bars[1])
    for field, value, side in ((x_name, point.x, size[0]), (y_name, point.y, size[1])):
        if not 0 <= value < side:
            raise InvalidArgument(
                f"{field}={value:g} is outside the viewport, which is {size[0]:g} x {size[1]:g}.",
                "Nothing was done. Scroll first, or use the ref of an element.",
                field=field,
                viewport={"width": size[0], "height": size[1]},
            )
    return point
