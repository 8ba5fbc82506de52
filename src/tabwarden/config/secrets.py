"""The configuration keys for secrets: where they are read from, for which sites they are used, and
the masking of API keys and tokens.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from tabwarden.egress.origins import web_origin

SECRET_NAME = r"^[A-Z][A-Z0-9_]{0,99}$"
"""A secret's name: uppercase letters, digits and underscores, as in an environment variable."""


def _as_browsers_write_it(text: str) -> str:
    origin = web_origin(text)
    if origin is None:
        raise ValueError(
            f"{text[:200]!r} is not an origin: write https://host:8443, without a path"
        )
    return origin


def _checked_name(name: str) -> str:
    if not re.match(SECRET_NAME, name):
        raise ValueError(
            "a secret's name consists of uppercase letters, digits and underscores: SHOP_PASSWORD"
        )
    return name


SecretName = Annotated[str, AfterValidator(_checked_name)]
SiteOrigin = Annotated[str, AfterValidator(_as_browsers_write_it)]


class SecretSource(BaseModel):
    """One entry of ``browser.secrets``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    env: str | None = Field(
        default=None, min_length=1, description="The environment variable that contains the secret."
    )
    file: Annotated[Path, AfterValidator(Path.expanduser)] | None = Field(
        default=None,
        description="The file that contains the secret. A line break at the end is ignored.",
    )
    command: str | None = Field(
        default=None,
        min_length=1,
        description=(
            "The command that prints the secret on its first line: pass show shop. It runs without "
            "a shell."
        ),
    )
    value: SecretStr | None = Field(default=None, min_length=1, description="The secret itself.")
    origins: list[SiteOrigin] = Field(
        default=[],
        description=(
            "The only sites on which the secret may be filled in: [https://shop.example]. Empty: "
            "the secret is masked, but never filled in."
        ),
    )
    totp: bool = Field(
        default=False,
        description=(
            "true: the secret is a seed for one-time codes (TOTP), and the current code is filled "
            "in."
        ),
    )

    @model_validator(mode="after")
    def _has_one_source(self) -> SecretSource:
        sources = [key for key in ("env", "file", "command", "value") if getattr(self, key)]
        if len(sources) > 1:
            raise ValueError(f"set only one of {' and '.join(sources)}")
        return self


class SecretsConfig(BaseModel):
    """The ``browser`` keys for secrets."""

    secrets: dict[SecretName, SecretSource] | list[SecretStr] = Field(
        default={},
        description=(
            "Secrets to mask in results and recordings. In a mapping, such as {SHOP_PASSWORD: "
            "{env: PW, origins: [https://shop.example]}}, each secret has a name, and a model "
            "can fill it in as {{SHOP_PASSWORD}}. A list of secrets, or of environment "
            "variables that contain them, is only masked."
        ),
    )
    secrets_file: Annotated[Path, AfterValidator(Path.expanduser)] | None = Field(
        default=None,
        description=(
            "A dotenv file (NAME=value lines). It defines additional secrets, and sets the "
            "values of entries in `secrets` that have no other source."
        ),
    )
    mask: bool = Field(
        default=False,
        description="true: mask text that looks like a key or a token in results and recordings.",
    )
