"""What members do with the mouse and the keyboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.integrations.members.call import MemberCall, Outcome
from tabwarden.page.text import quoted
from tabwarden.vault import names_in

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
    """Click an element (``{"ref": ...}``) or a point (``{"x": ..., "y": ...}``). The line after a
    click on a point names the element there."""
    more = {
        "button": button if button != "left" else None,
        "count": count if count > 1 else None,
        "modifiers": list(modifiers) or None,
    }
    if "ref" in at:
        return await call.act("click", **at, **more)
    return await _pressed(call, mode="click", **at, **more)


async def mouse(call: MemberCall, mode: str, x: int, y: int) -> Outcome:
    """Move, press or release the mouse at a point of the last screenshot."""
    return await _pressed(call, mode=mode, **call.point(x, y))


async def _pressed(call: MemberCall, **arguments: Any) -> Outcome:
    """Use the mouse, and name the element that it hit."""
    answer = await call.do("mouse", **arguments, pixels="css")
    value = answer.data.get("value") or {}
    hit = ""
    if value.get("ref"):
        named = f" {quoted(value['name'])}" if value.get("name") else ""
        hit = call.vendors(f"At {value['role']}{named} [ref={value['ref']}].")
    return Outcome(text=" ".join(filter(None, (hit, call.line_of(answer)))))


async def drag(
    call: MemberCall, path: Sequence[tuple[int, int]], *, modifiers: Sequence[str] = ()
) -> Outcome:
    """Drag with the left button through points of the last screenshot."""
    points = [list(call.point(*point).values()) for point in path]
    keys = list(modifiers) or None
    return await call.act("mouse", mode="drag", path=points, modifiers=keys, pixels="css")


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
    return await call.act("scroll", ref=call.ref(ref), amount=0)


async def at_focus(call: MemberCall, text: str) -> dict[str, Any]:
    """Return the arguments of ``type`` for the focused field. A secret goes only into a field
    by ref, so that it reaches no other element."""
    if not names_in(text):
        return {"text": text}
    fields = (await call.do("find", css=":focus:not(iframe)")).data["value"]["found"]
    # The last one is inside of the others.
    return {"text": text, **({"ref": fields[-1]["ref"], "clear": False} if fields else {})}


async def fill(call: MemberCall, ref: str, value: Any) -> Outcome:
    """Set one form control."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return await call.act("fill_form", fields=[{"ref": call.ref(ref), "value": value}])


def chord(keys: Sequence[str]) -> str:
    """Return keys that are pressed together as a name for ``press``."""
    return "+".join("plus" if key == "+" else key for key in keys)


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
