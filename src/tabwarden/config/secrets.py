"""The configuration keys of secrets: which there are, where they may go, what answers hide."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from tabwarden.egress.origins import web_origin

SECRET_NAME = r"^[A-Z][A-Z0-9_]{0,99}$"
"""How a secret may be called: in capitals, like an environment variable."""


def _as_browsers_write_it(text: str) -> str:
    origin = web_origin(text)
    if origin is None:
        raise ValueError(
            f"{text[:200]!r} is not an origin: write https://host:8443, without a path"
        )
    return origin


def _checked_name(name: str) -> str:
    if not re.match(SECRET_NAME, name):
        raise ValueError("a secret's name has capitals, digits and underscores: SHOP_PASSWORD")
    return name


SecretName = Annotated[str, AfterValidator(_checked_name)]
SiteOrigin = Annotated[str, AfterValidator(_as_browsers_write_it)]


class SecretSource(BaseModel):
    """One entry of ``browser.secrets``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    env: str | None = Field(
        default=None, min_length=1, description="The environment variable that has the secret."
    )
    file: Annotated[Path, AfterValidator(Path.expanduser)] | None = Field(
        default=None, description="The file that has it. The line break at its end does not count."
    )
    command: str | None = Field(
        default=None,
        min_length=1,
        description="The command that prints it on its first line: pass show shop. No shell.",
    )
    value: SecretStr | None = Field(default=None, min_length=1, description="The secret itself.")
    origins: list[SiteOrigin] = Field(
        default=[],
        description="The only sites that it may be filled in on: [https://shop.example]. Empty: "
        "it is only hidden.",
    )
    totp: bool = Field(
        default=False,
        description="It is the seed of one-time codes (TOTP): fill in the current code instead.",
    )

    @model_validator(mode="after")
    def _has_one_source(self) -> SecretSource:
        given = [key for key in ("env", "file", "command", "value") if getattr(self, key)]
        if len(given) > 1:
            raise ValueError(f"give one of {' and '.join(given)}, not both")
        return self


class SecretsConfig(BaseModel):
    """The keys of ``browser`` that concern secrets."""

    secrets: dict[SecretName, SecretSource] | list[SecretStr] = Field(
        default={},
        description="Secrets that no answer and no recording shows, and that a model fills in by "
        "name, as {{SHOP_PASSWORD}}: {SHOP_PASSWORD: {env: PW, origins: [https://shop.example]}}. "
        "A list has texts, or names of environment variables that have them, which are only "
        "hidden.",
    )
    secrets_file: Annotated[Path, AfterValidator(Path.expanduser)] | None = Field(
        default=None,
        description="A file of lines NAME=value (dotenv): more secrets, and the values of those in "
        "`secrets` that name no other source.",
    )
    mask: bool = Field(
        default=False,
        description="true: hide what looks like a key or a token in answers and recordings.",
    )
