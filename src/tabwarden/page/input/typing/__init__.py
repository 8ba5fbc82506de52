"""Typing: text and keys, and the focus that they need."""

from tabwarden.page.input.typing import give_focus, keyboard
from tabwarden.page.input.typing.keyboard import leave, press, type_text
from tabwarden.page.input.typing.keys import chord_name
from tabwarden.page.input.typing.notes import is_in

__all__ = [
    "chord_name",
    "give_focus",
    "is_in",
    "keyboard",
    "leave",
    "press",
    "type_text",
]
