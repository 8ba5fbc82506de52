"""A person's input as JSON, and the CDP commands that send the input to a page.

Positions are in CSS pixels, relative to the tab's viewport. ``modifiers`` is the sum of Alt 1,
Ctrl 2, Meta 4 and Shift 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.protocol import Command
from tabwarden.protocol import input as input_

Coordinate = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
Bits = Annotated[int, msgspec.Meta(ge=0, le=31)]
Short = Annotated[str, msgspec.Meta(max_length=40)]
Text = Annotated[str, msgspec.Meta(max_length=1_000_000)]
Button = Literal["none", "left", "middle", "right", "back", "forward"]

_EDITS = {
    "KeyA": "selectAll",
    "KeyC": "copy",
    "KeyX": "cut",
    "KeyV": "paste",
    "KeyY": "redo",
    "KeyZ": "undo",
}
"""Maps keys to editing commands. A browser without a window does not run these commands by
itself."""
_ALT, _CONTROL, _META, _SHIFT = 1, 2, 4, 8


class PersonEvent(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """The base class of all input events."""

    @property
    def types(self) -> bool:
        """Whether the event enters text into the focused field."""
        return False

    def commands(self) -> list[Command[Any]]:
        raise NotImplementedError


class Mouse(PersonEvent, frozen=True, tag="mouse", kw_only=True):
    type: Literal["move", "down", "up"]
    x: Coordinate
    y: Coordinate
    button: Button = "none"
    buttons: Bits = 0
    """The pressed buttons, as a sum of left 1, right 2, middle 4, back 8 and forward 16."""
    clicks: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """2 for the second press of a double click."""
    modifiers: Bits = 0

    def commands(self) -> list[Command[Any]]:
        kinds: dict[str, Any] = {
            "move": "mouseMoved",
            "down": "mousePressed",
            "up": "mouseReleased",
        }
        return [
            input_.DispatchMouseEvent(
                type=kinds[self.type],
                x=self.x,
                y=self.y,
                button=self.button,
                buttons=self.buttons,
                click_count=self.clicks,
                modifiers=self.modifiers,
            )
        ]


class Wheel(PersonEvent, frozen=True, tag="wheel", kw_only=True):
    x: Coordinate
    y: Coordinate
    dx: Coordinate = 0.0
    dy: Coordinate = 0.0
    modifiers: Bits = 0

    def commands(self) -> list[Command[Any]]:
        return [
            input_.DispatchMouseEvent(
                type="mouseWheel",
                x=self.x,
                y=self.y,
                delta_x=self.dx,
                delta_y=self.dy,
                modifiers=self.modifiers,
            )
        ]


class TouchPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    x: Coordinate
    y: Coordinate
    id: Annotated[int, msgspec.Meta(ge=0, le=31)] = 0


class Touch(PersonEvent, frozen=True, tag="touch", kw_only=True):
    """The fingers on the page. For ``end``, the points are the fingers that remain on the page,
    often none."""

    type: Literal["start", "move", "end", "cancel"]
    points: Annotated[list[TouchPoint], msgspec.Meta(max_length=10)] = []
    modifiers: Bits = 0

    def commands(self) -> list[Command[Any]]:
        kinds: dict[str, Any] = {
            "start": "touchStart",
            "move": "touchMove",
            "end": "touchEnd",
            "cancel": "touchCancel",
        }
        points = [input_.TouchPoint(x=p.x, y=p.y, id=p.id) for p in self.points]
        return [
            input_.DispatchTouchEvent(
                type=kinds[self.type], touch_points=points, modifiers=self.modifiers
            )
        ]


class Key(PersonEvent, frozen=True, tag="key", kw_only=True):
    """A key, with the fields of a browser's ``KeyboardEvent``."""

    type: Literal["down", "up"]
    key: Short
    code: Short = ""
    key_code: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0
    """The event's ``keyCode``."""
    location: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    repeat: bool = False
    modifiers: Bits = 0

    @property
    def text(self) -> str:
        """The text that the key types."""
        if self.type == "up" or (self._is_command and not self._is_alt_gr):
            return ""
        return "\r" if self.key == "Enter" else self.key if len(self.key) == 1 else ""

    @property
    def types(self) -> bool:
        return bool(self.text) and self.key != "Enter"

    @property
    def _is_command(self) -> bool:
        return bool(self.modifiers & (_CONTROL | _META))

    @property
    def _is_alt_gr(self) -> bool:
        """Whether the modifiers mean AltGr, which Windows reports as Ctrl and Alt. Chromium types
        nothing if both are set (measured)."""
        return self.modifiers & (_ALT | _CONTROL | _META) == _ALT | _CONTROL

    def commands(self) -> list[Command[Any]]:
        text = self.text
        down: Any = "keyDown" if text else "rawKeyDown"
        return [
            input_.DispatchKeyEvent(
                type="keyUp" if self.type == "up" else down,
                key=self.key,
                code=self.code,
                windows_virtual_key_code=self.key_code,
                text=text,
                unmodified_text=text,
                location=self.location,
                auto_repeat=self.repeat,
                modifiers=self.modifiers & ~(_ALT | _CONTROL if self._is_alt_gr else 0),
                commands=self._edits(),
            )
        ]

    def _edits(self) -> list[str]:
        if self.type == "up" or not self._is_command or self._is_alt_gr:
            return []
        if self.code == "KeyZ" and self.modifiers & _SHIFT:
            return ["redo"]
        return [_EDITS[self.code]] if self.code in _EDITS else []


class Paste(PersonEvent, frozen=True, tag="paste", kw_only=True):
    """Text from the person's clipboard or an input method."""

    text: Text

    @property
    def types(self) -> bool:
        return bool(self.text)

    def commands(self) -> list[Command[Any]]:
        return [input_.InsertText(text=self.text)] if self.text else []


class Compose(PersonEvent, frozen=True, tag="compose", kw_only=True):
    """An input method's unfinished text. ``paste`` finishes it; "" cancels it."""

    text: Text
    start: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The start of the selection in ``text``, in UTF-16 code units."""
    end: Annotated[int, msgspec.Meta(ge=0)] = 0

    @property
    def types(self) -> bool:
        return bool(self.text)

    def commands(self) -> list[Command[Any]]:
        return [
            input_.ImeSetComposition(
                text=self.text, selection_start=self.start, selection_end=self.end
            )
        ]


def event_of(given: Mapping[str, Any]) -> PersonEvent:
    """Read an event.

    Raises:
        InvalidArgument: ``given`` is not an event, or a field is wrong.
    """
    try:
        return msgspec.convert(given, Mouse | Wheel | Touch | Key | Paste | Compose)
    except msgspec.ValidationError as error:
        raise InvalidArgument(f"The input event is invalid: {error}.", field="event") from None
