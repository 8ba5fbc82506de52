"""The user's own proxy, to which the egress proxy connects."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tabwarden.egress.gate import is_loopback_name
from tabwarden.egress.origins import OriginPattern, Place


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A proxy, and the places for which it is used.

    Attributes:
        scheme: ``http`` (with CONNECT), ``https`` (the same over TLS) or ``socks5``.
        place: the proxy's own host and port.
        username: the user name for the login; "" for no login.
        password: the password for the login.
        bypass: places to reach without the proxy. Loopback addresses never use the proxy.
        ca: with ``https``, a PEM file with the certificates of additional CAs to trust.
        is_judged: whether the network policy applies to the proxy's own address, because a caller
            chose it.
    """

    scheme: str
    place: Place
    username: str = ""
    password: str = ""
    bypass: tuple[OriginPattern, ...] = ()
    ca: Path | None = None
    is_judged: bool = False

    def __repr__(self) -> str:
        return f"Upstream({self.scheme}://{self.place})"

    def serves(self, place: Place) -> bool:
        """Whether requests to a place use this proxy."""
        return not is_loopback_name(place.host) and not any(b.covers(place) for b in self.bypass)
