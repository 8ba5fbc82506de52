"""Origins as people write them, read by the rules that browsers read URLs by (WHATWG URL).

The parser is Ada's, which Node.js uses: ``0x7f.1`` is ``127.0.0.1`` to it as it is to Chromium.
"""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple

import ada_url
import msgspec

__all__ = ["OriginPattern", "Place", "canonical_host", "origin_of", "place_of", "web_origin"]

_PATTERN = re.compile(
    r"(?:(?P<scheme>https?|wss?)://)?(?P<below>\*\.)?(?P<host>\[[^\]]*\]|[^\s/?#@\\:*\[\]]+)"
    r"(?::(?P<port>[0-9]{1,5}|\*))?/?",
    re.IGNORECASE,
)
_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


class Place(NamedTuple):
    """Where a request goes."""

    host: str
    """As ``canonical_host`` gives it."""
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def canonical_host(host: str) -> str | None:
    """A host as browsers write it: lower case, punycode, an address in its usual form; without
    brackets and without the dot of the root. None: it is none.

    Args:
        host: a name or an address, an IPv6 one with or without brackets.
    """
    bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
    if re.search(r"[\s/?#@\\]|\]:|^[^\[]*:", bracketed):
        return None
    try:
        found: str = ada_url.URL(f"http://{bracketed}/").hostname
    except ValueError:
        return None
    return found.removeprefix("[").removesuffix("]").removesuffix(".") or None


def place_of(url: str) -> Place | None:
    """Where a URL's request goes; None when it goes nowhere (``data:``, ``about:``, no URL)."""
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
    """The origin of a web page's URL as browsers write it; None: its URL gives it none."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return None
    return str(parsed.origin) if parsed.protocol in ("http:", "https:") else None


def web_origin(text: str) -> str | None:
    """An origin as browsers write it: ``HTTPS://Host:443/`` is ``https://host``. None: it is none
    of a web page's, or a URL that says more than its origin.
    """
    origin = origin_of(text)
    return origin if origin is not None and ada_url.URL(text).href == f"{origin}/" else None


class OriginPattern(msgspec.Struct, frozen=True):
    """Which places are meant: a host, or all below it, at one port or any.

    A scheme stands for its port: that is what can be seen of a request from outside.
    """

    text: str
    """As it was written."""
    host: str
    below: bool
    """Not the host itself, but every name below it (``*.example.com``)."""
    port: int | None
    """None: any."""

    @classmethod
    def parse(cls, text: str) -> OriginPattern:
        """``https://example.com``, ``http://localhost:*``, ``*.example.com``, ``example.com``,
        ``example.com:8443``, ``[::1]:80``.

        Raises:
            ValueError: it is none of these; the words say so.
        """
        found = _PATTERN.fullmatch(text.strip())
        host = canonical_host(found["host"]) if found else None
        port = found["port"] if found else None
        is_plain = host is not None and re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:]+", host)
        far = port not in (None, "*") and int(port) > 65_535
        if found is None or host is None or not is_plain or far:
            raise ValueError(
                f"{text[:200]!r} is not an origin: write https://example.com, "
                "http://localhost:*, *.example.com or example.com, without a path"
            )
        if found["below"] and _is_address(host):
            raise ValueError(f"{text[:200]!r}: nothing is below an address")
        if port is None:
            wanted = _PORTS.get((found["scheme"] or "").lower())
        else:
            wanted = None if port == "*" else int(port)
        return cls(text, host, bool(found["below"]), wanted)

    def covers(self, place: Place) -> bool:
        """Whether a place is one of those that are meant."""
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
