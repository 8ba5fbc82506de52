"""Find an element from a recording, or the elements that are most similar to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.page.elements.actionability import Point, box
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.heal import locate, nearest_to
from tabwarden.page.elements.hit_test import ref_at
from tabwarden.page.elements.locators import locators_of
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.text import quoted

_NEAR = 1.5
"""The tolerance for an element's size, in pixels."""


class RecordedElement(NamedTuple):
    selector: str
    role: str
    name: str
    text: str = ""
    """The element's text, if it is short."""
    offset: tuple[float, float] | None = None
    """The point of the recorded call, relative to the element's top-left corner."""
    size: tuple[float, float] | None = None


class ReplayMatch(NamedTuple):
    """The element and the point for a recorded call, or the reason for no match and the most
    similar elements."""

    ref: str = ""
    point: tuple[float, float] | None = None
    why: str = ""
    nearest: tuple[dict[str, Any], ...] = ()


async def find_recorded(call: Call, recorded: RecordedElement) -> ReplayMatch:
    """Find a recorded element, waiting briefly for it. An element with another role or name does
    not match."""
    try:
        ref = await element_of(call, recorded.selector, hidden=True)
    except (InvalidArgument, NotInteractable) as error:
        candidates = [_brief(one) for one in error.data.get("candidates", ())]
        return ReplayMatch(
            why=error.message, nearest=tuple(candidates or await _nearest(call, recorded))
        )
    world = await locate(call, ref)
    current = await locators_of(call, world, ref.local_id)
    if current is None:
        raise stale(ref, "the page re-rendered it")
    if not recorded.selector.rpartition(" >> ")[2].startswith("text=") and not _is_same(
        current, recorded
    ):
        description = f"{current['role']} {quoted((current['name'] or current['text'])[:100])}"
        return ReplayMatch(why=f"{recorded.selector} now finds {description}.",
                   nearest=tuple(await _nearest(call, recorded)))  # fmt: skip
    if recorded.offset is None:
        return ReplayMatch(ref.ref)
    return await _point_in(call, ref, recorded)


def _is_same(current: Mapping[str, Any], recorded: RecordedElement) -> bool:
    role, name, text = current["role"], current["name"], current["text"]
    return not recorded.role or (role, name, text) == (recorded.role, recorded.name, recorded.text)


async def _point_in(call: Call, ref: Ref, recorded: RecordedElement) -> ReplayMatch:
    x, y, width, height = await box(call, ref)
    if recorded.size is not None and (
        abs(width - recorded.size[0]) > _NEAR or abs(height - recorded.size[1]) > _NEAR
    ):
        size = f"{width:g} x {height:g}, not {recorded.size[0]:g} x {recorded.size[1]:g} pixels"
        return ReplayMatch(why=f"The recorded point is in an element whose size is now {size}.")
    assert recorded.offset is not None
    point = (x + recorded.offset[0], y + recorded.offset[1])
    if await ref_at(call, Point(*point)) != ref.ref:
        return ReplayMatch(why="Another element now covers the recorded point.")
    return ReplayMatch(ref.ref, point)


async def _nearest(call: Call, recorded: RecordedElement) -> list[dict[str, Any]]:
    return [_brief(one) for one in await nearest_to(call, recorded.role, recorded.name)]


def _brief(one: dict[str, Any]) -> dict[str, Any]:
    return {key: one[key] for key in ("ref", "role", "name") if key in one}
