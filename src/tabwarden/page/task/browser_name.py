"""The short name of a browser, as the state line shows it."""

from __future__ import annotations

import re

_NAMES = {"edg": "edge", "edgios": "edge", "edga": "edge", "opr": "opera"}
"""Names of products that differ from the names that people use."""


def browser_name(product: str) -> str:
    """Return ``chrome`` for ``HeadlessChrome/153.0.8010.0``, ``edge`` for ``Edg/153.0``.

    Args:
        product: the product that the browser reports; "" if it is unknown. A remote server may
            report any text.

    Returns:
        Lowercase letters and digits; ``browser`` if the product starts with none.
    """
    name = re.match(r"[a-z0-9]*", product[:50].lower().removeprefix("headless"))
    assert name is not None
    return _NAMES.get(name[0], name[0]) or "browser"
