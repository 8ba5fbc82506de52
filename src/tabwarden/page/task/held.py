"""Held: the mouse buttons and keys that the agent holds down in a tab, and where its mouse is."""

from __future__ import annotations

from dataclasses import dataclass

BUTTONS = {"left": 1, "right": 2, "middle": 4}
"""The bits of ``Input.dispatchMouseEvent``'s ``buttons``."""


@dataclass(slots=True)
class Held:
    at: tuple[float, float] | None = None
    """In CSS pixels of the viewport; None before the first move of ``browser_mouse``."""
    buttons: int = 0
    modifiers: int = 0

    @property
    def button(self) -> str:
        """Return the name of a held button; ``none`` if no button is held."""
        return next((name for name, bit in BUTTONS.items() if self.buttons & bit), "none")
