"""The modifier keys that a key, a click or a turn of the wheel may have."""

from __future__ import annotations

from collections.abc import Sequence

from tabwarden.errors import InvalidArgument

MODIFIERS = {"alt": 1, "control": 2, "meta": 4, "shift": 8}
MODIFIER_ALIASES = {
    "ctrl": "control",
    "cmd": "meta",
    "command": "meta",
    "win": "meta",
    "super": "meta",
    "option": "alt",
}


def parse_modifiers(names: Sequence[str], *, field: str = "modifiers") -> int:
    """Return the bit field of ``Input.dispatch*Event`` for names such as ``Ctrl`` and ``Shift``."""
    bits = 0
    for name in names:
        lower = name.lower()
        bit = MODIFIERS.get(MODIFIER_ALIASES.get(lower, lower))
        if bit is None:
            raise InvalidArgument(
                f"{name!r} is not a modifier.",
                "Modifiers are Alt, Control (Ctrl), Meta (Cmd) and Shift.",
                field=field,
            )
        bits |= bit
    return bits
