"""Explain a configuration error: report the key, its position, and its allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tabwarden.config.layers import Layers
from tabwarden.config.schema import accepted, is_scalar, is_secret, names_at, node_at
from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches
from tabwarden.telemetry.redaction import hosts_only

_LONGEST_SHOWN = 80


def explained(error: ValidationError, layers: Layers) -> InvalidArgument:
    """Return an error that describes the first invalid key, without quoting secrets."""
    # Report a misspelled name first, because it also causes a "missing" error.
    first = min(error.errors(), key=lambda fault: fault["type"] == "missing")
    keys = _keys(first, layers.merged())
    if first["type"] == "extra_forbidden" or first["loc"][-1] == "[key]":
        below = names_at(keys[:-1])
        if below:
            return unknown_key(keys, below, _mend(keys, layers))
    message = first["msg"].removeprefix("Value error, ")
    # Pydantic's message mentions Python class names
    if first["type"] in {"model_type", "dict_type"}:
        message = "must be a mapping of keys"
    is_told = first["type"] == "value_error" or "mapping" in message
    takes = "" if is_told else accepted(node_at(keys) or {})
    hint = f"It takes {takes}. " if takes else ""
    return InvalidArgument(
        f"{dotted(keys)}: {message}{_shown(keys, first['input'])}.",
        f"{hint}{_mend(keys, layers)}",
        field=dotted(keys),
    )


def unknown_key(keys: tuple[str, ...], known: list[str], mend: str = "") -> InvalidArgument:
    """Return the error for an unknown key; it suggests the closest known key."""
    near = get_close_matches(keys[-1], known, n=1, cutoff=0.0)[0]
    nearest = f"The closest key is {dotted((*keys[:-1], near))}."
    return InvalidArgument(
        f"{dotted(keys)} is not a configuration key.",
        f"{nearest} {mend}".strip(),
        field=dotted(keys),
        nearest=near,
    )


def dotted(keys: tuple[str, ...]) -> str:
    """Join the parts of a key with dots. Shorten a part that is a URL to its host."""
    return ".".join(hosts_only(key) for key in keys)


def _keys(fault: ErrorDetails, values: Any) -> tuple[str, ...]:
    """Return the invalid key, without the markers that Pydantic inserts."""
    keys: list[str] = []
    for part in fault["loc"]:
        if isinstance(values, Mapping) and part in values:
            values = values[part]
        elif part == "[key]" or fault["type"] != "missing":
            continue
        keys.append(str(part))
    return tuple(keys)


def _shown(keys: tuple[str, ...], value: object) -> str:
    """Return a clause that quotes the invalid value; "" if it is long or may contain a secret."""
    node = node_at(keys)
    plain = isinstance(value, (str, int, float)) and node is not None and is_scalar(node)
    if not plain or is_secret(keys) or len(repr(value)) > _LONGEST_SHOWN:
        return ""
    return f" (it is {value!r})"


def _mend(keys: tuple[str, ...], layers: Layers) -> str:
    origin = layers.origin(keys)
    if origin.source == "environment":
        return f"Correct the variable {origin.where}."
    if origin.source == "argument":
        return "Correct the argument."
    if origin.source == "file":
        return f"Correct it in {origin.where}."
    parent = layers.origin(keys[:-1]) if len(keys) > 1 else origin
    return f"Correct it in {parent.where or 'the configuration'}."
