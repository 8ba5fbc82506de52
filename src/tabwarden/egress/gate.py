"""The gate decides which places (hosts and ports) a task's browser may connect to. The gate does no
I/O.

``proxy.py`` asks the gate about each name, and about each address that the name resolves to.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tabwarden.egress.addresses import METADATA_NAMES, Address, address_of, reach_of
from tabwarden.egress.origins import OriginPattern, Place

Why = Literal[
    "blocked_origin",
    "not_allowed",
    "loopback",
    "private",
    "link_local",
    "metadata",
    "reserved",
    "own",
    "invalid_host",
]
REASONS: dict[Why, str] = {
    "blocked_origin": "it is in blocked_origins",
    "not_allowed": "it is not in allowed_origins",
    "loopback": "it is on this machine, at a port that the caller has not used in a URL",
    "private": "it is in a private network",
    "link_local": "its address is link-local",
    "metadata": "it is a cloud metadata service",
    "reserved": "its address is reserved, so no server can use it",
    "own": "the port belongs to Tabwarden or to a browser that it controls",
    "invalid_host": "its host name is invalid",
}
_LOCAL_ENDINGS = (
    ".localhost", ".local", ".internal", ".lan", ".home", ".corp", ".intranet", ".private",
    ".home.arpa", ".test",
)  # fmt: skip
"""Suffixes of names that are not in the public DNS. Only the local network can resolve such names.
"""


class NetworkPolicy(msgspec.Struct, frozen=True):
    """The user's network policy."""

    allowed: tuple[OriginPattern, ...] = ()
    """Allowed origins; if empty, all public hosts are allowed."""
    blocked: tuple[OriginPattern, ...] = ()
    """Blocked origins; they override ``allowed``."""
    private_networks: bool = False

    @classmethod
    def of(cls, allowed: list[str], blocked: list[str], *, private_networks: bool) -> NetworkPolicy:
        """Create a policy from the configuration.

        Raises:
            ValueError: an entry is not an origin pattern.
        """
        return cls(
            tuple(OriginPattern.parse(text) for text in allowed),
            tuple(OriginPattern.parse(text) for text in blocked),
            private_networks,
        )

    def lists(self, place: Place) -> bool:
        """Whether the policy allows a place explicitly, by its exact name and not by a wildcard."""
        return any(not one.below and one.covers(place) for one in self.allowed)


class Gate(msgspec.Struct, frozen=True):
    """A policy, and the places that the caller has explicitly named."""

    policy: NetworkPolicy = NetworkPolicy()
    named: frozenset[Place] = frozenset()
    """The places in private networks that the caller has named."""
    named_ports: frozenset[int] = frozenset()
    """The ports of this computer that the caller has named."""
    only_loopback: bool = True
    """True until a page from another computer is requested. Until then, pages from this computer
    may connect to all of its ports. Afterwards, they may not, because a service worker or frame
    from the other computer may still be running.
    """

    def refuses_name(self, place: Place) -> Why | None:
        """Return the reason to refuse a place because of its name; None if the place is allowed."""
        if any(one.covers(place) for one in self.policy.blocked):
            return "blocked_origin"
        if self.policy.allowed and not any(one.covers(place) for one in self.policy.allowed):
            return "not_allowed"
        if place.host in METADATA_NAMES and not self.policy.lists(place):
            return "metadata"
        return None

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        """Return the reason to refuse this address of a place; None if the address is allowed."""
        reach = reach_of(address)
        if reach == "public":
            return None
        listed = self.policy.lists(place)
        if listed and (address_of(place.host) is not None or place.host in METADATA_NAMES):
            return None
        if reach in ("metadata", "reserved"):
            return reach
        if self.policy.private_networks or listed or place in self.named:
            return None
        if reach == "loopback" and is_loopback_name(place.host):
            open_here = bool(self.named_ports) and self.only_loopback
            return None if open_here or place.port in self.named_ports else "loopback"
        return reach

    def refuses_document(self, place: Place) -> Why | None:
        """Return the reason to refuse a document because of the host in its URL. For browsers that
        don't use our proxy. Loopback is allowed, because it may mean this computer or the browser's
        computer.
        """
        why = self.refuses_name(place)
        address = address_of(place.host)
        if why is None and address is not None and not is_loopback_name(place.host):
            return self.refuses_address(place, address)
        return why

    def refuses_naming(self, place: Place) -> Why | None:
        """Return the reason to refuse a place even if the caller named the place explicitly; None
        if there is none.
        """
        why = self.refuses_name(place)
        address = address_of(place.host)
        if why is None and address is not None:
            return self.naming(place).refuses_address(place, address)
        return why

    def heading_for(self, place: Place) -> Gate:
        """Return the gate that applies after a page from this place was requested."""
        if not self.only_loopback or is_loopback_name(place.host):
            return self
        return msgspec.structs.replace(self, only_loopback=False)

    def naming(self, place: Place) -> Gate:
        """Return the gate that applies after the caller has named a place. If the place is on this
        computer, its port is allowed, under all names of this computer. If the place is in a
        private network, only that place is allowed. A public name changes nothing, because the
        name's owner decides to which address the name resolves.
        """
        if is_loopback_name(place.host):
            if place.port in self.named_ports:
                return self
            return msgspec.structs.replace(self, named_ports=self.named_ports | {place.port})
        if place in self.named or not _is_local(place.host):
            return self
        return msgspec.structs.replace(self, named=self.named | {place})


def is_loopback_name(host: str) -> bool:
    """Whether a canonical host certainly means this computer."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = address_of(host)
    return address is not None and reach_of(address) == "loopback"


def _is_local(host: str) -> bool:
    address = address_of(host)
    if address is not None:
        return reach_of(address) == "private"
    return "." not in host or host.endswith(_LOCAL_ENDINGS)
