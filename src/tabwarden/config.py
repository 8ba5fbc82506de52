"""Configuration: file, environment, arguments; later wins; unknown keys are errors.

The file is ``--config``, else ``TABWARDEN_CONFIG``, else ``config.yaml`` in the user's
configuration folder. Environment: ``TABWARDEN_BROWSER__DIALOG_POLICY=auto_dismiss``.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_config_path
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)
from yaml import YAMLError

from tabwarden.errors import InvalidArgument

__all__ = ["BrowserConfig", "Config", "load_config"]


class Login(BaseModel):
    """A user name and a password."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    username: str
    password: SecretStr


Setting = Literal["granted", "denied", "prompt"]
Origin = Annotated[str, StringConstraints(pattern=r"^https?://[^/]+$")]


class BrowserConfig(BaseModel):
    """The ``browser`` section."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: bool = Field(True, description="Off: no tool is shown and every call is refused.")
    dialog_policy: Literal["must_respond", "auto_dismiss", "auto_accept"] = Field(
        "must_respond", description="What happens to a JavaScript dialog that opens."
    )
    dialog_bridge: Literal["auto", "debugger", "xhr", "native"] = Field(
        "auto",
        description="How dialogs wait: natively, in a request that is held (xhr), or in a debugger "
        "pause, which leaves the page readable. auto: the best that costs nothing.",
    )
    dialog_timeout_s: float = Field(
        300.0, gt=0, description="Seconds until an unanswered dialog is dismissed (must_respond)."
    )
    evaluate_enabled: bool = Field(True, description="Off: evaluate is hidden and refused.")
    cdp_enabled: bool = Field(True, description="Off: raw CDP is hidden and refused.")
    default_timeout_ms: float = Field(
        30_000, gt=0, le=86_400_000, description="Budget of a call that names none, milliseconds."
    )
    headless: bool = Field(True, description="Launch without a window.")
    executable: Path | None = Field(None, description="The browser to launch; else discovered.")
    user_data_dir: Path | None = Field(
        None, description="A profile to keep; else a fresh temporary one each time."
    )
    endpoint: str | None = Field(
        None,
        description="Attach to this browser (http://, ws://, steel:, ...) instead of launching.",
    )
    upload_dir: Path | None = Field(
        None, description="The only folder that files are uploaded from; else one of Tabwarden's."
    )
    download_dir: Path | None = Field(
        None, description="Where downloads go; else a folder of Tabwarden's."
    )
    credentials: dict[Origin, Login] = Field(
        {},
        description="What HTTP authentication is answered with, by origin: "
        "{https://host: {username, password}}.",
    )
    permissions: dict[str, Setting | dict[str, Setting]] = Field(
        {},
        description="What pages are granted: {geolocation: granted}, or by origin: "
        "{https://host: {camera: denied}}.",
    )
    allow_file_urls: bool = Field(False, description="Let file: URLs be opened.")


class Config(BaseSettings):
    """All of it."""

    model_config = SettingsConfigDict(
        env_prefix="TABWARDEN_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    browser: BrowserConfig = BrowserConfig()


def load_config(path: Path | str | None = None, **browser: Any) -> Config:
    """Read the configuration.

    Args:
        path: the file; None: where it is looked for by default (it need not exist there).
        browser: overrides for the ``browser`` section; None values are left out.

    Raises:
        InvalidArgument: no such file, not YAML, an unknown key, a wrong value; names the field.
    """
    file = _file(path)
    _check_environment()
    overrides = {key: value for key, value in browser.items() if value is not None}

    class Loaded(Config):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            _ = dotenv_settings, file_secret_settings
            from_file = YamlConfigSettingsSource(settings_cls, yaml_file=file)
            return init_settings, env_settings, from_file

    try:
        return Loaded.model_validate({"browser": overrides} if overrides else {})
    except ValidationError as error:
        raise _explained(error) from None
    except (YAMLError, TypeError, ValueError, AttributeError) as error:
        raise InvalidArgument(
            f"{file} is not a YAML mapping: {error}.", "Correct the file.", field="config"
        ) from None


def _file(path: Path | str | None) -> Path | None:
    named = path or os.environ.get("TABWARDEN_CONFIG")
    if not named:
        usual = user_config_path("tabwarden") / "config.yaml"
        return usual if usual.is_file() else None
    if not Path(named).is_file():
        raise InvalidArgument(
            f"There is no configuration file {str(named)!r}.",
            "Check --config and TABWARDEN_CONFIG.",
            field="config",
        )
    return Path(named)


def _check_environment() -> None:
    """A variable of no section is passed by when settings are read: a misspelt one is told here."""
    keys = [f"TABWARDEN_BROWSER__{key}".upper() for key in BrowserConfig.model_fields]
    for name in os.environ:
        section, nested, _ = name.upper().removeprefix("TABWARDEN_").partition("__")
        ours = name.upper().startswith("TABWARDEN_") and section != "BROWSER"
        if ours and (nested or section.startswith("BROWSER_")):
            nearest = difflib.get_close_matches(name.upper(), keys, n=1, cutoff=0.0)[0]
            raise InvalidArgument(
                f"{name} is not a configuration key.",
                f"The nearest key is {nearest}.",
                field=name,
                nearest=nearest,
            )


def _explained(error: ValidationError) -> InvalidArgument:
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    if not field:
        return InvalidArgument(
            f"The configuration cannot be read: {first['msg'].removeprefix('Value error, ')}.",
            "Write YAML of sections and keys, such as 'browser: {headless: true}'.",
            field="config",
        )
    if first["type"] != "extra_forbidden":
        return InvalidArgument(
            f"{field}: {first['msg']} (it is {first['input']!r}).",
            "Correct it in the configuration.",
            field=field,
        )
    section = BrowserConfig if len(first["loc"]) > 1 else Config
    near = difflib.get_close_matches(str(first["loc"][-1]), section.model_fields, n=1, cutoff=0.0)
    return InvalidArgument(
        f"{field} is not a configuration key.",
        f"The nearest key is {'.'.join([*map(str, first['loc'][:-1]), near[0]])}.",
        field=field,
        nearest=near[0],
    )
