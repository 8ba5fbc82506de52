"""News: ``new_since_last`` of several actions that were one call to the agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["joined"]


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What two results told, as if one had."""
    return {
        kind: [*first.get(kind, ()), *second.get(kind, ())]
        for kind in dict.fromkeys((*first, *second))
    }
