"""The fence: what comes from a page stands between two marks that no page can know."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

__all__ = ["fence"]


def fence(lines: Iterable[str]) -> str:
    """The lines between the marks; each snapshot has its own."""
    mark = secrets.token_hex(4)
    return "\n".join([f"<page {mark}>", *lines, f"</page {mark}>"])
