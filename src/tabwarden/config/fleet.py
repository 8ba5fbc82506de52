"""The configuration keys of the fleet: ``fleet``."""

from __future__ import annotations

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

CHECKPOINT_S = 10.0
"""How many seconds lie between two checkpoints by default."""
_LEAST_S = 0.5


def _checked_listen(listen: str) -> str:
    try:
        address = ipaddress.ip_address(listen)
    except ValueError:
        raise ValueError("write an IP address, such as 10.0.0.1") from None
    if address.is_unspecified:
        raise ValueError("write the address at which other machines reach this one")
    return listen


def _checked_store(store: SecretStr) -> SecretStr:
    text = store.get_secret_value()
    if text.startswith("sqlite:"):
        return store
    try:
        parts = urlsplit(text)
        is_redis = parts.scheme in ("redis", "rediss") and parts.hostname and parts.port != 0
    except ValueError:  # the port; its words could quote the password
        is_redis = None
    if not is_redis:
        raise ValueError("write sqlite:PATH, redis://HOST:PORT or rediss://HOST:PORT")
    if parts.path not in ("", "/", "/0"):
        raise ValueError("name no database: Ray's head keeps its state there too, always in 0")
    return store


def _often_enough(seconds: float) -> float:
    if 0 < seconds < _LEAST_S:
        raise ValueError(f"write 0 for none, or at least {_LEAST_S}")
    return seconds


CheckpointSeconds = Annotated[float, Field(ge=0, le=3_600), AfterValidator(_often_enough)]
"""How many seconds may lie between two checkpoints; 0 for a checkpoint only before a planned
move."""


class FleetConfig(BaseModel):
    """The ``fleet`` section. Each node reads ``node``, ``listen``, ``max_tasks_per_node`` and
    ``warm``; each server reads ``checkpoint_s``. The coordinator reads the others, once, from the
    program that starts it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    node: str | None = Field(
        default=None,
        pattern="^[A-Za-z0-9._-]{1,64}$",
        description="The node's name in status and logs. Default: the machine's host name.",
    )
    listen: Annotated[str, AfterValidator(_checked_listen)] = Field(
        default="127.0.0.1",
        description="This machine's IP address in the fleet: other machines reach Ray and the "
        "browser host there.",
    )
    max_tasks_per_node: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="The most browsers on this node. Default: what its memory and processors bear "
        "(400 MB and a quarter of a processor each).",
    )
    min_free_memory_mb: int = Field(
        default=512,
        ge=0,
        description="Place no task on a node with less available memory than this, in MB. The "
        "coordinator's setting counts, for all nodes.",
    )
    warm: int = Field(
        default=1, ge=0, le=100, description="How many browsers a node starts ahead of time."
    )
    checkpoint_s: CheckpointSeconds = Field(
        default=CHECKPOINT_S,
        description="A server with --fleet keeps each task's cookies, localStorage and tabs (by "
        "URL) every so many seconds, for a new browser if a node is lost. 0: only before a planned "
        "move.",
    )
    lease_ms: float = Field(
        default=2_000,
        ge=2_000,
        le=60_000,
        description="How long a node's browsers may work after its last heartbeat, in "
        "milliseconds. A task of a lost node can continue elsewhere when this and a quarter of it "
        "have passed. If the coordinator is away for longer, all browsers of the fleet end.",
    )
    max_waiting: int = Field(
        default=1_000, ge=0, description="The most tasks that may wait for a slot."
    )
    store: Annotated[SecretStr, AfterValidator(_checked_store)] | None = Field(
        default=None,
        description="Where the coordinator keeps the leases: sqlite:PATH, or redis://HOST:PORT, "
        "which survives the head node. Default: an SQLite file on the head node.",
        json_schema_extra={"pattern": "^(sqlite:|rediss?://)"},
    )
