"""Decide how long to wait for an obstacle to disappear. Pure decisions without I/O.

| the obstacle | how long to wait |
|---|---|
| is busy (``aria-busy``, a spinner, "Loading"), or fades | at most 5 s |
| is a page dialog or a menu, or has a button that closes it | not at all |
| is in a page whose first requests are still under way | at most 5 s |
| is a cover that appeared less than 2 s ago | at most 5 s |
| is the element itself, which changed less than 2 s ago | until 2 s after that, at least 1 s |
| is anything else | 1 s |
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tabwarden.page.elements.timing import ACTIONABLE_MS, NEW_MS, PASSING_MS, REQUESTS_MS

_LISTED = 5
_CLOSES = re.compile(
    r"^[x\u00d7✕✖]$|\b(close|dismiss|accept|agree|allow|got it|ok|okay|no,? thanks|not now|later|"
    r"skip|reject|decline|deny|cancel|hide|schließen|akzeptieren|zustimmen|ablehnen|fermer|accepter|"
    r"refuser|cerrar|aceptar|rechazar|chiudi|accetta|rifiuta)\b",
    re.IGNORECASE,
)


class Obstacle(msgspec.Struct, frozen=True, rename="camel"):
    """An obstacle, as the walker reports it."""

    busy: bool = False
    fades: bool = False
    covers: bool = False
    is_opened: bool = False
    """Whether the obstacle is a page dialog, a menu or a list, which stays until somebody closes
    it."""
    age_ms: float = 1e9
    """The obstacle appeared or changed at most this many milliseconds ago."""
    document_ms: float = 1e9
    """The age of the obstacle's document, in milliseconds."""
    is_closable: bool = False
    """Whether the obstacle has a button that closes it."""


def obstacle_of(hit: dict[str, Any]) -> Obstacle:
    """Return the obstacle that the walker found."""
    obstacle = msgspec.convert(hit.get("obstacle", {}), Obstacle)
    buttons = hit["by"]["buttons"] if hit.get("by") else []
    return msgspec.structs.replace(obstacle, is_closable=any(map(closes, buttons)))


def patience_ms(obstacle: Obstacle, waited_ms: float, *, requests: bool = False) -> float:
    """Return how much longer to wait; 0 or less to give up.

    ``requests``: whether the network has never been idle since the document began to load.
    """
    if obstacle.busy or obstacle.fades:
        return PASSING_MS - waited_ms
    if obstacle.is_opened or obstacle.is_closable:
        return 0.0
    was_new = obstacle.covers and obstacle.age_ms - waited_ms < NEW_MS
    if was_new or (requests and obstacle.document_ms < REQUESTS_MS):
        return PASSING_MS - waited_ms
    return max(ACTIONABLE_MS - waited_ms, NEW_MS - obstacle.age_ms)


def closes(button: dict[str, Any]) -> bool:
    """Whether a button probably closes the cover that contains it."""
    return _CLOSES.search(button["name"]) is not None


def buttons_to_list(buttons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the cover's buttons that an error lists. Buttons that close the cover come first."""
    return sorted(buttons, key=lambda one: not closes(one))[:_LISTED]
