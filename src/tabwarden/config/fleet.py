"""The configuration keys in the ``fleet`` section."""

from __future__ import annotations

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

CHECKPOINT_S = 10.0
"""The default interval between two checkpoints, in seconds."""
_LEAST_S = 0.5


def _checked_listen(listen: str) -> str:
    try:
        address = ipaddress.ip_address(listen)
    except ValueError:
        raise ValueError("write an IP address, such as 10.0.0.1") from None
    if address.is_unspecified:
        raise ValueError("write the address at which other machines can reach this machine")
    return listen


def _checked_store(store: SecretStr) -> SecretStr:
    text = store.get_secret_value()
    if text.startswith("sqlite:"):
        return store
    try:
        parts = urlsplit(text)
        is_redis = parts.scheme in ("redis", "rediss") and parts.hostname and parts.port != 0
    except ValueError:  # the port; the error's own message could quote the password
        is_redis = None
    if not is_redis:
        raise ValueError("write sqlite:PATH, redis://HOST:PORT or rediss://HOST:PORT")
    if parts.path not in ("", "/", "/0"):
        raise ValueError(
            "omit the database number: Ray's head keeps its state in the same Redis, always in "
            "database 0"
        )
    return store


def _often_enough(seconds: float) -> float:
    if 0 < seconds < _LEAST_S:
        raise ValueError(f"write 0 for no regular checkpoints, or at least {_LEAST_S}")
    return seconds


CheckpointSeconds = Annotated[float, Field(ge=0, le=3_600), AfterValidator(_often_enough)]
"""The interval between two checkpoints, in seconds; 0 to take a checkpoint only before a planned
move.
"""


class FleetConfig(BaseModel):
    """The ``fleet`` section. Each node reads ``node``, ``listen``, ``max_tasks_per_node`` and
    ``warm``; each server reads ``checkpoint_s``. The coordinator reads the other keys once, from
    the program that starts it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    node: str | None = Field(
        default=None,
        pattern="^[A-Za-z0-9._-]{1,64}$",
        description="The node's name in status and logs. Default: the machine's host name.",
    )
    listen: Annotated[str, AfterValidator(_checked_listen)] = Field(
        default="127.0.0.1",
        description=(
            "This machine's IP address in the fleet, at which other machines reach Ray and the "
            "browser host."
        ),
    )
    max_tasks_per_node: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description=(
            "The maximum number of browsers on this node. Default: as many as its memory and "
            "processors allow (400 MB and a quarter of a processor for each browser)."
        ),
    )
    min_free_memory_mb: int = Field(
        default=512,
        ge=0,
        description=(
            "Do not place tasks on a node that has less available memory than this, in MB. The "
            "coordinator's setting applies to all nodes."
        ),
    )
    warm: int = Field(
        default=1, ge=0, le=100, description="The number of browsers that a node starts in advance."
    )
    checkpoint_s: CheckpointSeconds = Field(
        default=CHECKPOINT_S,
        description=(
            "How often, in seconds, a server with --fleet saves each task's cookies, localStorage "
            "and tab URLs, so that a new browser can restore them if a node is lost. 0: only "
            "before a planned move."
        ),
    )
    lease_ms: float = Field(
        default=2_000,
        ge=2_000,
        le=60_000,
        description=(
            "How long a node's browsers may continue after the node's last heartbeat, in "
            "milliseconds. After 1.25 times this period, a lost node's tasks can continue on "
            "other nodes. If the coordinator is unavailable for longer, all browsers in the "
            "fleet close."
        ),
    )
    max_waiting: int = Field(
        default=1_000, ge=0, description="The maximum number of tasks that can wait for a slot."
    )
    store: Annotated[SecretStr, AfterValidator(_checked_store)] | None = Field(
        default=None,
        description=(
            "Where the coordinator stores the leases: sqlite:PATH, or redis://HOST:PORT, which "
            "survives the loss of the head node. Default: an SQLite file on the head node."
        ),
        json_schema_extra={"pattern": "^(sqlite:|rediss?://)"},
    )
