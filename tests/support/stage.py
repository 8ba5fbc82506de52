"""A page for models that act at points: each control has a fixed place, and the page logs input."""

from __future__ import annotations

import io

from PIL import Image

from tabwarden.integrations.members.drawing import dialog_at
from tabwarden.sync import Browser

__all__ = [
    "BUTTONS",
    "FIELD",
    "STAGE",
    "accept_point",
    "dismiss_point",
    "log",
    "pressed",
    "shows_dialog",
]

BUTTONS = {
    "plain": (100, 40),
    "alert": (100, 100),
    "confirm": (100, 160),
    "prompt": (100, 220),
    "hang": (100, 280),
    "popup": (100, 340),
}
"""The middle of each button."""
FIELD = (100, 400)
"""The middle of the text field."""
_CALLS = {
    "plain": "1",
    "alert": "alert('Look out')",
    "confirm": "confirm('Delete everything?')",
    "prompt": "prompt('Your name?', 'Nobody')",
    "hang": "(() => { for (;;); })()",
    "popup": "void window.open('/popup')",
}
STAGE = (
    "<style>body { margin: 0; height: 3000px } button, input { position: absolute; left: 0;"
    " width: 200px; height: 40px; box-sizing: border-box }</style>"
    + "".join(
        f'<button style="top: {y - 20}px" onclick="note(`{name} ${{{_CALLS[name]}}}`)">{name}'
        f"</button>"
        for name, (_, y) in BUTTONS.items()
    )
    + f'<input id=field style="top: {FIELD[1] - 20}px">'
    """<script>
    const notes = [];
    const note = (line) => notes.push(line);
    const keys = (e) => ["ctrl", "shift", "alt", "meta"].filter((key) => e[`${key}Key`]).join("+");
    for (const type of ["mousedown", "mouseup", "mousemove", "dblclick", "auxclick", "contextmenu"])
      addEventListener(type, (e) => note([type, e.button, e.clientX, e.clientY, e.detail, keys(e)]
        .join(" ").trim()), true);
    addEventListener("keydown", (e) => note(`keydown ${e.key} ${keys(e)}`.trim()), true);
    addEventListener("keyup", (e) => note(`keyup ${e.key}`), true);
    addEventListener("contextmenu", (e) => e.preventDefault());
    </script>"""
)


def log(browser: Browser) -> list[str]:
    """Return what the page has logged since the last call."""
    return list(browser.evaluate("notes.splice(0)").value)


def pressed(browser: Browser) -> list[str]:
    """``log`` without moves of the mouse: Chromium makes some itself after a navigation."""
    return [note for note in log(browser) if not note.startswith("mousemove")]


def accept_point(kind: str, width: int = 1280, height: int = 720) -> tuple[int, int]:
    """The middle of the button that accepts a drawn dialog."""
    box = dialog_at(kind, width, height).accept
    return (box.left + box.right) // 2, (box.top + box.bottom) // 2


def dismiss_point(kind: str, width: int = 1280, height: int = 720) -> tuple[int, int]:
    """The middle of the button that dismisses a drawn dialog."""
    box = dialog_at(kind, width, height).dismiss
    assert box is not None
    return (box.left + box.right) // 2, (box.top + box.bottom) // 2


def shows_dialog(data: bytes, kind: str = "confirm") -> bool:
    """Whether a dialog is drawn on a picture: its first button is blue at its left end."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    accept = dialog_at(kind, *image.size).accept
    return image.getpixel((accept.left + 12, accept.top + 16)) == (26, 115, 232)
