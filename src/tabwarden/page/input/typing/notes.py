"""Notes for the result if a field does not show the typed text."""

from __future__ import annotations

import re
from typing import Any

from tabwarden.page.input.typing.figures import is_another_number

_MASKED = re.compile("^•+$")
_LONGEST = 1_000
"""Longer content is not compared with the typed text, because the walker may return only a part of
the content."""
_CATCHER = (
    "The page's editor accepted the text and shows it in another element. Check that element."
)
_AT_CARET = "The text was inserted at the editor's caret. To replace all text, use clear=true."
_CELLS = (
    "The Tab character was not sent as a key. To move between cells in a grid, use "
    "slowly=true, which presses Tab and Enter."
)
_ADDED = "The editor may have added text, such as indentation or brackets."
_AS_IT_IS = "Without slowly, the text is inserted unchanged."
_OLD_TEXT = "The field still has text: the page restored the text, or did not delete it."


def note_of(
    focused: dict[str, Any],
    content: str,
    text: str,
    *,
    slowly: bool,
    lost_focus: bool = False,
    clear: bool | None = None,
) -> str:
    """Return a note if a field does not show the typed text; otherwise "".

    Args:
        focused: the result of ``focus``.
        content: the field's content.
        text: the typed text.
        slowly: whether the text was typed key by key.
        lost_focus: whether the field lost the focus.
        clear: whether the caller asked to replace the content.
    """
    if focused["isCatcher"]:
        cells = _CELLS if "\t" in text and not slowly else ""
        editor_note = f"{_ADDED} {_AS_IT_IS}" if slowly and "\n" in text else ""
        at_caret = _AT_CARET if clear is None and text else ""
        return " ".join(filter(None, (_CATCHER, at_caret, cells, editor_note)))
    if lost_focus and slowly and _is_beginning(content, text):
        return (
            "The field contains only the beginning of the text. The page moved the focus, and "
            "another element received the rest."
        )
    if not text:
        return _OLD_TEXT if has_old_text(focused, content) else ""
    return _compare(focused, text, content, slowly=slowly)


def has_old_text(focused: dict[str, Any], content: str) -> bool:
    """Whether a field still contains some of its old text."""
    return _bare(content) != "" and _bare(content) in _bare(focused["was"])


def has_text(text: str, content: str) -> bool:
    """Whether a field contains the typed text, perhaps in another format."""
    if _MASKED.match(content) or len(content) >= _LONGEST:
        return True
    return _bare(text) in _bare(content) and not is_another_number(text, content)


def _compare(focused: dict[str, Any], text: str, content: str, *, slowly: bool) -> str:
    """Return a note if a field's content differs from the typed text.

    We compare only letters and digits. If several lines were typed key by key, we also compare the
    lines, except empty lines.
    """
    if _MASKED.match(content) or len(content) >= _LONGEST:
        return ""
    if focused["kind"] == "keyed" and _is_beginning(content, text):
        return (
            f"The field has a length limit: it contains only the first {len(content)} characters."
        )
    if focused["isAll"] and is_another_number(text, content):
        return (
            "The field shows a different number. Use the field's number format (decimal mark, "
            "sign)."
        )
    if _bare(text) not in _bare(content):
        note = (
            "The field's content differs from the typed text: the page changed it or moved the "
            "focus."
        )
        return note if slowly else f"{note} To type key by key, use slowly=true."
    if slowly and focused["isAll"] and focused["isMultiline"] and _lines(text) != _lines(content):
        return f"The field's content differs from the typed text. {_ADDED} {_AS_IT_IS}"
    return ""


def _lines(text: str) -> list[str]:
    lines = text.replace("\xa0", " ").splitlines()
    return [line.rstrip() for line in lines if line.strip()]


def _is_beginning(content: str, text: str) -> bool:
    content, text = _bare(content), _bare(text)
    return content != text and bool(content) and text.startswith(content)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
