"""Keep API keys, tokens and signed URLs out of errors and logs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from tabwarden.telemetry.redaction import hosts_only

_SHORTEST_SECRET = 4


def without(text: str, secrets: Iterable[str]) -> str:
    """Remove these secrets from ``text``, even where they are URL-encoded, and shorten URLs to
    their hosts.
    """
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            for form in {secret, quote(secret, safe=""), quote_plus(secret)}:
                text = text.replace(form, "…")
    return hosts_only(text)


class _NoHandshakes(logging.Filter):
    """Drops the WebSocket library's handshake logs, which contain the token and the headers."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith(("> GET", "> %s: %s", "< %s: %s"))


class _HostsOnly(logging.Filter):
    """Shortens the URLs that the HTTP library logs with each request."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.args:
            record.msg, record.args = hosts_only(record.getMessage()), ()
        return True


_no_handshakes, _hosts_only = _NoHandshakes(), _HostsOnly()


def quiet_libraries() -> None:
    """Keep httpx2 and websockets from logging secrets; safe to call twice.

    Both libraries log every URL that they open, and some URLs contain the token.
    """
    logging.getLogger("httpx2").addFilter(_hosts_only)
    logging.getLogger("websockets.client").addFilter(_no_handshakes)
