"""Check the requirements of each kind of act. The error messages are those that OpenClaw's clients
know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next

Given = Mapping[str, Any]

MAX_DELAY_MS = 5_000
"""How long a click may hover over its element."""
MAX_SIDE = 8_192
"""The largest width and height of a viewport, in CSS pixels."""


class NoSelector(InvalidArgument):
    """This kind of act does not accept a selector."""


def _place(kind: str, given: Given) -> None:
    ref = given.get("ref")
    named = isinstance(ref, str | int) and not isinstance(ref, bool) and ref != ""
    if given.get("selector") is None and not named:
        raise InvalidArgument(
            f"{kind} requires ref or selector.",
            Hint("Pass a ref from a snapshot", Next("snapshot"), ", or a selector."),
            field="ref",
        )


def _point(kind: str, given: Given) -> None:
    for side in ("x", "y"):
        if (_number(given.get(side)) or 0) < 0:
            raise InvalidArgument(
                f"{kind} requires non-negative x and y.",
                "Pass CSS pixels from the viewport's top left corner.",
                field=side,
            )


def _delay(kind: str, given: Given) -> None:
    if (_number(given.get("delayMs")) or 0) > MAX_DELAY_MS:
        raise InvalidArgument(
            f"{kind} delayMs exceeds maximum of {MAX_DELAY_MS}ms.",
            "Use a shorter delay, or the kind wait before it.",
            field="delayMs",
        )


def _key(kind: str, given: Given) -> None:
    if not given.get("key"):
        raise InvalidArgument(
            f"{kind} requires key.", "Pass a key, such as Enter, Tab or a.", field="key"
        )


def _size(kind: str, given: Given) -> None:
    for side in ("width", "height"):
        value = _number(given.get(side))
        if value is not None and value <= 0:
            raise InvalidArgument(
                f"{kind} requires positive width and height.", "Give CSS pixels.", field=side
            )
        if value is not None and value > MAX_SIDE:
            raise InvalidArgument(
                f"{kind} width and height must not exceed {MAX_SIDE}.",
                "Give a smaller viewport.",
                field=side,
            )


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None  # the type check reports this error


_DEMANDS: Mapping[str, tuple[Callable[[str, Given], None], ...]] = {
    "click": (_place, _delay),
    "clickCoords": (_point, _delay),
    "hover": (_place,),
    "scrollIntoView": (_place,),
    "select": (_place,),
    "press": (_key,),
    "resize": (_size,),
}


def demand(kind: str, given: Given) -> None:
    """Raise ``InvalidArgument`` if an act of this kind can't run with the fields ``given``."""
    for check in _DEMANDS.get(kind, ()):
        check(kind, given)
