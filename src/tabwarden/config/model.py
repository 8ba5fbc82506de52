"""What can be configured: each key with its type, its default and what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
)

from tabwarden.budget import MAX_TIMEOUT_MS
from tabwarden.egress.origins import OriginPattern, web_origin

__all__ = [
    "PREFIX",
    "ActionName",
    "BrowserConfig",
    "Config",
    "DaemonConfig",
    "Milliseconds",
    "ServerConfig",
]

PREFIX = "TABWARDEN_"
"""Of the variables of the environment that say something of it."""


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
Milliseconds = Annotated[float, Field(gt=0, le=MAX_TIMEOUT_MS), BeforeValidator(_no_switch)]
"""How long a call may take: more than nothing, at most a day."""


class Login(BaseModel):
    """A user name and a password."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    username: str
    password: SecretStr


def _as_text(value: object) -> object:
    """A port alone is an endpoint too, and a number to YAML."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Setting = Literal["granted", "denied", "prompt"]


def _as_browsers_write_it(text: str) -> str:
    origin = web_origin(text)
    if origin is None:
        raise ValueError(f"{text[:200]!r} is no origin: write https://host:8443, without a path")
    return origin


Origin = Annotated[
    str, StringConstraints(pattern=r"^https?://[^/@]+$"), AfterValidator(_as_browsers_write_it)
]
HomePath = Annotated[Path, AfterValidator(Path.expanduser)]
"""A path whose ``~`` is the user's home."""


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
    executable: HomePath | None = Field(None, description="The browser to launch; else discovered.")
    user_data_dir: HomePath | None = Field(
        None, description="A profile to keep; else a fresh temporary one each time."
    )
    endpoint: Annotated[str | None, BeforeValidator(_as_text)] = Field(
        None,
        description="Attach to this browser (http://, ws://, steel:, ...) instead of launching.",
        repr=False,  # its query may be a key
    )
    isolate: bool | None = Field(
        None,
        description="In a browser that is attached to: give each task a context of its own "
        "(cookies, tabs, downloads, permissions), or let it share all that is there. Left out: own "
        "where a server has several tasks on `endpoint`, else shared.",
    )
    upload_dir: HomePath | None = Field(
        None, description="The only folder that files are uploaded from; else one of Tabwarden's."
    )
    download_dir: HomePath | None = Field(
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
    state_dir: HomePath | None = Field(
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
        None,
        description="What clients must show; else one is made and kept in a file.",
        json_schema_extra={"minLength": _MIN_TOKEN, "pattern": "^[!-~]*$"},
    )


class DaemonConfig(BaseModel):
    """The ``daemon`` section: what holds the command line's browsers between commands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    idle_minutes: float = Field(
        60.0,
        ge=0,
        description="End a session's browser and its daemon when nobody called for so long; "
        "0: never.",
    )


class Config(BaseModel):
    """All of it. Made as it stands it is the defaults; ``load_config`` reads file and variables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    browser: BrowserConfig = Field(BrowserConfig(), description="What browsers do, and which.")
    server: ServerConfig = Field(ServerConfig(), description="tabwarden serve.")
    daemon: DaemonConfig = Field(
        DaemonConfig(), description="What holds the command line's browsers between commands."
    )
