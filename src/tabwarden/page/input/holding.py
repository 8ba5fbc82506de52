"""Modifier keys, and the time limit for holding down a key, a button or a finger."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tabwarden.errors import InvalidArgument
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.supervisor.runtime import Race

MODIFIERS = {"alt": 1, "control": 2, "meta": 4, "shift": 8}
MODIFIER_ALIASES = {
    "ctrl": "control",
    "cmd": "meta",
    "command": "meta",
    "win": "meta",
    "windows": "meta",
    "super": "meta",
    "option": "alt",
    "opt": "alt",
}
_SIDE = re.compile(r"_[lr]$|left$|right$")
"""The side in names such as X11's ``Control_L`` and the DOM's ``ControlLeft``."""


def modifier_bit(name: str) -> int:
    """Return a modifier's bit in ``Input.dispatch*Event``, or 0 if the key is not a modifier."""
    lower = _SIDE.sub("", name.lower())
    return MODIFIERS.get(MODIFIER_ALIASES.get(lower, lower), 0)


def parse_modifiers(names: Sequence[str]) -> int:
    """Return the ``modifiers`` bit field of ``Input.dispatch*Event`` for names such as ``Ctrl`` and
    ``Shift``."""
    bits = 0
    for name in names:
        bit = modifier_bit(name)
        if not bit:
            raise InvalidArgument(
                f"{name!r} is not a modifier.",
                "Modifiers are Alt, Control (Ctrl), Meta (Cmd) and Shift.",
                field="modifiers",
            )
        bits |= bit
    return bits


def check_hold(race: Race, hold_ms: float) -> None:
    """Raise ``InvalidArgument`` if a hold is longer than the budget of its call."""
    if hold_ms >= race.budget.remaining_ms():
        raise InvalidArgument(
            f"hold_ms={hold_ms:g} exceeds the call's time limit ({race.budget.timeout_ms:g} ms).",
            Hint("Hold for a shorter time, or ", MORE_TIME, "."),
            field="hold_ms",
        )
