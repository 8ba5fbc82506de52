"""The addresses that a task's browser can reach."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.egress.addresses import METADATA_NAMES, Reach, reach_of
from tabwarden.egress.gate import REASONS, Gate, NetworkPolicy, Why
from tabwarden.egress.origins import Place, canonical_host

PUBLIC = "93.184.216.34"
METADATA = "169.254.169.254"


def gate(allowed: str = "", blocked: str = "", *, private: bool = False) -> Gate:
    policy = NetworkPolicy.of(allowed.split(), blocked.split(), private_networks=private)
    return Gate(policy)


def refuses(gate: Gate, host: str, port: int = 80, address: str | None = None) -> Why | None:
    place = Place(canonical_host(host) or host, port)
    return gate.refuses_name(place) or gate.refuses_address(
        place, ip_address(address or place.host)
    )


@pytest.mark.parametrize(
    ("addresses", "reach"),
    [
        ("8.8.8.8 93.184.216.34 2606:4700::1 2a00:1450::1 64:ff9b::808:808", "public"),
        ("127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 ::127.0.0.1 2002:7f00:1::", "loopback"),
        ("10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 100.127.255.255", "private"),
        ("fc00::1 fd12::1 fec0::1 ::ffff:10.0.0.1 64:ff9b::a00:1 64:ff9b:1::1", "private"),
        ("198.18.0.1", "private"),
        ("2002:c0a8:1:: ::ffff:0:192.168.0.1 fd00::5efe:10.0.0.1", "private"),
        ("169.254.1.1 fe80::1 ::ffff:169.254.1.1", "link_local"),
        ("169.254.169.254 100.100.100.200 fd00:ec2::254 ::ffff:169.254.169.254", "metadata"),
        ("64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: 168.63.129.16 192.0.0.192", "metadata"),
        ("64:ff9b:1:a9fe:a9:fe00:: 64:ff9b:1:a9:fe:a9fe:: 64:ff9b:1::a9:fea9:fe00:0", "metadata"),
        ("64:ff9b:1::a9fe:a9fe 64:ff9b:1:7::a9fe:a9fe 169.254.42.42 fd00:42::42", "metadata"),
        ("0.0.0.0 0.1.2.3 :: 224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1 192.0.2.1", "reserved"),
        ("ff02::1 2001:db8::1 ::ffff:0.0.0.0 4000::1 3fff::1", "reserved"),
        ("2001:0:a00:1::f5ff:fffe 2001:0:808:808::f5ff:fffe", "private"),
    ],
)  # fmt: skip
def test_gate_classifies_addresses_as_public_private_local_or_reserved(
    addresses: str, reach: Reach
) -> None:
    assert {text: reach_of(ip_address(text)) for text in addresses.split()} == dict.fromkeys(
        addresses.split(), reach
    )


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_gate_classifies_an_ipv4_address_mapped_to_ipv6_like_the_ipv4_address(
    address: IPv4Address,
) -> None:
    number = int(address)
    plain = reach_of(address)
    for prefix in ("::ffff:0:0", "::ffff:0:0:0", "64:ff9b::"):
        assert reach_of(IPv6Address(int(IPv6Address(prefix)) | number)) == plain
    assert reach_of(IPv6Address((0x2002 << 112) | (number << 80))) == plain


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_gate_treats_no_ipv4_address_as_public_that_python_calls_private(
    address: IPv4Address,
) -> None:
    if reach_of(address) == "public":
        kinds = (
            "private", "loopback", "link_local", "multicast", "reserved", "unspecified",
        )  # fmt: skip
        assert not [kind for kind in kinds if getattr(address, f"is_{kind}")]


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_gate_treats_no_ipv6_address_outside_the_global_prefixes_as_public(
    address: IPv6Address,
) -> None:
    if reach_of(address) == "public" and not (address.ipv4_mapped or address.sixtofour):
        assert int(address) >> 125 == 1 or int(address) >> 32 in (0, 0x64FF9B << 64, 0xFFFF << 16)


@pytest.mark.parametrize(
    ("host", "address", "why"),
    [
        ("example.com", PUBLIC, None),
        ("example.com", "10.0.0.1", "private"),
        ("example.com", "127.0.0.1", "loopback"),
        ("example.com", METADATA, "metadata"),
        ("127.0.0.1", None, "loopback"),
        ("2130706433", None, "loopback"),
        ("0x7f.1", None, "loopback"),
        ("[::1]", None, "loopback"),
        ("[::ffff:10.0.0.1]", None, "private"),
        ("localhost", "127.0.0.1", "loopback"),
        ("0.0.0.0", None, "reserved"),
        ("169.254.1.1", None, "link_local"),
        ("metadata.google.internal.", PUBLIC, "metadata"),
    ],
)
def test_default_gate_allows_only_public_addresses(
    host: str, address: str | None, why: Why | None
) -> None:
    assert refuses(gate(), host, 80, address) == why


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "app.localhost", "127.9.9.9"])
def test_local_port_in_a_callers_url_is_allowed_under_every_loopback_name(host: str) -> None:
    named = gate().naming(Place(host.strip("[]"), 3000)).heading_for(Place("example.com", 443))
    for other, address in (("localhost", "::1"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1")):
        assert refuses(named, other, 3000, address) is None
        assert refuses(named, other, 3001, address) == "loopback"
    assert refuses(named, "10.0.0.1", 3000) == "private"
    assert refuses(named, "rebound.example", 3000, "127.0.0.1") == "loopback"


def test_gate_allows_all_local_ports_until_the_browser_visits_another_host() -> None:
    named = gate().naming(Place("localhost", 3000))
    assert refuses(named, "127.0.0.1", 8080) is None
    assert refuses(named.heading_for(Place("127.0.0.1", 8080)), "127.0.0.1", 9090) is None
    assert refuses(named.heading_for(Place("example.com", 443)), "127.0.0.1", 8080) == "loopback"
    assert refuses(gate(), "127.0.0.1", 8080) == "loopback"  # no caller's URL named one


@pytest.mark.parametrize(
    ("host", "address"),
    [("192.168.1.1", "192.168.1.1"), ("router", "10.0.0.1"), ("nas.local", "192.168.0.9"),
     ("wiki.corp", "fd12::1"), ("dev.test", "127.0.0.1")],
)  # fmt: skip
def test_private_host_in_a_callers_url_is_allowed_only_on_its_port(host: str, address: str) -> None:
    named = gate().naming(Place(host, 80))
    assert refuses(named, host, 80, address) is None
    assert refuses(named, host, 81, address) is not None
    assert refuses(named, "192.168.1.2", 80) == "private"
    assert refuses(named, host, 80, METADATA) is not None or host == "192.168.1.1"


@pytest.mark.parametrize("address", ["10.0.0.1", "127.0.0.1", "fd12::1", METADATA])
@pytest.mark.threat
def test_public_host_in_a_callers_url_allows_no_private_address(address: str) -> None:
    assert refuses(gate().naming(Place("evil.example", 80)), "evil.example", 80, address)


@pytest.mark.parametrize(
    "host",
    [METADATA, "fd00:ec2::254", "fd00:42::42", "64:ff9b:1::a9fe:a9fe", "0.0.0.0", "169.254.1.1",
     "224.0.0.1"],
)  # fmt: skip
@pytest.mark.threat
def test_callers_url_cannot_allow_metadata_link_local_or_reserved_addresses(host: str) -> None:
    assert gate().refuses_naming(Place(host, 80))


@pytest.mark.threat
def test_gate_allows_a_metadata_address_only_if_it_is_listed_exactly() -> None:
    assert refuses(gate(private=True), METADATA) == "metadata"
    assert refuses(gate("http://169.254.169.254"), METADATA) is None
    assert refuses(gate("evil.example"), "evil.example", 80, METADATA) == "metadata"
    for name in METADATA_NAMES:
        assert refuses(gate(private=True), name, 80, METADATA) == "metadata"
        assert refuses(gate(name), name, 80, METADATA) is None


def test_allowed_origins_block_every_other_origin() -> None:
    only = gate("https://example.com *.cdn.example http://localhost:*")
    assert refuses(only, "example.com", 443, PUBLIC) is None
    assert refuses(only, "example.com", 80, PUBLIC) == "not_allowed"
    assert refuses(only, "a.cdn.example", 80, PUBLIC) is None
    assert refuses(only, "other.example", 443, PUBLIC) == "not_allowed"
    assert refuses(only, "localhost", 3000, "127.0.0.1") is None
    assert refuses(only, "127.0.0.1", 3000) == "not_allowed"
    named = only.naming(Place("127.0.0.1", 3000))
    assert refuses(named, "127.0.0.1", 3000) == "not_allowed"


def test_exact_allowed_origin_can_be_private_and_a_wildcard_match_cannot() -> None:
    assert refuses(gate("wiki.example.com"), "wiki.example.com", 80, "10.0.0.1") is None
    assert refuses(gate("*.example.com"), "wiki.example.com", 80, "10.0.0.1") == "private"
    assert refuses(gate("10.0.0.1"), "10.0.0.1") is None


def test_blocked_origins_override_allowed_origins() -> None:
    both = gate("example.com", "example.com:8080", private=True)
    assert refuses(both, "example.com", 80, PUBLIC) is None
    assert refuses(both, "example.com", 8080, PUBLIC) == "blocked_origin"
    assert gate(blocked="localhost").refuses_naming(Place("localhost", 80)) == "blocked_origin"


def test_private_networks_setting_allows_loopback_and_private_addresses() -> None:
    opened = gate(private=True)
    for host in ("127.0.0.1", "10.0.0.1", "fd12::1", "169.254.1.1"):
        assert refuses(opened, host) is None
    assert refuses(opened, "0.0.0.0") == "reserved"


def test_gate_checks_a_document_by_its_host_name() -> None:
    def refused(gate: Gate, host: str) -> Why | None:
        return gate.refuses_document(Place(host, 80))

    assert refused(gate(), "10.0.0.1") == "private"
    assert refused(gate(), METADATA) == refused(gate(), "metadata.google.internal") == "metadata"
    assert refused(gate(), "localhost") is None  # the browser's own machine, not this one
    assert refused(gate(blocked="localhost"), "localhost") == "blocked_origin"


def test_each_refusal_reason_has_a_message() -> None:
    assert all(REASONS.values())
