"""The result of a check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import msgspec

Status = Literal["skipped", "ok", "warning", "problem"]
"""The statuses, from the best to the worst."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was checked.

    Attributes:
        check: the check's name.
        status: ``problem`` if something will not work; ``warning`` if it works, but not as it
            should.
        message: what the check found, in a sentence.
        command: the command that fixes the problem; "" if there is none.
        data: facts for programs; no secrets.
    """

    check: str
    status: Status
    message: str
    command: str = ""
    data: dict[str, Any] = {}


def worst(findings: Iterable[Finding]) -> Status:
    """Return the worst status; ``ok`` if there are no findings."""
    order = get_args(Status)
    found = max((order.index(one.status) for one in findings), default=0)
    worst_status: Status = order[max(found, order.index("ok"))]
    return worst_status
