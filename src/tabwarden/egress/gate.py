"""The gate: what a task's browser may reach. Pure values; who asks for a name, and for every
address that it resolves to, is ``proxy.py``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tabwarden.egress.addresses import METADATA_NAMES, Address, address_of, reach_of
from tabwarden.egress.origins import OriginPattern, Place

__all__ = ["REASONS", "Gate", "NetworkPolicy", "Why", "is_loopback_name"]

Why = Literal[
    "blocked_origin",
    "not_allowed",
    "loopback",
    "private",
    "link_local",
    "metadata",
    "reserved",
    "invalid_host",
]
REASONS: dict[Why, str] = {
    "blocked_origin": "blocked_origins has it",
    "not_allowed": "allowed_origins does not have it",
    "loopback": "it is on this machine, at a port that the caller has not named",
    "private": "it is in a private network",
    "link_local": "its address is a link-local one",
    "metadata": "it is a cloud's metadata service",
    "reserved": "its address is no server's",
    "invalid_host": "its host is none",
}
_LOCAL_ENDINGS = (
    ".localhost", ".local", ".internal", ".lan", ".home", ".corp", ".intranet", ".private",
    ".home.arpa", ".test",
)  # fmt: skip
"""Names that the public DNS does not have: nobody outside decides what they resolve to."""


class NetworkPolicy(msgspec.Struct, frozen=True):
    """What the user wants."""

    allowed: tuple[OriginPattern, ...] = ()
    """None: all public hosts."""
    blocked: tuple[OriginPattern, ...] = ()
    """These win."""
    private_networks: bool = False

    @classmethod
    def of(cls, allowed: list[str], blocked: list[str], *, private_networks: bool) -> NetworkPolicy:
        """From what the configuration says.

        Raises:
            ValueError: something is not an origin.
        """
        return cls(
            tuple(OriginPattern.parse(text) for text in allowed),
            tuple(OriginPattern.parse(text) for text in blocked),
            private_networks,
        )

    def lists(self, place: Place) -> bool:
        """Whether a place is allowed by its own name, not by a wildcard."""
        return any(not one.below and one.covers(place) for one in self.allowed)


class Gate(msgspec.Struct, frozen=True):
    """A policy, and the places that the caller named."""

    policy: NetworkPolicy = NetworkPolicy()
    named: frozenset[Place] = frozenset()
    """Places in private networks."""
    named_ports: frozenset[int] = frozenset()
    """Ports of this machine."""
    only_loopback: bool = True
    """No page of any other machine has been asked for: those of this one may reach all its ports.
    Once one has, whatever of it lives on (a service worker, a frame) must not."""

    def refuses_name(self, place: Place) -> Why | None:
        """Why a place may not be reached, as far as its name tells."""
        if any(one.covers(place) for one in self.policy.blocked):
            return "blocked_origin"
        if self.policy.allowed and not any(one.covers(place) for one in self.policy.allowed):
            return "not_allowed"
        if place.host in METADATA_NAMES and not self.policy.lists(place):
            return "metadata"
        return None

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        """Why the connection to a place may not go to this address.

        Args:
            place: what was asked for.
            address: what it resolves to.
        """
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
        """Why a document may not be asked for, where no connection can be refused: by its name, or
        by the address that it is. This machine is not told from the browser's there."""
        why = self.refuses_name(place)
        address = address_of(place.host)
        if why is None and address is not None and not is_loopback_name(place.host):
            return self.refuses_address(place, address)
        return why

    def refuses_naming(self, place: Place) -> Why | None:
        """Why even the caller may not name a place, as far as its name tells."""
        why = self.refuses_name(place)
        address = address_of(place.host)
        if why is None and address is not None:
            return self.naming(place).refuses_address(place, address)
        return why

    def heading_for(self, place: Place) -> Gate:
        """The gate when a page is about to be asked for."""
        if not self.only_loopback or is_loopback_name(place.host):
            return self
        return msgspec.structs.replace(self, only_loopback=False)

    def naming(self, place: Place) -> Gate:
        """The gate when the caller has named a place: on this machine that port is open under all
        of its names, in a private network that place is.

        A public name opens nothing, wherever it leads: its owner decides that.
        """
        if is_loopback_name(place.host):
            if place.port in self.named_ports:
                return self
            return msgspec.structs.replace(self, named_ports=self.named_ports | {place.port})
        if place in self.named or not _is_local(place.host):
            return self
        return msgspec.structs.replace(self, named=self.named | {place})


def is_loopback_name(host: str) -> bool:
    """Whether a canonical host is this machine for certain."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = address_of(host)
    return address is not None and reach_of(address) == "loopback"


def _is_local(host: str) -> bool:
    address = address_of(host)
    if address is not None:
        return reach_of(address) == "private"
    return "." not in host or host.endswith(_LOCAL_ENDINGS)
