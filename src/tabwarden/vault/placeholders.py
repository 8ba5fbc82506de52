"""Placeholders: find ``{{NAME}}`` in a text.

The rule: ``{{NAME}}`` in capitals, like ``{{SHOP_PASSWORD}}``, means a secret. Everything else,
such as ``{{ user.name }}``, is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_PLACEHOLDER = re.compile(r"\{\{([A-Z][A-Z0-9_]*)\}\}")


def placeholder(name: str) -> str:
    """Return what stands for a secret."""
    return f"{{{{{name}}}}}"


def names_in(text: object) -> list[str]:
    """Return the names of the secrets that a text asks for, in their order, each of them once.

    Args:
        text: what the caller gave; a list counts as all of its texts.
    """
    if isinstance(text, list | tuple):
        return [*dict.fromkeys(name for one in text for name in names_in(one))]
    return [*dict.fromkeys(_PLACEHOLDER.findall(text))] if isinstance(text, str) else []


def replaced(text: str, value_of: Callable[[str], str]) -> str:
    """Return a text with ``value_of(name)`` in place of each placeholder."""
    return _PLACEHOLDER.sub(lambda found: value_of(found[1]), text)
