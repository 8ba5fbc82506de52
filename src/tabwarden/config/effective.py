"""The effective configuration: every key with its value and its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tabwarden.config.layers import Layers, Origin, read_layers
from tabwarden.config.loading import checked
from tabwarden.config.schema import is_secret
from tabwarden.telemetry.redaction import redacted

HIDDEN = "********"
_SYNONYMS = {"navigate": "goto"}
"""Maps each name in the validated configuration to the synonym that a file can use."""


class Effective(NamedTuple):
    """A key with its value and the value's source."""

    keys: tuple[str, ...]
    value: Any
    """A value that JSON can represent, without secrets."""
    origin: Origin


def effective(path: Path | str | None = None) -> list[Effective]:
    """Return every configuration key, in the order of the reference documentation.

    Raises:
        InvalidArgument: see ``load_config``.
    """
    layers = read_layers(path, {})
    values = checked(layers).model_dump(mode="json")
    return [
        Effective(keys, _shown(keys, value), _origin(layers, keys)) for keys, value in _each(values)
    ]


def _each(
    values: Mapping[str, Any], keys: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _each(value, (*keys, key))
        else:
            yield (*keys, key), value


def _shown(keys: tuple[str, ...], value: Any) -> Any:
    if value is not None and is_secret(keys):
        return HIDDEN
    if keys[-1] == "endpoint" and isinstance(value, str):
        bare = redacted(value)  # the URL's user, path and query may contain secrets
        return bare if bare == value else f"{bare.removesuffix('…')}…"
    return value


def _origin(layers: Layers, keys: tuple[str, ...]) -> Origin:
    origin = layers.origin(keys)
    if origin.source == "default" and keys[-1] in _SYNONYMS:
        return layers.origin((*keys[:-1], _SYNONYMS[keys[-1]]))
    if origin.source == "default" and _is_text(layers.merged(), keys[:-1]):
        return layers.origin(keys[:-1])  # such as a proxy, whose host and login are in its URL
    return origin


def _is_text(values: Any, keys: tuple[str, ...]) -> bool:
    for key in keys:
        values = values.get(key) if isinstance(values, Mapping) else None
    return isinstance(values, str)
