"""Parse configuration keys from the command line, such as ``browser.timeouts_ms.evaluate``."""

from __future__ import annotations

import re
from typing import Any

from tabwarden.config.document import parse_yaml
from tabwarden.config.explaining import dotted, unknown_key
from tabwarden.config.schema import accepted, is_secret, names_at, node_at, takes_text_only
from tabwarden.errors import InvalidArgument

_PART = re.compile(r"\"([^\"]+)\"|'([^']+)'|([^.\"']+)")
_PLAIN = re.compile(r"[^.\"'\s]+")


def parse_key(text: str) -> tuple[str, ...]:
    """Split a key into its parts. A part that contains dots must be quoted.

    Raises:
        InvalidArgument: the key is malformed.
    """
    keys: list[str] = []
    place = 0
    while match := _PART.match(text, place):
        keys.append(match[1] or match[2] or match[3])
        place = match.end()
        if text[place : place + 1] != ".":
            break
        place += 1
    if place != len(text) or not keys or text.endswith("."):
        raise InvalidArgument(
            "The key is malformed.", "Write section.key, as in browser.headless.", field="key"
        )
    bare = next((key for key in keys if "://" in key and f'"{key}"' not in text), None)
    if bare is not None and f"'{bare}'" not in text:
        raise InvalidArgument(
            "Dots separate the names in a key, but an address in the key also contains dots.",
            "Quote the address, and the whole key for the shell: "
            "'browser.credentials.\"https://host.example\".username'.",
            field="key",
        )
    return tuple(keys)


def known_key(text: str) -> tuple[str, ...]:
    """Split a key into its parts, and check that the key exists.

    Raises:
        InvalidArgument: the key is malformed or unknown. The error suggests the closest key.
    """
    keys = parse_key(text)
    for length in range(1, len(keys) + 1):
        if node_at(keys[:length]) is None:
            known = names_at(keys[: length - 1])
            if known:
                raise unknown_key(keys[:length], known)
            raise InvalidArgument(
                f"{dotted(keys)} is not a configuration key: {dotted(keys[: length - 1])} is not a "
                "section.",
                "Run `tabwarden config show` to list all keys.",
                field=dotted(keys),
            )
    return keys


def parse_value(text: str, keys: tuple[str, ...]) -> Any:
    """Parse ``text`` as a key's value: as YAML, or as plain text if the key accepts only text.

    A secret is never parsed, because it may look like any YAML value.

    Raises:
        InvalidArgument: ``text`` is not YAML. The error doesn't quote it.
    """
    if is_secret(keys):
        return text
    node = node_at(keys) or {}
    only_text = takes_text_only(node)
    try:
        value = parse_yaml(text)
    except ValueError as error:
        if only_text:
            return text
        raise InvalidArgument(
            f"The value for {dotted(keys)} is not valid YAML: {error}.",
            f"Allowed values: {accepted(node)}.",
            field=dotted(keys),
        ) from None
    return value if not only_text or value is None or isinstance(value, str) else text


def written_key(keys: tuple[str, ...]) -> str:
    """Format a key so that ``parse_key`` can read it."""
    return ".".join(key if _PLAIN.fullmatch(key) else f'"{key}"' for key in keys)
