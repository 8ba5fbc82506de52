"""Loading: the layers as one checked configuration, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tabwarden.config.explaining import explained
from tabwarden.config.layers import Layers, read_layers
from tabwarden.config.model import Config

__all__ = ["checked", "load_config"]


def load_config(
    path: Path | str | None = None, *, server: Mapping[str, Any] | None = None, **browser: Any
) -> Config:
    """Read the configuration: the file, then ``TABWARDEN_…`` variables, then arguments.

    Args:
        path: the file; None: where it is looked for by default (it need not exist there).
        server: overrides for the ``server`` section; None values are left out.
        browser: overrides for the ``browser`` section, the same way.

    Raises:
        InvalidArgument: no such file, not YAML, an unknown key, a wrong value; names the field,
            and quotes no secret.
    """
    return checked(read_layers(path, {"browser": browser, "server": server or {}}))


def checked(layers: Layers) -> Config:
    """What the layers say together.

    Raises:
        InvalidArgument: the first fault.
    """
    try:
        return Config.model_validate(layers.merged())
    except ValidationError as error:
        raise explained(error, layers) from None
