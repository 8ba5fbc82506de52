"""Parsing of origins."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tabwarden.config import BrowserConfig, load_config
from tabwarden.egress.origins import (
    OriginPattern,
    Place,
    canonical_host,
    origin_of,
    place_of,
    web_origin,
)
from tabwarden.errors import InvalidArgument
from tabwarden.page.storage.state_format import checked_origins

LABEL = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=12).filter(
    lambda text: not re.fullmatch("0x[0-9a-f]*|.*[0-9]", text)
)
"""Not a number: the URL standard treats a host that ends in a number as an IPv4 address."""
NAME = st.lists(LABEL, min_size=2, max_size=4).map(".".join)
PORT = st.integers(1, 65_535)


@pytest.mark.parametrize(
    ("text", "host", "below", "port"),
    [
        ("https://example.com", "example.com", False, 443),
        ("http://example.com/", "example.com", False, 80),
        ("ws://example.com", "example.com", False, 80),
        ("HTTPS://EXAMPLE.com.:8443", "example.com", False, 8443),
        ("http://localhost:*", "localhost", False, None),
        ("*.example.com", "example.com", True, None),
        ("https://*.example.com:444", "example.com", True, 444),
        ("example.com", "example.com", False, None),
        (" example.com:8443 ", "example.com", False, 8443),
        ("http://0x7f.1:80", "127.0.0.1", False, 80),
        ("2130706433", "127.0.0.1", False, None),
        ("[::1]:9000", "::1", False, 9000),
        ("http://[0:0:0:0:0:FFFF:127.0.0.1]", "::ffff:7f00:1", False, 80),
        ("bücher.example", "xn--bcher-kva.example", False, None),
    ],
)
def test_origin_pattern_parses_origins(text: str, host: str, below: bool, port: int | None) -> None:
    assert OriginPattern.parse(text) == OriginPattern(text, host, below, port)


@pytest.mark.parametrize(
    "text",
    [
        "", "*", "*.", "https://", "ftp://example.com", "file:///etc", "//x.com",
        "https://example.com/path", "https://example.com?q", "https://example.com#f",
        "https://user@example.com", "https://user:pass@example.com", "https://example.com\\x",
        "a b.com", "exa*mple.com", "foo.*.com", "**.example.com", "example.com:port",
        "example.com:70000", "example.com:-1", "1.2.3.4.5", "256.256.256.256", "[::1", "::1",
        "[fe80::1%eth0]", "*.127.0.0.1", "*.[::1]", "https://exa%2Fmple.com", "example.com:80:80",
        "a\nb.com", "example.com,other.com", "a.0x", "*.a.0x",
    ],
)  # fmt: skip
def test_origin_pattern_rejects_invalid_origins(text: str) -> None:
    with pytest.raises(ValueError, match=r"not an origin|no subdomains"):
        OriginPattern.parse(text)


def test_invalid_origin_error_identifies_its_field() -> None:
    with pytest.raises(InvalidArgument) as caught:
        load_config(blocked_origins=["https://good.example", "https://bad.example/path"])
    assert caught.value.data["field"] == "browser.blocked_origins"
    assert "'https://bad.example/path' is not an origin" in caught.value.message


def test_configuration_stores_origins_as_written() -> None:
    config = BrowserConfig(allowed_origins=["*.Example.com"])
    assert config.allowed_origins == ["*.Example.com"]


@given(name=NAME, port=PORT)
def test_origin_pattern_matches_its_origin_and_no_other_port(name: str, port: int) -> None:
    pattern = OriginPattern.parse(f"http://{name}:{port}")
    assert pattern.covers(Place(name, port))
    assert not pattern.covers(Place(name, port % 65_535 + 1))


@given(name=NAME, label=LABEL)
@pytest.mark.threat
def test_wildcard_origin_pattern_matches_only_subdomains(name: str, label: str) -> None:
    pattern = OriginPattern.parse(f"*.{name}")
    assert pattern.covers(Place(f"{label}.{name}", 443))
    assert not pattern.covers(Place(name, 443))
    assert not pattern.covers(Place(f"{label}{name}", 443))
    assume(not f"{name}.{label}".endswith(f".{name}"))
    assert not pattern.covers(Place(f"{name}.{label}", 443))
    assert not pattern.covers(Place(f"{label}.{name}.{label}", 443))


@given(name=NAME, label=LABEL)
def test_host_origin_pattern_does_not_match_subdomains(name: str, label: str) -> None:
    assert not OriginPattern.parse(name).covers(Place(f"{label}.{name}", 443))


@given(name=NAME, port=PORT, user=LABEL, other=NAME, path=st.text(string.printable, max_size=20))
def test_origin_pattern_compares_only_the_parsed_host_of_a_url(
    name: str, port: int, user: str, other: str, path: str
) -> None:
    place = place_of(f"http://{user}.{other}:{user}@{name}:{port}/{path}@{other}/")
    assert place == Place(name, port)


@given(st.text(max_size=40))
def test_canonical_host_is_idempotent(text: str) -> None:
    host = canonical_host(text)
    if host is not None:
        assert canonical_host(host) in (host, host.removesuffix(".") or None)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://example.com/x?y#z", Place("example.com", 443)),
        ("http:\\\\127.1\\x", Place("127.0.0.1", 80)),
        ("wss://[::ffff:7f00:1]/", Place("::ffff:7f00:1", 443)),
        ("data:text/html,http://x.com", None),
        ("about:blank", None),
        ("blob:https://example.com/1", None),
        ("nonsense", None),
    ],
)
def test_parsing_a_url_returns_its_host_and_port(url: str, place: Place | None) -> None:
    assert place_of(url) == place


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://example.com", "https://example.com"),
        ("HTTP://Example.com:80/", "http://example.com"),
        ("https://example.com:8443", "https://example.com:8443"),
        ("http://0x7f.1:8000", "http://127.0.0.1:8000"),
        ("http://[0:0::1]:80", "http://[::1]"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_web_origin_formats_an_origin_like_browsers(text: str, origin: str) -> None:
    assert web_origin(text) == origin


@pytest.mark.parametrize(
    "text",
    [
        "", "example.com", "https://", "http://h:x", "http://1.2.3.4.5", "https://host/path",
        "https://host?", "https://host#", "https://user@host", "ftp://host", "ws://host",
        "file:///etc", "data:,x", "*.example.com", "https://exa mple.com", "http://[::1",
    ],
)  # fmt: skip
def test_web_origin_returns_none_for_an_invalid_origin(text: str) -> None:
    assert web_origin(text) is None


def test_origin_is_derived_from_a_page_url() -> None:
    assert origin_of("https://user:pw@Example.com:443/path?q#f") == "https://example.com"
    assert origin_of("about:blank") is None
    assert origin_of("file:///etc/passwd") is None


def test_configuration_normalizes_the_origins_of_credentials() -> None:
    login = {"username": "ada", "password": "x"}
    config = load_config(credentials={"https://Example.com:443": login})
    assert list(config.browser.credentials) == ["https://example.com"]
    with pytest.raises(InvalidArgument) as caught:
        load_config(credentials={"https://host:port": login})
    assert "'https://host:port' is not an origin" in caught.value.message


@pytest.mark.parametrize(
    ("origin", "hint"),
    [("https://Host.example/", "Write https://host.example."), ("host", "An origin looks like")],
)
def test_storage_state_accepts_only_normalized_origins(origin: str, hint: str) -> None:
    assert checked_origins(["https://host.example"]) == ["https://host.example"]
    with pytest.raises(InvalidArgument) as caught:
        checked_origins([origin])
    assert caught.value.hint.startswith(hint)
