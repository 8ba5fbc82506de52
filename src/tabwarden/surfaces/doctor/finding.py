"""What a check found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import msgspec

__all__ = ["Finding", "Status", "worst"]

Status = Literal["skipped", "ok", "warning", "problem"]
"""From the best to the worst."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at.

    Attributes:
        check: the check's name.
        status: ``problem``: something will not work; ``warning``: it works, but not as it should.
        message: what is so, in a sentence.
        command: what mends it, to be typed; "" when there is nothing to mend.
        data: facts for programs; no secrets.
    """

    check: str
    status: Status
    message: str
    command: str = ""
    data: dict[str, Any] = {}


def worst(findings: Iterable[Finding]) -> Status:
    """The worst status; ``ok`` of none."""
    order = get_args(Status)
    found = max((order.index(one.status) for one in findings), default=0)
    worst_status: Status = order[max(found, order.index("ok"))]
    return worst_status
