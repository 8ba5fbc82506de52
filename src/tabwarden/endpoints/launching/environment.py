"""A browser's environment variables: those of this process, without secrets.

Programs that launch browsers often have keys for LLMs, clouds or databases in their environment. A
browser runs untrusted scripts and needs no keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAMES = re.compile(
    r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|COOKIE|JWT|WEBHOOK|_(?:PWD|PAT|AUTH)$|^SSH_|^TABWARDEN_",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"://[^/\s@]+@|(?:password|passwd|pwd|key|token|secret|signature|sig)=", re.IGNORECASE
)
"""Patterns for secrets in a URL or in a database connection string."""
_PROXY = re.compile(r"_proxy$", re.IGNORECASE)


def in_place(environment: dict[str, str], locale: str | None, timezone: str | None) -> None:
    """Set the language and the time zone of a browser, also for its workers."""
    if timezone is not None:
        environment["TZ"] = timezone
    if locale is not None:  # on Linux, --lang has no effect
        environment["LANGUAGE"] = locale.replace("-", "_")
        if environment.get("LC_ALL", environment.get("LANG", "C")).split(".")[0] in ("C", "POSIX"):
            # In these locales, LANGUAGE has no effect.
            environment["LC_ALL"] = f"{locale.replace('-', '_')}.UTF-8"


def without_secrets(given: Mapping[str, str], *, proxied: bool) -> dict[str, str]:
    """Return the variables that a browser may see.

    If ``proxied``, the browser uses our proxy, which reads ``HTTPS_PROXY`` and similar itself.
    """
    return {
        name: value
        for name, value in given.items()
        if not (_PROXY.search(name) and proxied)
        and not _NAMES.search(name)
        and (_PROXY.search(name) or not _LOGIN.search(value))
    }
