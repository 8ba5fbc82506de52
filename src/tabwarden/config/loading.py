"""Merge the layers into one validated configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tabwarden.config.explaining import explained
from tabwarden.config.layers import Layers, read_layers
from tabwarden.config.model import Config


def load_config(
    path: Path | str | None = None,
    *,
    server: Mapping[str, Any] | None = None,
    fleet: Mapping[str, Any] | None = None,
    **browser: Any,
) -> Config:
    """Read the configuration: the file, then ``TABWARDEN_…`` variables, then arguments.

    Args:
        path: the file; None for the default path, where the file may be missing.
        server: overrides for the ``server`` section. None values are ignored.
        fleet: overrides for the ``fleet`` section. None values are ignored.
        browser: overrides for the ``browser`` section. None values are ignored.

    Raises:
        InvalidArgument: the file is missing or not YAML, a key is unknown, or a value is invalid.
            The error identifies the key and quotes no secrets.
    """
    return checked(
        read_layers(path, {"browser": browser, "server": server or {}, "fleet": fleet or {}})
    )


def checked(layers: Layers) -> Config:
    """Merge and check the layers.

    Raises:
        InvalidArgument: a value is invalid or a key is unknown; the error describes the first
            invalid key.
    """
    try:
        return Config.model_validate(layers.merged())
    except ValidationError as error:
        raise explained(error, layers) from None
