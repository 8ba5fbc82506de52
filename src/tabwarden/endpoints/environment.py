"""The environment of a browser: this process's own, without what is none of its business.

Programs that launch browsers have keys in theirs (of LLMs, clouds, databases); a browser runs
strangers' scripts and needs none of them, nor do its children inherit any then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["without_secrets"]

_NAMES = re.compile(
    r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|COOKIE|JWT|WEBHOOK|_(?:PWD|PAT|AUTH)$|^SSH_|^TABWARDEN_",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"://[^/\s@]+@|(?:password|passwd|pwd|key|token|secret|signature|sig)=", re.IGNORECASE
)
"""In a URL, or in what a driver connects with."""
_PROXY = re.compile(r"_proxy$", re.IGNORECASE)


def without_secrets(given: Mapping[str, str], *, proxied: bool) -> dict[str, str]:
    """The variables that a browser may have.

    Args:
        given: all there are.
        proxied: it goes through a proxy of ours, which reads ``HTTPS_PROXY`` and its like itself.
    """
    return {
        name: value
        for name, value in given.items()
        if not (_PROXY.search(name) and proxied)
        and not _NAMES.search(name)
        and (_PROXY.search(name) or not _LOGIN.search(value))
    }
