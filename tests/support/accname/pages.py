"""The small pages of a table as one."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["page_of"]

_HALF = "for (const one of document.querySelectorAll('.half')) one.indeterminate = true"


def page_of(cases: Iterable[str]) -> str:
    """One page with all cases; case n's element has ``data-n=n``."""
    bodies = (
        f"<div>{case.replace('$', f'c{n}').replace(' T', f' data-n={n}', 1)}</div>"
        for n, case in enumerate(cases)
    )
    return "\n".join(bodies) + f"<script>{_HALF}</script>"
