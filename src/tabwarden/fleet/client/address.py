"""The address of a fleet's browsers: ``fleet:TASK?cluster=...&checkpoint_s=...``."""

from __future__ import annotations

from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tabwarden.config import CHECKPOINT_S, CheckpointSeconds
from tabwarden.endpoints import Address
from tabwarden.errors import InvalidArgument


class FleetOptions(BaseModel):
    """The options of a ``fleet:`` address.

    Attributes:
        cluster: the address of the Ray cluster; ``auto`` for the cluster on this machine.
        checkpoint_s: the interval between checkpoints, in seconds; 0 to take a checkpoint only
            before a planned move.
        tenant: the tenant whose limits apply.
        max_tasks: the maximum number of this tenant's browsers at a time; None for no limit.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cluster: str = Field(default="auto", min_length=1)
    checkpoint_s: CheckpointSeconds = CHECKPOINT_S
    tenant: str = ""
    max_tasks: int | None = Field(default=None, ge=1)


def fleet_address(
    cluster: str,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    tenant: str = "",
    max_tasks: int | None = None,
) -> str:
    """Return the address of a fleet's browsers. The options are those of ``FleetOptions``.

    Raises:
        InvalidArgument: an option is invalid; ``field`` is its name.
    """
    values = {
        "cluster": cluster,
        "checkpoint_s": checkpoint_s,
        "tenant": tenant,
        "max_tasks": max_tasks,
    }
    try:
        options = FleetOptions.model_validate(values)
    except ValidationError as error:
        raise _wrong_option(error) from None
    return f"fleet:?{urlencode(options.model_dump(exclude_defaults=True))}"


def read_options(address: Address) -> FleetOptions:
    """Return the options of an address.

    Raises:
        InvalidArgument: an option is unknown or malformed.
    """
    try:
        return FleetOptions.model_validate(dict(address.options))
    except ValidationError as error:
        raise _wrong_option(error, "endpoint") from None


def _wrong_option(error: ValidationError, field: str | None = None) -> InvalidArgument:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    return InvalidArgument(
        f"The fleet option {name} is invalid: {first['msg']}.",
        f"Known options: {', '.join(FleetOptions.model_fields)}.",
        field=field or name,
    )
