"""Parsing of the two SOCKS 5 messages."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.canary import request

from tabwarden.egress.origins import Place
from tabwarden.egress.socks import GRANTED, Greeting, Malformed, Request

HOSTS = st.one_of(
    st.from_regex(r"[a-z0-9.-]{1,255}", fullmatch=True),
    st.ip_addresses().map(str),
)


@given(host=HOSTS, port=st.integers(0, 65_535))
def test_socks_parser_consumes_a_request_only_when_it_is_complete(host: str, port: int) -> None:
    whole = request(host, port)
    for cut in range(len(whole)):
        assert Request.place(whole[:cut]) is None
    assert Request.place(whole) == Place(host, port)
    with pytest.raises(Malformed):
        Request.place(whole + b"G")


@given(st.binary(max_size=700))
def test_socks_parsers_parse_any_bytes_or_raise_malformed(data: bytes) -> None:
    for read in (Greeting.size, Request.place):
        with suppress(Malformed):
            read(data)


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\n", b"\x16\x03\x01", b"\x04\x01", b"\x05\x01\x02"]
)
def test_socks_greeting_rejects_other_protocols(data: bytes) -> None:
    with pytest.raises(Malformed):
        Greeting.size(data)


@pytest.mark.parametrize("command", [2, 3, 0, 255])
def test_socks_request_accepts_only_the_connect_command(command: int) -> None:
    with pytest.raises(Malformed):
        Request.place(b"\x05" + bytes([command]) + request("x.com", 80)[2:])


def test_socks_reply_contains_no_address() -> None:
    assert Request.answer(GRANTED) == b"\x05\x00\x00\x01" + bytes(6)
