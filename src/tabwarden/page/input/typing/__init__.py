"""Type text, press keys, and focus the element that receives them.

To change:

- how a value gets into a field: ``keyboard.py`` types text, sets dates, colors and ranges, and
  waits until the page has rendered the text; ``notes.py`` compares the field with the typed text;
  ``page/input/forms/fill.py`` fills a form; the code that runs in the page is
  ``page/walker/js/input/fields.js``, and ``page/walker/js/accessibility/field_kinds.js`` knows the
  kinds of fields
"""

from tabwarden.page.input.typing import give_focus, keyboard
from tabwarden.page.input.typing.keyboard import leave, press, type_text
from tabwarden.page.input.typing.keys import chord_names
from tabwarden.page.input.typing.notes import has_text

__all__ = [
    "chord_names",
    "give_focus",
    "has_text",
    "keyboard",
    "leave",
    "press",
    "type_text",
]
