"""The environment's part of a configuration, read by pydantic-settings.

A module of its own, imported where a variable is set: importing that library takes as long as a
third of all else.
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

__all__ = ["environment"]


def environment() -> Mapping[str, Any]:
    """What the variables that begin with ``TABWARDEN_`` say, by section; nothing of it is checked.

    Raises:
        InvalidArgument: what one of them holds is not YAML.
    """
    return _Variables(_Settings)()


class _Settings(Config, BaseSettings):
    """Where variables are looked for."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        env_parse_none_str="null",
    )


class _Variables(EnvSettingsSource):
    """Those of mappings are YAML, of which JSON is a part."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        """What a variable says; called for mappings and whole sections."""
        _ = field_name, field
        try:
            return parse_yaml(value) if isinstance(value, str) else value
        except ValueError as error:
            name = next((name for name, held in os.environ.items() if held == value), "A variable")
            raise InvalidArgument(
                f"{name} is not YAML (or JSON): {error}.",
                "Write a mapping in one line, such as '{evaluate: 5000}'.",
                field=name,
            ) from None
