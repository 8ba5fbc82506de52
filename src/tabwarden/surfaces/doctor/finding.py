"""The result of a check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import msgspec

Status = Literal["skipped", "ok", "warning", "problem"]
"""The statuses, from best to worst."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a check.

    Attributes:
        check: the check's name.
        status: ``problem`` means that something will not work. ``warning`` means that it works,
            but not properly.
        message: a sentence that describes the result.
        command: the command that fixes the problem; "" if no command does.
        data: details for programs, without secrets.
    """

    check: str
    status: Status
    message: str
    command: str = ""
    data: dict[str, Any] = {}


def worst(findings: Iterable[Finding]) -> Status:
    """Return the worst status; ``ok`` without findings."""
    order = get_args(Status)
    found = max((order.index(one.status) for one in findings), default=0)
    worst_status: Status = order[max(found, order.index("ok"))]
    return worst_status
