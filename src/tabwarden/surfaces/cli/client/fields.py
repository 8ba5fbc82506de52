"""The fields of a form: ``e3=Ann``, ``'Zip code=8010'``, or JSON."""

from __future__ import annotations

import re

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.client.given_text import parsed_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EXAMPLE = "For example: tabwarden fill e3=Ann 'Zip code=8010'."


_SELECTOR = re.compile(
    r"""(?:css|xpath|role)=|(?:label|placeholder|text|testid)=["']|.* >> """, re.S
)


def is_selector_word(word: str) -> bool:
    """Whether a word names an element by a selector, and not a field by its label."""
    return _SELECTOR.match(word) is not None


def fields_of(word: str) -> list[Any]:
    """Return the fields that one word of a command line names.

    Raises:
        InvalidArgument: the word is neither ``NAME=VALUE`` nor JSON.
    """
    if word.lstrip().startswith(("[", "{")):
        try:
            read = parsed_json(word)
        except ValueError as error:
            raise InvalidArgument(
                f"The fields are not valid JSON: {error}.", _EXAMPLE, field="fields"
            ) from None
        return read if isinstance(read, list) else [read]
    is_selector = is_selector_word(word)
    name, equals, value = word.rpartition("=") if is_selector else word.partition("=")
    if not equals or not name:
        raise InvalidArgument(f"{word!r} is not NAME=VALUE.", _EXAMPLE, field="fields")
    return [{"ref": name, "value": value}]


def add_fields(fields: list[Any], more: Any) -> None:
    """Add fields. A field that is already there gets the value in addition to its own."""
    for one in more:
        last = fields[-1] if fields else None
        if isinstance(last, dict) and isinstance(one, dict) and last.get("ref") == one.get("ref"):
            values = last["value"] if isinstance(last["value"], list) else [last["value"]]
            last["value"] = [*values, one["value"]]
        else:
            fields.append(one)
