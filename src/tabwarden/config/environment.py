"""Read the configuration from environment variables, with pydantic-settings.

This module is imported only if a variable is set, because importing pydantic-settings takes a third
of the time of all other imports together.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict

from tabwarden.config.document import parse_yaml
from tabwarden.config.model import PREFIX, Config
from tabwarden.errors import InvalidArgument


def environment() -> Mapping[str, Any]:
    """Return the values of the ``TABWARDEN_`` variables, not validated yet, keyed by section.

    Raises:
        InvalidArgument: a variable's value is not YAML.
    """
    return _Variables(_Settings)()


class _Settings(Config, BaseSettings):
    """Tells pydantic-settings which variables to read."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        env_parse_none_str="null",
    )


class _Variables(EnvSettingsSource):
    """Reads variables that contain mappings as YAML, which includes JSON."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        """Parse a variable's value. pydantic-settings calls this method for mappings and for whole
        sections.
        """
        _ = field_name, field
        try:
            return parse_yaml(value) if isinstance(value, str) else value
        except ValueError as error:
            name = next((name for name, held in os.environ.items() if held == value), "A variable")
            raise InvalidArgument(
                f"{name} is not valid YAML: {error}.",
                "Write a mapping on one line, such as '{evaluate: 5000}'.",
                field=name,
            ) from None
