"""Targets: the locators that a trace has for an element, in the order of a script's preference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.export.hidden import HIDDEN
from tabwarden.export.steps import Target


def target_of(
    found: Mapping[str, Any], point: tuple[float, float] | None, *, exactly: bool
) -> Target:
    """Return a target. ``exactly``: leave out locators that find an element inside of it."""
    unique = [
        one
        for one in found["candidates"]
        if one.get("unique")
        and not (exactly and "inside" in one)
        and not any(HIDDEN.search(str(text)) for text in one.values())
    ]
    ours = ("unique", "exact", "inside")
    locators = [{key: one[key] for key in one if key not in ours} for one in unique]
    return Target(
        tag=found.get("tag", ""),
        role=found.get("role", ""),
        name=found.get("name", ""),
        text=found.get("text", ""),
        frames=tuple(found.get("frames", ())),
        locators=tuple(locators),
        point=point,
        offset=_pair(found.get("offset")),
        position=_pair(found.get("position")),
        size=_pair(found.get("size")),
    )


def by_place(target: Target) -> Target:
    """Prefer locators that stay when the element's text changes, as it may during a wait."""
    stay = [one for one in target.locators if one["by"] in ("test_id", "css")]
    others = [one for one in target.locators if one not in stay]
    return msgspec.structs.replace(target, locators=(*stay, *others))


def _pair(value: Any) -> tuple[float, float] | None:
    return None if value is None else (float(value[0]), float(value[1]))
