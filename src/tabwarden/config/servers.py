"""The configuration keys in the sections ``server`` and ``daemon``."""

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
"""The ports that a ``Host`` header without a port can mean. Behind a proxy, both are possible."""


def _checked(text: str) -> str:
    if _FORM.fullmatch(text.lower()) is None:
        raise ValueError(
            f"{text[:200]!r} is not a host: write tabwarden.internal, tabwarden.internal:8414, "
            "*.example.com, 10.0.0.7 or [fd00::7]"
        )
    return text.lower()


AllowedHost = Annotated[str, AfterValidator(_checked)]
"""``name``, with or without ``:port``. ``*.name`` means all subdomains of ``name``."""


def is_allowed_host(named: str, allowed: Iterable[str]) -> bool:
    """Whether a ``Host`` header matches one of the allowed hosts. An allowed host without a port
    allows every port.
    """
    host_match = _FORM.fullmatch(named.lower())
    return host_match is not None and any(
        _fits(host_match, _FORM.fullmatch(each)) for each in allowed
    )


def _fits(host_match: re.Match[str], allowed: re.Match[str] | None) -> bool:
    if allowed is None or host_match["name"].startswith("*"):
        return False
    port, name = allowed["port"], allowed["name"]
    if port is not None and port not in (
        {host_match["port"]} if host_match["port"] else _USUAL_PORTS
    ):
        return False
    if name.startswith("*"):
        return host_match["name"].endswith(name[1:])
    return host_match["name"] == name


Images: TypeAlias = Literal["inline", "file", "omit"]
_MIN_TOKEN = 16
"""The minimum length in characters, so that nobody can guess a token."""


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
        default="127.0.0.1",
        min_length=1,
        description="The address or host name on which to listen.",
    )
    port: int = Field(
        default=8414, ge=0, le=65_535, description="The port on which to listen. 0: any free port."
    )
    token: Annotated[SecretStr, AfterValidator(_checked_token)] | None = Field(
        default=None,
        description="The token that clients must send. Default: the server creates a token and "
        "stores it in a file.",
        json_schema_extra={"minLength": _MIN_TOKEN, "pattern": "^[!-~]*$"},
    )
    allowed_hosts: list[AllowedHost] = Field(
        default=[],
        description=(
            "Host names, besides the server's own address, at which clients may reach the server, "
            "such as tabwarden.internal, tabwarden.internal:8414 or *.example.com. A name without "
            "a port allows any port."
        ),
    )
    images: Images = Field(
        default="inline",
        description=(
            "How results contain images. inline: as data. file: as the path of a file in "
            "browser.output_dir. omit: not at all."
        ),
    )
    max_tasks: int = Field(
        default=16, ge=1, le=10_000, description="The maximum number of tasks with an open browser."
    )
    min_free_memory_mb: float = Field(
        default=512.0,
        ge=0,
        description=(
            "Open a new browser only if this much memory then stays free on this machine, or in "
            "the server's container, so that it never swaps. 0: always open it. Only on Linux."
        ),
    )
    idle_minutes: float = Field(
        default=60.0,
        ge=0,
        description=(
            "Close a task's browser after this many minutes without a call, unless a person is "
            "watching or has control, or the agent is waiting for a person. 0: never."
        ),
    )
    drain_s: float = Field(
        default=0.0,
        ge=0,
        le=86_400,
        description=(
            "On SIGTERM, let running calls continue for at most this many seconds, and refuse new "
            "calls. A second signal ends the running calls. 0: end them immediately."
        ),
    )
    max_requests: int = Field(
        default=64,
        ge=1,
        le=100_000,
        description=(
            "The maximum number of concurrent requests. `tabwarden mcp --http` also allows three "
            "connections for each of max_mcp_sessions."
        ),
    )
    max_streams: int = Field(
        default=16,
        ge=1,
        le=10_000,
        description="The maximum number of clients that follow events at the same time.",
    )
    max_upload_mb: float = Field(
        default=512.0,
        gt=0,
        le=1_048_576,
        description="The maximum size of a file that a client sends to the upload folder, in MB.",
    )
    max_mcp_sessions: int = Field(
        default=64,
        ge=1,
        le=10_000,
        description=(
            "The maximum number of MCP sessions of `tabwarden mcp --http`. Changes take effect "
            "only when the server restarts."
        ),
    )
    tokens_file: Annotated[Path, AfterValidator(Path.expanduser)] | None = Field(
        default=None,
        description=(
            "The file with the tenants' tokens (tabwarden token). Default: a file in the user's "
            "state folder."
        ),
    )


class DaemonConfig(BaseModel):
    """The ``daemon`` section: the process that keeps browsers open between commands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    idle_minutes: float = Field(
        default=60.0,
        ge=0,
        description=(
            "Close a session's browser and daemon after this many minutes without a call. 0: never."
        ),
    )
