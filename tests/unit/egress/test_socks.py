"""The two messages of SOCKS 5."""

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
def test_a_request_is_read_when_it_is_whole_and_not_before(host: str, port: int) -> None:
    whole = request(host, port)
    for cut in range(len(whole)):
        assert Request.place(whole[:cut]) is None
    assert Request.place(whole) == Place(host, port)
    with pytest.raises(Malformed):
        Request.place(whole + b"G")


@given(st.binary(max_size=700))
def test_whatever_comes_is_read_or_malformed(data: bytes) -> None:
    for read in (Greeting.size, Request.place):
        with suppress(Malformed):
            read(data)


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\n", b"\x16\x03\x01", b"\x04\x01", b"\x05\x01\x02"]
)
def test_what_is_no_greeting(data: bytes) -> None:
    with pytest.raises(Malformed):
        Greeting.size(data)


@pytest.mark.parametrize("command", [2, 3, 0, 255])
def test_only_connections_are_made(command: int) -> None:
    with pytest.raises(Malformed):
        Request.place(b"\x05" + bytes([command]) + request("x.com", 80)[2:])


def test_the_answer_tells_no_address() -> None:
    assert Request.answer(GRANTED) == b"\x05\x00\x00\x01" + bytes(6)
