"""A configuration's layers: file, environment, arguments. Later layers override earlier ones."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from tabwarden.config.document import Document, read_document
from tabwarden.config.model import PREFIX
from tabwarden.config.schema import names_at
from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches

SourceName = Literal["default", "file", "environment", "argument"]

_NO_KEYS = frozenset({"FLEET_MARK", "FLEET_SECRETS"})
"""Tabwarden's environment variables that only look like configuration keys. FLEET_MARK marks the
fleet's processes. FLEET_SECRETS contains the path of a folder that Ray needs before Tabwarden reads
any file.
"""


class Origin(NamedTuple):
    """A value's source."""

    source: SourceName
    where: str = ""
    """The name of the environment variable, or the file and the line."""


class Layers(NamedTuple):
    """The values from each source, not validated yet."""

    document: Document | None
    environment: Mapping[str, Any] = {}
    arguments: Mapping[str, Any] = {}

    def merged(self) -> dict[str, Any]:
        """Merge all layers, key by key. Later layers override earlier ones."""
        file = self.document.values if self.document is not None else {}
        return _over(_over(file, self.environment), self.arguments)

    def origin(self, keys: Sequence[str]) -> Origin:
        """Return the source of the value at ``keys``."""
        if _has(self.arguments, keys):
            return Origin("argument")
        if _has(self.environment, keys):
            return Origin("environment", next(variables_of(keys), ""))
        if self.document is not None and _has(self.document.values, keys):
            return Origin("file", self.document.where(keys))
        return Origin("default")


def read_layers(path: Path | str | None, arguments: Mapping[str, Mapping[str, Any]]) -> Layers:
    """Read all layers; see ``load_config``.

    Raises:
        InvalidArgument: the file or a variable can't be read.
    """
    document = read_document(path)
    _check_names()
    overrides = {
        section: {key: value for key, value in values.items() if value is not None}
        for section, values in arguments.items()
    }
    return Layers(document, _environment(), {k: v for k, v in overrides.items() if v})


def variables_of(keys: Sequence[str]) -> Iterator[str]:
    """Yield the environment variables that set the value at ``keys``, most specific first."""
    present = {name.upper(): name for name, value in os.environ.items() if value}
    for length in range(len(keys), 0, -1):
        name = PREFIX + "__".join(keys[:length]).upper()
        if name in present:
            yield present[name]


def _environment() -> Mapping[str, Any]:
    """Read Tabwarden's environment variables. If none is set, skip the slow import."""
    if not any(name.upper().startswith(PREFIX) for name in os.environ):
        return {}
    from tabwarden.config.environment import environment

    return environment()


def _check_names() -> None:
    """Raise an error for a misspelled variable, which pydantic-settings would ignore."""
    sections = names_at(())
    keys = [f"{PREFIX}{one}__{key}".upper() for one in sections for key in names_at((one,))]
    known = {section.upper() for section in sections}
    bare = {key.upper() for key in names_at(("browser",))} - known
    for name in os.environ:
        section, nested, _ = name.upper().removeprefix(PREFIX).partition("__")
        ours = name.upper().startswith(PREFIX) and section not in {*known, *_NO_KEYS}
        if ours and (nested or section in bare or section.partition("_")[0] in known):
            nearest = get_close_matches(name.upper(), keys, n=1, cutoff=0.0)[0]
            raise InvalidArgument(
                f"{name} is not a configuration key.",
                f"The closest key is {nearest}.",
                field=name,
                nearest=nearest,
            )


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        held = merged.get(key)
        both = isinstance(held, Mapping) and isinstance(value, Mapping)
        merged[key] = _over(held, value) if both else value  # type: ignore[arg-type]
    return merged


def _has(values: Any, keys: Sequence[str]) -> bool:
    for key in keys:
        if not isinstance(values, Mapping) or key not in values:
            return False
        values = values[key]
    return True
