"""Frames round-trip unchanged, and other bytes are rejected."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.egress.gate import Gate, NetworkPolicy, Why
from tabwarden.egress.origins import OriginPattern, Place
from tabwarden.fleet.relaying.frames import (
    ConnectionFailed,
    SetGate,
    Welcome,
    decode_frame,
    decode_welcome,
    encode_frame,
)
from tabwarden.fleet.relaying.transfers import TransferAnswer, TransferRequest

words = st.text(max_size=20)
ports = st.integers(1, 65535)
patterns = st.sampled_from(
    [OriginPattern.parse(one) for one in ("a.test", "*.b.test:8080", "https://c.test", "[::1]:*")]
)
policies = st.builds(
    NetworkPolicy,
    allowed=st.lists(patterns, max_size=3).map(tuple),
    blocked=st.lists(patterns, max_size=3).map(tuple),
    private_networks=st.booleans(),
)
gates = st.builds(
    Gate,
    policy=policies,
    named=st.frozensets(st.builds(Place, words, ports), max_size=3),
    named_ports=st.frozensets(ports, max_size=3),
    only_loopback=st.booleans(),
)
frames = (
    st.builds(SetGate, gates)
    | st.builds(ConnectionFailed, words, ports, st.none() | st.sampled_from(get_args(Why)), words)
    | st.builds(Welcome, words, words)
)


@given(frames)
def test_relay_frame_round_trips_unchanged(frame: SetGate | ConnectionFailed | Welcome) -> None:
    data = encode_frame(frame)
    assert decode_frame(data) == frame
    assert data[:1] != b"{", "the wire tells frames from CDP by the first byte"


@given(gates, st.builds(Place, st.sampled_from(["a.test", "x.b.test", "c.test", "d.test"]), ports))
def test_decoded_gate_makes_the_same_decisions_as_the_original(gate: Gate, place: Place) -> None:
    sent = decode_frame(encode_frame(SetGate(gate)))
    assert isinstance(sent, SetGate)
    assert sent.gate.refuses_name(place) == gate.refuses_name(place)


@given(st.binary(max_size=60))
def test_decode_frame_decodes_any_bytes_or_raises_decode_error(data: bytes) -> None:
    try:
        frame = decode_frame(data)
    except msgspec.DecodeError:
        return
    assert decode_frame(encode_frame(frame)) == frame


@pytest.mark.parametrize(
    "frame",
    [{"type": "what"}, {"type": "gate"}, {"type": "gate", "gate": 7}, {"type": "welcome"}, [], 7],
)
def test_decode_frame_rejects_a_frame_with_missing_fields(frame: object) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_frame(msgspec.msgpack.encode(frame))


@pytest.mark.threat
@pytest.mark.parametrize(
    "value", [b"\xa2\xff\xfe", b"\x91" * 5_000 + b"\xc0"], ids=["no text", "too deep"]
)
def test_malformed_bytes_raise_only_decode_error(value: bytes) -> None:
    """It would close the connection, or look like an internal failure."""
    known = b"\x82\xa4type\xa4gate"
    for data in (b"\x81\xa4type" + value, known + b"\xa1x" + value, known + b"\xa4gate" + value):
        for decode in (decode_frame, decode_welcome):
            with pytest.raises(msgspec.DecodeError):
                decode(data)


@given(frames)
def test_decode_welcome_accepts_only_a_welcome(frame: SetGate | ConnectionFailed | Welcome) -> None:
    data = encode_frame(frame)
    if isinstance(frame, Welcome):
        assert decode_welcome(data) == frame
    else:
        with pytest.raises(msgspec.DecodeError):
            decode_welcome(data)


@given(st.sampled_from(["put", "fetch"]), words, words)
def test_transfer_messages_round_trip_unchanged(kind: str, name: str, error: str) -> None:
    for value in (TransferRequest(kind, name), TransferAnswer(name, error)):  # type: ignore[arg-type]
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value)) == value


def test_decode_rejects_an_unknown_transfer_kind() -> None:
    data = msgspec.msgpack.encode({"kind": "delete", "name": "x"})
    with pytest.raises(msgspec.ValidationError, match="kind"):
        msgspec.msgpack.decode(data, type=TransferRequest)
