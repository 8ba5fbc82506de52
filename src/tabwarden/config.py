"""Configuration: file, environment, arguments; later wins; unknown keys are errors.

The file is ``--config``, else ``TABWARDEN_CONFIG``, else ``config.yaml`` in the user's
configuration folder. Environment: ``TABWARDEN_BROWSER__DIALOG_POLICY=auto_dismiss``.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from platformdirs import user_config_path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)
from yaml import YAMLError

from tabwarden.budget import MAX_TIMEOUT_MS
from tabwarden.egress.origins import OriginPattern
from tabwarden.errors import InvalidArgument

__all__ = [
    "ActionName",
    "BrowserConfig",
    "Config",
    "Milliseconds",
    "ServerConfig",
    "config_file",
    "load_config",
]


ActionName = Literal[
    "auth", "back", "cdp", "click", "clipboard", "close", "connect", "console", "cookies", "dialog",
    "disconnect", "download", "drag", "emulate", "evaluate", "fill_form", "find", "forward", "goto",
    "highlight", "hover", "navigate", "network", "open", "pdf", "permission", "press", "reload",
    "resize", "scrape", "screenshot", "scroll", "select", "snapshot", "storage", "storage_state",
    "tabs", "type", "upload", "wait",
]  # fmt: skip
"""What ``timeouts_ms`` may name: the methods of ``Browser``, which are the tools' names but for
``goto``, whose tool is ``browser_navigate``: both are taken."""


def _key_of(action: ActionName) -> ActionName:
    return "navigate" if action == "goto" else action


def _no_switch(value: object) -> object:
    """``true`` is 1 to Python, and no time."""
    if isinstance(value, bool):
        raise ValueError("a number of milliseconds is wanted")
    return value


ActionKey = Annotated[ActionName, AfterValidator(_key_of)]
Milliseconds = Annotated[float, BeforeValidator(_no_switch), Field(gt=0, le=MAX_TIMEOUT_MS)]
"""How long a call may take: more than nothing, at most a day."""


class Login(BaseModel):
    """A user name and a password."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    username: str
    password: SecretStr


Setting = Literal["granted", "denied", "prompt"]
Origin = Annotated[str, StringConstraints(pattern=r"^https?://[^/]+$")]


def _checked_origin(text: str) -> str:
    OriginPattern.parse(text)
    return text


