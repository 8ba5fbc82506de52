"""The configuration keys of the servers: ``server`` and ``daemon``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

_FORM = re.compile(
    r"(?P<name>(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::(?P<port>\d{1,5}))?"
)
_USUAL_PORTS = frozenset({"80", "443"})
"""A ``Host`` without a port means one of these: behind a proxy, nobody knows which."""


def _checked(text: str) -> str:
    if _FORM.fullmatch(text.lower()) is None:
        raise ValueError(
            f"{text[:200]!r} is not a host: write tabwarden.internal, tabwarden.internal:8414, "
            "*.example.com, 10.0.0.7 or [fd00::7]"
        )
    return text.lower()


AllowedHost = Annotated[str, AfterValidator(_checked)]
"""``name``, with or without ``:port``. ``*.name`` stands for all names below ``name``."""


def is_allowed_host(named: str, allowed: Iterable[str]) -> bool:
    """Whether one of the allowed hosts is the one that a ``Host`` header names. An allowed host
    without a port allows every port.
    """
    told = _FORM.fullmatch(named.lower())
    return told is not None and any(_fits(told, _FORM.fullmatch(each)) for each in allowed)


def _fits(told: re.Match[str], allowed: re.Match[str] | None) -> bool:
    if allowed is None or told["name"].startswith("*"):
        return False
    port, name = allowed["port"], allowed["name"]
    if port is not None and port not in ({told["port"]} if told["port"] else _USUAL_PORTS):
        return False
    if name.startswith("*"):
        return told["name"].endswith(name[1:])
    return told["name"] == name


Images: TypeAlias = Literal["inline", "file", "omit"]
_MIN_TOKEN = 16
"""Minimum length in characters, which prevents guessing."""


def _checked_token(token: SecretStr) -> SecretStr:
    """Check that the token is long enough, and that an HTTP header can contain it."""
    text = token.get_secret_value()
    if len(text) < _MIN_TOKEN or not all("!" <= character <= "~" for character in text):
        raise ValueError(
            f"a token needs at least {_MIN_TOKEN} visible ASCII characters and no spaces"
        )
    return token


class ServerConfig(BaseModel):
    """The ``server`` section: ``tabwarden serve``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = Field(
        default="127.0.0.1", min_length=1, description="The address or host name to listen on."
    )
    port: int = Field(
        default=8414, ge=0, le=65_535, description="The port to listen on; 0: any free port."
    )
    token: Annotated[SecretStr, AfterValidator(_checked_token)] | None = Field(
        default=None,
        description="The token that clients must send. Default: the server creates a token and "
        "stores it in a file.",
        json_schema_extra={"minLength": _MIN_TOKEN, "pattern": "^[!-~]*$"},
    )
    allowed_hosts: list[AllowedHost] = Field(
        default=[],
        description="Names that clients may use for the server beside its own address, such as "
        "tabwarden.internal, tabwarden.internal:8414 or *.example.com. Without a port, any port.",
    )
    images: Images = Field(
        default="inline",
        description="Pictures in answers. file: the answer has the path of a file in "
        "browser.output_dir instead. omit: nothing instead.",
    )
    max_tasks: int = Field(
        default=16, ge=1, le=10_000, description="How many tasks may have a browser at once."
    )
    min_free_memory_mb: float = Field(
        default=512.0,
        ge=0,
        description="A new browser opens only if this machine, or the container around the server, "
        "keeps this much memory free, so that it never swaps. 0: always. Only on Linux.",
    )
    idle_minutes: float = Field(
        default=60.0,
        ge=0,
        description="Close a task's browser after this many minutes without a call, unless a "
        "person watches or has control, or the agent waits for a person. 0: never.",
    )
    drain_s: float = Field(
        default=0.0,
        ge=0,
        le=86_400,
        description="On SIGTERM, let running calls go on for at most this many seconds, and refuse "
        "new ones. A second signal ends them. 0: end them at once.",
    )
    max_requests: int = Field(
        default=64,
        ge=1,
        le=100_000,
        description="How many requests may run at once. `tabwarden mcp --http` also lets each of "
        "max_mcp_sessions have three connections.",
    )
    max_streams: int = Field(
        default=16, ge=1, le=10_000, description="How many clients may follow events at once."
    )
    max_upload_mb: float = Field(
        default=512.0,
        gt=0,
        le=1_048_576,
        description="The largest file that a client may put into the upload folder.",
    )
    max_mcp_sessions: int = Field(
        default=64,
        ge=1,
        le=10_000,
        description="How many MCP sessions `tabwarden mcp --http` may have. It reads this when it "
        "starts.",
    )
    tokens_file: Annotated[Path, AfterValidator(Path.expanduser)] | None = Field(
        default=None,
        description="The file of the tenants' tokens (tabwarden token). Default: a file in the "
        "user's state folder.",
    )


class DaemonConfig(BaseModel):
    """The ``daemon`` section: the process that keeps browsers open between commands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    idle_minutes: float = Field(
        default=60.0,
        ge=0,
        description="Close a session's browser and daemon after this many minutes without a call; "
        "0: never.",
    )
