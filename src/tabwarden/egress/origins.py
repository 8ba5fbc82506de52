"""Parse origins as browsers do (WHATWG URL).

The parser is Ada, which Node.js also uses. Like Chromium, Ada reads ``0x7f.1`` as ``127.0.0.1``.
"""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple

import ada_url
import msgspec

_PATTERN = re.compile(
    r"(?:(?P<scheme>https?|wss?)://)?(?P<below>\*\.)?(?P<host>\[[^\]]*\]|[^\s/?#@\\:*\[\]]+)"
    r"(?::(?P<port>[0-9]{1,5}|\*))?/?",
    re.IGNORECASE,
)
_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


class Place(NamedTuple):
    """The host and port to which a request is sent."""

    host: str
    """The host, as ``canonical_host`` returns it."""
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def canonical_host(host: str) -> str | None:
    """Return a host as browsers write it, but without brackets and without a trailing dot.

    Names are in lower case and punycode, and IP addresses in canonical form. Return None if
    ``host`` is not a name or an address (IPv6 with or without brackets).
    """
    bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
    if re.search(r"[\s/?#@\\]|\]:|^[^\[]*:", bracketed):
        return None
    try:
        hostname: str = ada_url.URL(f"http://{bracketed}/").hostname
    except ValueError:
        return None
    return hostname.removeprefix("[").removesuffix("]").removesuffix(".") or None


def place_of(url: str) -> Place | None:
    """Return the host and port of a URL; None if ``url`` is not a URL or needs no request
    (``data:``, ``about:``).
    """
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return None
    default = _PORTS.get(parsed.protocol.removesuffix(":"))
    host = canonical_host(parsed.hostname)
    if default is None or host is None:
        return None
    return Place(host, int(parsed.port) if parsed.port else default)


def origin_of(url: str) -> str | None:
    """Return a URL's origin as browsers write it; None if ``url`` is not an HTTP(S) URL."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return None
    return str(parsed.origin) if parsed.protocol in ("http:", "https:") else None


def web_origin(text: str) -> str | None:
    """Return an origin as browsers write it: ``HTTPS://Host:443/`` becomes ``https://host``.

    Return None if ``text`` is not a web origin, or contains other parts of a URL too.
    """
    origin = origin_of(text)
    return origin if origin is not None and ada_url.URL(text).href == f"{origin}/" else None


class OriginPattern(msgspec.Struct, frozen=True):
    """A pattern for places: a host or all its subdomains, at one port or at any port.

    A scheme in a pattern only sets the scheme's default port, because the proxy sees only the host
    and the port of a request.
    """

    text: str
    """The pattern as the user wrote it."""
    host: str
    below: bool
    """Whether the pattern matches every subdomain (``*.example.com``) but not the host itself."""
    port: int | None
    """The port to match; None for any port."""

    @classmethod
    def parse(cls, text: str) -> OriginPattern:
        """Parse ``https://example.com``, ``http://localhost:*``, ``*.example.com``,
        ``example.com``, ``example.com:8443`` or ``[::1]:80``.

        Raises:
            ValueError: ``text`` is not in one of these formats. The message explains the formats.
        """
        match = _PATTERN.fullmatch(text.strip())
        host = canonical_host(match["host"]) if match else None
        port = match["port"] if match else None
        is_plain = host is not None and re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:]+", host)
        far = port not in (None, "*") and int(port) > 65_535
        if match is None or host is None or not is_plain or far:
            raise ValueError(
                f"{text[:200]!r} is not an origin: write https://example.com, http://localhost:*, "
                "*.example.com or example.com, without a path"
            )
        if match["below"] and _is_address(host):
            raise ValueError(f"{text[:200]!r} is invalid: an IP address has no subdomains")
        if port is None:
            wanted = _PORTS.get((match["scheme"] or "").lower())
        else:
            wanted = None if port == "*" else int(port)
        return cls(text, host, bool(match["below"]), wanted)

    def covers(self, place: Place) -> bool:
        """Whether the pattern matches a place."""
        if self.port not in (None, place.port):
            return False
        if self.below:
            return place.host.endswith(f".{self.host}")
        return place.host == self.host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
