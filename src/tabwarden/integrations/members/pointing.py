"""What members do with the mouse and the keyboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.integrations.members.call import MemberCall, Outcome

LONGEST_S = 30
"""The longest wait or key press of the vendors' contracts, in seconds."""


async def click(
    call: MemberCall,
    at: Mapping[str, Any],
    *,
    button: str = "left",
    count: int = 1,
    modifiers: Sequence[str] = (),
) -> Outcome:
    """Click an element (``{"ref": ...}``) or a point (``{"x": ..., "y": ...}``)."""
    more = {"button": button if button != "left" else None, "count": count if count > 1 else None}
    return await call.act("click", **at, **more, modifiers=list(modifiers) or None)


async def mouse(call: MemberCall, mode: str, x: int, y: int) -> Outcome:
    """Move, press or release the mouse at a point, in CSS pixels of the viewport."""
    return await call.act("mouse", mode=mode, x=x, y=y, pixels="css")


async def drag(
    call: MemberCall, path: Sequence[tuple[int, int]], *, modifiers: Sequence[str] = ()
) -> Outcome:
    """Drag with the left button through points, in CSS pixels of the viewport."""
    (x, y), (to_x, to_y) = path[0], path[-1]
    return await call.act(
        "mouse",
        mode="drag",
        x=x,
        y=y,
        to_x=to_x,
        to_y=to_y,
        path=[list(point) for point in path[1:-1]] or None,
        modifiers=list(modifiers) or None,
        pixels="css",
    )


async def scroll(
    call: MemberCall, direction: str, pixels: float, at: Mapping[str, Any] | None = None
) -> Outcome:
    """Turn the wheel at a point, or in the middle of the viewport."""
    answer = await call.do("scroll", direction=direction, amount=pixels, **(at or {}))
    value = answer.data.get("value") or {}
    moved = f"Moved {abs(value['moved']):g} px, {value['left']:g} px left." if value else ""
    return Outcome(text=" ".join(filter(None, (moved, call.line_of(answer)))))


async def scroll_to(call: MemberCall, ref: str) -> Outcome:
    """Scroll an element into view."""
    return await call.act("hover", ref=call.ref(ref))


async def fill(call: MemberCall, ref: str, value: Any) -> Outcome:
    """Set one form control."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return await call.act("fill_form", fields=[{"ref": call.ref(ref), "value": value}])


def keys_of(modifiers: str | None) -> list[str]:
    """Return the keys of a text such as ``ctrl+shift``."""
    return [key.strip() for key in (modifiers or "").split("+") if key.strip()]


def check_range(field: str, value: float, low: float, high: float, unit: str) -> None:
    """Raise ``InvalidArgument`` unless a field's number is in its range."""
    if not low <= value <= high:
        raise InvalidArgument(
            f"{field} must be between {low:g} and {high:g} {unit}.",
            "To do more, call again.",
            field=field,
        )
