"""Match a URL with ``*`` wildcards in linear time.

Pages choose their own URLs. For a long URL, a regular expression with a few ``.*`` could block the
calls of all tasks for minutes.
"""

from __future__ import annotations


def fits_url(pattern: str, url: str) -> bool:
    """Whether a URL contains ``pattern``. If the pattern has ``*`` wildcards, the whole URL must
    match."""
    if "*" not in pattern:
        return pattern in url
    first, *middle, last = pattern.split("*")
    at, end = len(first), len(url) - len(last)
    if not (url.startswith(first) and url.endswith(last)):
        return False
    for part in middle:
        index = url.find(part, at, end)
        if index < 0:
            return False
        at = index + len(part)
    return at <= end
