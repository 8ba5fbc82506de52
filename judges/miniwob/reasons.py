"""The reasons why Tabwarden does not solve a task, or only with coordinates, for the results
page."""

from __future__ import annotations

__all__ = ["REASONS"]

_GRADED = (
    "The page grades how near the point is to the right one. Only the exact place gets 1.0, and it "
    "often lies between two pixels. "
)
_SEEN = "The page shows it only as pixels. "

REASONS = {
    "bisect-angle": "The page grades the angle. Only a point exactly on the bisector gets 1.0, "
    "and seldom does a whole pixel lie there.",
    "circle-center": "The page measures to a place half a pixel beside the center. The best "
    "reward is 0.98.",
    "click-menu-2": "The instruction shows the icon only as a picture.",
    "click-pie-nodelay": "If the item is the one that the wheel selects at the start, the page "
    "does not answer to a click on it.",
    "count-sides": _SEEN + "It is a canvas.",
    "drag-circle": "The goal is a distance, not an element.",
    "drag-cube": _SEEN + "The letters are on a cube that turns.",
    "drag-shapes": "The goal is a place inside a frame.",
    "drag-single-shape": "The goal is a distance, not an element.",
    "draw-circle": "A circle is drawn along points.",
    "draw-line": "A line is drawn between two points.",
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
