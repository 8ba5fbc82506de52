"""Duration: how long a key, a button or a finger may be down."""

from __future__ import annotations

from tabwarden.errors import InvalidArgument
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.supervisor.runtime import Race


def check_hold(race: Race, hold_ms: float) -> None:
    """Raise ``InvalidArgument`` if a hold is longer than the budget of its call."""
    if hold_ms >= race.budget.remaining_ms():
        raise InvalidArgument(
            f"hold_ms={hold_ms:g} exceeds the call's time limit ({race.budget.timeout_ms:g} ms).",
            Hint("Hold for a shorter time, or ", MORE_TIME, "."),
            field="hold_ms",
        )
