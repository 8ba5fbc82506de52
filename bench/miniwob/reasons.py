"""Why Tabwarden does not solve a task, or only with coordinates: for the page of results."""

from __future__ import annotations

__all__ = ["REASONS"]

_GRADED = (
    "The page grades how near the point is to the right one. Only the exact place gets 1.0, and it "
    "often lies between two pixels. "
)
_SEEN = "The page shows it only as pixels. "

REASONS = {
    "email-inbox-forward-nl-turk": "5 of the page's 137 sentences say the opposite of what the "
    'page expects, such as "Send Darby the message from Atlante".',
    "find-midpoint": _GRADED + "The oracle's rewards are 0.97 and more.",
    "right-angle": "The page measures the angle from the corners of three circles of different "
    "sizes, so a right angle gets less than 1.0. The oracle's rewards are 0.95 and more.",
    "tic-tac-toe": "The opponent moves at random or well, by chance, and a draw counts as lost. "
    "The best possible play wins 85 % of the games.",
    "hot-cold": "The page answers to the mouse's place inside one element.",
    "number-checkboxes": _SEEN + "The example is an image.",
    "resize-textarea": "The text shows no handle to drag.",
    "use-colorwheel-2": _SEEN + "The color is an empty box in the instruction.",
    "visual-addition": _SEEN + "The blocks are empty boxes.",
}
