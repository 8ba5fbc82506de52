"""Holding: how long a key, a button or a finger is held, and with which modifier keys."""

from tabwarden.page.input.holding.duration import check_hold
from tabwarden.page.input.holding.modifiers import MODIFIER_ALIASES, MODIFIERS, parse_modifiers
from tabwarden.page.input.holding.timing import LONGEST_HOLD_MS

__all__ = [
    "LONGEST_HOLD_MS",
    "MODIFIERS",
    "MODIFIER_ALIASES",
    "check_hold",
    "parse_modifiers",
]
