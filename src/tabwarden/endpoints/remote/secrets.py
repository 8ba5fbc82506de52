"""Keys, tokens and signed addresses stay out of errors and logs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from tabwarden.telemetry.redaction import hosts_only

__all__ = ["hosts_only", "quiet_libraries", "without"]

_SHORTEST_SECRET = 4


def without(text: str, secrets: Iterable[str]) -> str:
    """``text`` without these secrets, however they are quoted, and with hosts only."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            for form in {secret, quote(secret, safe=""), quote_plus(secret)}:
                text = text.replace(form, "…")
    return hosts_only(text)


class _NoHandshakes(logging.Filter):
    """Drops what the WebSocket library logs of a handshake: the path with its token, headers."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith(("> GET", "> %s: %s", "< %s: %s"))


class _HostsOnly(logging.Filter):
    """Cuts the addresses down that the HTTP library logs with each request."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.args:
            record.msg, record.args = hosts_only(record.getMessage()), ()
        return True


_no_handshakes, _hosts_only = _NoHandshakes(), _HostsOnly()


def quiet_libraries() -> None:
    """Have httpx2 and websockets log no secret; safe to repeat.

    Both log the full address of what they open, and for some providers the token is in it.
    """
    logging.getLogger("httpx2").addFilter(_hosts_only)
    logging.getLogger("websockets.client").addFilter(_no_handshakes)