NetworkOrigin = Annotated[str, AfterValidator(_checked_origin)]


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
    default_timeout_ms: Milliseconds = Field(
        30_000, description="Budget of a call that names none, milliseconds."
    )
    timeouts_ms: dict[ActionKey, Milliseconds] = Field(
        {},
        description="Budgets by action, instead of that: {evaluate: 5000, navigate: 60000}.",
    )
    hang_patience: float = Field(
        1.0,
        ge=1,
        le=20,
        description="How many times longer than on a machine at rest a page may take to answer "
        "before it counts as hung; more for slow or crowded machines.",
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
    state_dir: Path | None = Field(
        None,
        description="The only folder that storage states (logins) are kept in; else one of "
        "Tabwarden's.",
    )
    record_network: bool = Field(
        False,
        description="Record requests from the start, for browser_network; else from its first "
        "call. Pages with many cached scripts load up to 1.2 times slower.",
    )
    allowed_origins: list[NetworkOrigin] = Field(
        [],
        description="The only hosts that pages may reach: https://example.com, *.example.com, "
        "example.com, http://localhost:*. Empty: all public ones. One without a wildcard is "
        "reached wherever it leads, private networks too.",
    )
    blocked_origins: list[NetworkOrigin] = Field(
        [], description="Hosts that pages may not reach, whatever else is said; the same forms."
    )
    allow_private_networks: bool = Field(
        False,
        description="Let pages reach this machine and private networks. Off: only what the caller "
        "itself opens there. Cloud metadata services stay closed.",
    )
    allow_file_urls: bool = Field(False, description="Let file: URLs be opened.")

    def timeout_of(self, action: ActionName) -> float:
        """Milliseconds that a call of ``action`` gets when it names none."""
        return self.timeouts_ms.get(_key_of(action), self.default_timeout_ms)


_MIN_TOKEN = 16
"""Characters: what can't be tried out."""


def _checked_token(token: SecretStr) -> SecretStr:
    """A token that a header can carry."""
    text = token.get_secret_value()
    if len(text) < _MIN_TOKEN or not all("!" <= character <= "~" for character in text):
        raise ValueError(f"a token has {_MIN_TOKEN} visible ASCII characters or more, no spaces")
    return token


class ServerConfig(BaseModel):
    """The ``server`` section: ``tabwarden serve``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = Field(
        "127.0.0.1", min_length=1, description="The address or name to listen on: this machine's."
    )
    port: int = Field(8414, ge=0, le=65_535, description="The port to listen on; 0: a free one.")
    token: Annotated[SecretStr, AfterValidator(_checked_token)] | None = Field(
        None, description="What clients must show; else one is made and kept in a file."
    )


class Config(BaseSettings):
    """All of it."""

    model_config = SettingsConfigDict(
        env_prefix="TABWARDEN_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    browser: BrowserConfig = BrowserConfig()
    server: ServerConfig = ServerConfig()


_SECTIONS: dict[str, type[BaseModel]] = {"browser": BrowserConfig, "server": ServerConfig}
_SECRETS = {"token", "credentials"}
"""Keys whose wrong values are not shown either."""


def load_config(
    path: Path | str | None = None, *, server: Mapping[str, Any] | None = None, **browser: Any
) -> Config:
    """Read the configuration.

    Args:
        path: the file; None: where it is looked for by default (it need not exist there).
        server: overrides for the ``server`` section; None values are left out.
        browser: overrides for the ``browser`` section, the same way.

    Raises:
        InvalidArgument: no such file, not YAML, an unknown key, a wrong value; names the field.
    """
    file = _file(path)
    _check_environment()
    sections = {"browser": browser, "server": server or {}}
    overrides = {
        section: {key: value for key, value in given.items() if value is not None}
        for section, given in sections.items()
    }

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
        return Loaded.model_validate({name: given for name, given in overrides.items() if given})
    except ValidationError as error:
        raise _explained(error) from None
    except (YAMLError, TypeError, ValueError, AttributeError) as error:
        raise InvalidArgument(
            f"{file} is not a YAML mapping: {error}.", "Correct the file.", field="config"
        ) from None


def config_file(path: Path | str | None = None) -> Path:
    """Where the configuration is read from, whether or not the file is there.

    Args:
        path: the file that was named, if any.
    """
    named = path or os.environ.get("TABWARDEN_CONFIG")
    return Path(named) if named else user_config_path("tabwarden") / "config.yaml"


def _file(path: Path | str | None) -> Path | None:
    file, named = config_file(path), path or os.environ.get("TABWARDEN_CONFIG")
    if not named:
        return file if file.is_file() else None
    if not file.is_file():
        raise InvalidArgument(
            f"There is no configuration file {str(named)!r}.",
            "Check --config and TABWARDEN_CONFIG.",
            field="config",
        )
    return file


def _check_environment() -> None:
    """A variable of no section is passed by when settings are read: a misspelt one is told here."""
    keys = [
        f"TABWARDEN_{section}__{key}".upper()
        for section, model in _SECTIONS.items()
        for key in model.model_fields
    ]
    sections = {section.upper() for section in _SECTIONS}
    for name in os.environ:
        section, nested, _ = name.upper().removeprefix("TABWARDEN_").partition("__")
        ours = name.upper().startswith("TABWARDEN_") and section not in sections
        if ours and (nested or section.partition("_")[0] in sections):
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
    path, known = [str(part) for part in first["loc"]], _names_for(first)
    if known is None:
        secret = not _SECRETS.isdisjoint(first["loc"])
        shown = "" if secret else f" (it is {first['input']!r})"
        return InvalidArgument(
            f"{field}: {first['msg'].removeprefix('Value error, ')}{shown}.",
            "Correct it in the configuration.",
            field=field,
        )
    if path[-1] == "[key]":
        path.pop()
    near = difflib.get_close_matches(path[-1], known, n=1, cutoff=0.0)[0]
    return InvalidArgument(
        f"{'.'.join(path)} is not a configuration key.",
        f"The nearest key is {'.'.join([*path[:-1], near])}.",
        field=".".join(path),
        nearest=near,
    )


def _names_for(wrong: ErrorDetails) -> list[str] | None:
    """The names that stand where an unknown one was given; None: the name is not what is wrong."""
    path = wrong["loc"]
    if wrong["type"] == "literal_error" and path[-1] == "[key]":
        return list(get_args(ActionName))
    if wrong["type"] != "extra_forbidden":
        return None
    section = _SECTIONS[str(path[0])] if len(path) > 1 else Config
    return list(section.model_fields)
