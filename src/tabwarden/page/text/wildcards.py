"""Match a URL with ``*`` wildcards in linear time.

A page chooses its URL. For a long one, a regular expression with a few ``.*`` takes minutes, in
which no task's call runs.
"""

from __future__ import annotations


def fits_url(wanted: str, url: str) -> bool:
    """Whether a URL contains ``wanted`` or, if ``wanted`` has ``*`` wildcards, matches it whole."""
    if "*" not in wanted:
        return wanted in url
    first, *middle, last = wanted.split("*")
    at, end = len(first), len(url) - len(last)
    if not (url.startswith(first) and url.endswith(last)):
        return False
    for part in middle:
        found = url.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end
