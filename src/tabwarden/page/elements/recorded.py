"""Recorded: finds the element that a recording means, or says what is nearest to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.page.elements.actionability import Point, box
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.heal import locate, nearest_to
from tabwarden.page.elements.hit_test import ref_at
from tabwarden.page.elements.locators import located
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.text import quoted

_NEAR = 1.5
"""How many pixels the size of an element may differ."""


class Recorded(NamedTuple):
    selector: str
    role: str
    name: str
    text: str = ""
    """The element's text, if it is short."""
    offset: tuple[float, float] | None = None
    """The point in the element that the recorded call named, from its corner."""
    size: tuple[float, float] | None = None


class Met(NamedTuple):
    """What a replay found: the element, and the point in it; or why not, and what is nearest."""

    ref: str = ""
    point: tuple[float, float] | None = None
    why: str = ""
    nearest: tuple[dict[str, Any], ...] = ()


async def meet(call: Call, sought: Recorded) -> Met:
    """Wait briefly for a recorded element. An element of another role or name is not it."""
    try:
        found = await element_of(call, sought.selector, hidden=True)
    except (InvalidArgument, NotInteractable) as error:
        candidates = [_shown(one) for one in error.data.get("candidates", ())]
        return Met(why=error.message, nearest=tuple(candidates or await _nearest(call, sought)))
    world = await locate(call, found)
    now = await located(call, world, found.local_id)
    if now is None:
        raise stale(found, "the page rendered it again")
    if not sought.selector.rpartition(" >> ")[2].startswith("text=") and not _is(now, sought):
        named = f"{now['role']} {quoted((now['name'] or now['text'])[:100])}"
        return Met(why=f"What {sought.selector} finds is now {named}.",
                   nearest=tuple(await _nearest(call, sought)))  # fmt: skip
    if sought.offset is None:
        return Met(found.ref)
    return await _point_in(call, found, sought)


def _is(now: Mapping[str, Any], sought: Recorded) -> bool:
    role, name, text = now["role"], now["name"], now["text"]
    return not sought.role or (role, name, text) == (sought.role, sought.name, sought.text)


async def _point_in(call: Call, found: Ref, sought: Recorded) -> Met:
    x, y, width, height = await box(call, found)
    if sought.size is not None and (
        abs(width - sought.size[0]) > _NEAR or abs(height - sought.size[1]) > _NEAR
    ):
        size = f"{width:g} x {height:g}, not {sought.size[0]:g} x {sought.size[1]:g} pixels"
        return Met(why=f"The recorded point is in an element whose size is now {size}.")
    assert sought.offset is not None
    point = (x + sought.offset[0], y + sought.offset[1])
    if await ref_at(call, Point(*point)) != found.ref:
        return Met(why="Another element now covers the recorded point.")
    return Met(found.ref, point)


async def _nearest(call: Call, sought: Recorded) -> list[dict[str, Any]]:
    return [_shown(one) for one in await nearest_to(call, sought.role, sought.name)]


def _shown(one: dict[str, Any]) -> dict[str, Any]:
    return {key: one[key] for key in ("ref", "role", "name") if key in one}
