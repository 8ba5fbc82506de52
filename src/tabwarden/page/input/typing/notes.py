"""Notes: what an answer says if a field does not show the typed text."""

from __future__ import annotations

import re
from typing import Any

from tabwarden.page.input.typing.figures import is_another_number

_MASKED = re.compile("^•+$")
_SHOWN = 1_000
"""A longer value is not compared with the typed text, because the field may show only a part."""
_CAUGHT = "The page's editor took the text and shows it in another element: check there."
_AT_CARET = "It went in at the editor's caret; clear=true replaces all."
_CELLS = (
    "A Tab in the text was no key: slowly=true presses Tab and Enter, as for the cells of a grid."
)
_ADDED = "Its editor may have added to the keys, such as indentation or brackets."
_AS_IT_IS = "Without slowly, the text goes in as it is."
_LEFT = "The field still has text: the page put it back, or did not delete it."


def note_of(
    focused: dict[str, Any],
    shown: str,
    text: str,
    *,
    slowly: bool,
    lost: bool = False,
    clear: bool | None = None,
) -> str:
    """Return a note if a field does not show the typed text, or "".

    Args:
        focused: what ``focus`` returned.
        shown: the field's content.
        text: the typed text.
        slowly: whether it was typed key by key.
        lost: whether the field lost the focus.
        clear: whether the caller wanted the text to replace the content.
    """
    if focused["isCatcher"]:
        cells = _CELLS if "\t" in text and not slowly else ""
        added = f"{_ADDED} {_AS_IT_IS}" if slowly and "\n" in text else ""
        at_caret = _AT_CARET if clear is None and text else ""
        return " ".join(filter(None, (_CAUGHT, at_caret, cells, added)))
    if lost and slowly and _is_beginning(shown, text):
        return (
            "The field has only the beginning of the text: the page moved the focus, and the "
            "rest went to another element."
        )
    if not text:
        return _LEFT if is_left(focused, shown) else ""
    return _changed(focused, text, shown, slowly=slowly)


def is_left(focused: dict[str, Any], shown: str) -> bool:
    """Whether a field still has a part of the text that it had before."""
    return _bare(shown) != "" and _bare(shown) in _bare(focused["was"])


def is_in(text: str, held: str) -> bool:
    """Whether a field's content has the typed text, perhaps in another format."""
    if _MASKED.match(held) or len(held) >= _SHOWN:
        return True
    return _bare(text) in _bare(held) and not is_another_number(text, held)


def _changed(focused: dict[str, Any], text: str, held: str, *, slowly: bool) -> str:
    """Compare a field's content with the typed text: in a field with several lines that was typed
    key by key all but empty lines, and otherwise only letters and digits."""
    if _MASKED.match(held) or len(held) >= _SHOWN:
        return ""
    if focused["kind"] == "keyed" and _is_beginning(held, text):
        return f"The field takes no more: it has only the first {len(held)} characters."
    if focused["isAll"] and is_another_number(text, held):
        return (
            "The field has a different number: use the field's number format (decimal mark, sign)."
        )
    if _bare(text) not in _bare(held):
        note = (
            "The field's content differs from the typed text: the page changed it or moved the "
            "focus."
        )
        return note if slowly else f"{note} slowly=true types key by key."
    if slowly and focused["isAll"] and focused["isMultiline"] and _lines(text) != _lines(held):
        return f"The field's content differs from the typed text. {_ADDED} {_AS_IT_IS}"
    return ""


def _lines(text: str) -> list[str]:
    lines = text.replace("\xa0", " ").splitlines()
    return [line.rstrip() for line in lines if line.strip()]


def _is_beginning(held: str, text: str) -> bool:
    held, text = _bare(held), _bare(text)
    return held != text and bool(held) and text.startswith(held)


def _bare(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())
