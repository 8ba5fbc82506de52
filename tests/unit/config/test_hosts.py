"""The host names that a server accepts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tabwarden.config import ServerConfig, is_allowed_host

ALLOWED = ServerConfig(
    allowed_hosts=["Tabwarden.internal", "shop.test:8414", "*.example.com", "10.0.0.7", "[fd00::7]"]
).allowed_hosts
NAME = st.from_regex(r"[a-z0-9_-]{1,12}(\.[a-z0-9_-]{1,12}){0,3}", fullmatch=True)


@pytest.mark.parametrize(
    "named",
    ["tabwarden.internal", "tabwarden.internal:8414", "TABWARDEN.internal", "tabwarden.internal.",
     "shop.test:8414", "a.example.com", "a.b.example.com:1", "10.0.0.7:8414", "[fd00::7]:8414"],
)  # fmt: skip
def test_host_check_accepts_configured_names(named: str) -> None:
    assert is_allowed_host(named, ALLOWED)


@pytest.mark.parametrize(
    "named",
    ["", "internal", "x.tabwarden.internal", "tabwarden.internal.evil.test", "shop.test",
     "shop.test:8415", "example.com", "evilexample.com", "*.example.com", "10.0.0.8",
     "tabwarden.internal:8414x", "tabwarden.internal@evil.test", "tabwarden.internal/", " ",
     "tabwarden.internal\n", "fd00::7"],
)  # fmt: skip
def test_host_check_rejects_other_names(named: str) -> None:
    assert not is_allowed_host(named, ALLOWED)


def test_host_without_a_port_matches_the_default_ports() -> None:
    assert is_allowed_host("shop.test", ["shop.test:80"])
    assert is_allowed_host("shop.test", ["shop.test:443"])


@given(named=NAME, allowed=NAME)
def test_allowed_host_name_matches_only_itself(named: str, allowed: str) -> None:
    assert is_allowed_host(named, [allowed]) == (named == allowed)
    assert not is_allowed_host(named, [])


@pytest.mark.parametrize(
    "wrong", ["*", "http://a.test", "a.test/", "*.*.test", "a..test", "a.test:", "fd00::7", "", " "]
)
def test_invalid_allowed_host_error_identifies_the_field(wrong: str) -> None:
    with pytest.raises(ValidationError, match="is not a host") as refused:
        ServerConfig(allowed_hosts=["a.test", wrong])
    assert refused.value.errors()[0]["loc"] == ("allowed_hosts", 1)
