"""Classify an IP address: public, this computer, a private network, or forbidden.

The data comes from IANA's registries of special-purpose addresses. In IPv6, only global unicast
(``2000::/3``) is public. An IPv6 address that contains an IPv4 address is classified like that IPv4
address.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
LOOPBACK = IPv4Address("127.0.0.1")
Reach = Literal["public", "loopback", "private", "link_local", "metadata", "reserved"]

METADATA_NAMES = frozenset(
    {
        "metadata.google.internal",
        "metadata.goog",
        "metadata",
        "instance-data",
        "instance-data.ec2.internal",
        "metadata.azure.internal",
        "metadata.tencentyun.com",
        "metadata.platformequinix.com",
    }
)
"""Host names of cloud metadata servers, from which a virtual machine gets its credentials."""
_METADATA: frozenset[Address] = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # AWS, Google, Azure, DigitalOcean, OpenStack, ...
        "169.254.170.2",  # AWS ECS: a task's credentials
        "169.254.170.23",  # AWS EKS: a pod's credentials
        "169.254.0.23",  # Tencent
        "169.254.42.42",  # Scaleway
        "fd00:42::42",  # Scaleway
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle
        "168.63.129.16",  # Azure's wire server
        "fd00:ec2::254",  # AWS
        "fd00:ec2::23",  # AWS EKS
        "fd20:ce::254",  # Google
        "fe80::a9fe:a9fe",  # OpenStack
    )
)
_V4_TEXT: tuple[tuple[str, Reach], ...] = (
    ("0.0.0.0/8", "reserved"),  # "this host": Linux treats this address as loopback
    ("10.0.0.0/8", "private"),
    ("100.64.0.0/10", "private"),  # for carrier-grade NAT and VPNs
    ("127.0.0.0/8", "loopback"),
    ("169.254.0.0/16", "link_local"),
    ("172.16.0.0/12", "private"),
    ("192.0.0.0/24", "reserved"),
    ("192.0.2.0/24", "reserved"),
    ("192.88.99.0/24", "reserved"),
    ("192.168.0.0/16", "private"),
    ("198.18.0.0/15", "private"),  # for benchmarks, but VPNs also use this range
    ("198.51.100.0/24", "reserved"),
    ("203.0.113.0/24", "reserved"),
    ("224.0.0.0/3", "reserved"),  # multicast, and reserved for the future
)
_V4 = tuple((IPv4Network(text), reach) for text, reach in _V4_TEXT)
_V6_TEXT: tuple[tuple[str, Reach], ...] = (
    ("::1/128", "loopback"),
    ("64:ff9b:1::/48", "private"),
    ("fc00::/7", "private"),
    ("fec0::/10", "private"),
    ("fe80::/10", "link_local"),
    ("2001:2::/48", "reserved"),
    ("2001:10::/28", "reserved"),
    ("2001:20::/28", "reserved"),
    ("2001:db8::/32", "reserved"),
    ("3fff::/20", "reserved"),
    ("2000::/3", "public"),
)
_V6 = tuple((IPv6Network(text), reach) for text, reach in _V6_TEXT)
_LAST_32_BITS = tuple(
    IPv6Network(text)
    for text in (
        "::/96",  # IPv4-compatible
        "::ffff:0:0/96",  # mapped
        "::ffff:0:0:0/96",  # translated (SIIT)
        "64:ff9b::/96",  # NAT64
    )
)
_LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
"""An IPv6 prefix. Each network chooses where the embedded IPv4 address starts (RFC 6052, 2.2)."""
_ISATAP = (0x00005EFE, 0x02005EFE)
_LOOPBACK_V6 = IPv6Address("::1")
_UNSPECIFIED_V6 = IPv6Address("::")
_BY_CAUTION: tuple[Reach, ...] = (
    "metadata",
    "reserved",
    "link_local",
    "loopback",
    "private",
    "public",
)


def address_of(host: str) -> Address | None:
    """Return a canonical host's IP address; None for names and for zone addresses (``%eth0``)."""
    try:
        return None if "%" in host else ip_address(host)
    except ValueError:
        return None


def reach_of(address: Address) -> Reach:
    """Classify an address and any IPv4 address embedded in it; return the more restricted class."""
    if address in _METADATA:
        return "metadata"
    if isinstance(address, IPv4Address):
        return next((reach for network, reach in _V4 if address in network), "public")
    inside = _inside(address)
    own: Reach = next((reach for network, reach in _V6 if address in network), "reserved")
    if not inside:
        return own
    reaches = {reach_of(one) for one in inside}
    if own not in ("public", "reserved"):
        reaches.add(own)
    return next(reach for reach in _BY_CAUTION if reach in reaches)


def _inside(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that may receive packets for an IPv6 address."""
    if address in (_LOOPBACK_V6, _UNSPECIFIED_V6):
        return ()
    number = int(address)
    if any(address in network for network in _LAST_32_BITS):
        return (IPv4Address(number & 0xFFFFFFFF),)
    if address in _LOCAL_NAT64:
        return tuple(one for one in _translated(number) if one in _METADATA)
    if address.sixtofour is not None:
        return (address.sixtofour,)
    if address.teredo is not None:
        return address.teredo
    if (number >> 32) & 0xFFFFFFFF in _ISATAP:
        return (IPv4Address(number & 0xFFFFFFFF),)
    return ()


def _translated(number: int) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that may follow a prefix of 48, 56, 64 or 96 bits.

    An embedded address skips bits 64 to 71.
    """
    before, after = number >> 64, number & 0xFFFFFFFFFFFFFF
    whole = before << 56 | after
    embedded = (whole >> shift & 0xFFFFFFFF for shift in (40, 32, 24))
    return (*map(IPv4Address, embedded), IPv4Address(number & 0xFFFFFFFF))
