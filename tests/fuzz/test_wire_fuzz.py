"""Malformed bytes from a browser raise only our errors, and never lose a connection."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.hostile_text import HOSTILE

from tabwarden.wire import Connection, Envelope, Reply
from tabwarden.wire.envelope import UNREADABLE, decode_envelope, encode_command
from tabwarden.wire.pipe import PipeWire

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        HOSTILE,
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HOSTILE, inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["id", "method", "params", "result", "error", "sessionId", "more"])


@st.composite
def bad_messages(draw: st.DrawFn) -> bytes:
    """Nearly valid messages: wrong types, truncated, garbled, duplicated, deep or huge."""
    about: dict[str, Any] = {"id": draw(st.sampled_from([7, 10**30, -1, 0, None, True, 1.5, "1"]))}
    about |= draw(st.dictionaries(KEYS, VALUES, max_size=4))
    raw = bytearray(json.dumps(about).encode())
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(raw)))
        match draw(st.sampled_from(["cut", "put", "flip", "twice", "deep", "half"])):
            case "cut":
                del raw[at : at + draw(st.integers(1, 20))]
            case "put":
                raw[at:at] = draw(st.binary(max_size=6))
            case "flip" if at < len(raw):
                raw[at] ^= draw(st.integers(1, 255))
            case "twice":
                raw = raw * 2
            case "deep":
                raw[at:at] = b'{"a":[' * draw(st.sampled_from([3, 2_000, 50_000]))
            case "half":
                raw[at:at] = b'"\\ud800\\udbff"'
    return bytes(raw)


@searched(100)
@given(st.one_of(bad_messages(), st.binary(max_size=200)))
def test_decode_envelope_decodes_or_rejects_any_message(message: bytes) -> None:
    try:
        envelope = decode_envelope(message)
    except UNREADABLE:
        return
    assert envelope.id is None or isinstance(envelope.id, int)
    assert isinstance(envelope.method, str)
    envelope.method.encode()
    str(envelope.error).encode()


@searched(100)
@given(HOSTILE, HOSTILE, st.integers(1, 2**53), VALUES)
def test_encoded_messages_can_be_decoded(method: str, key: str, number: int, value: Any) -> None:
    told = json.dumps({"method": "M", "params": {key: value}, "sessionId": method}).encode()
    envelope = decode_envelope(told)
    assert envelope.method == "M"
    if "\ud800" not in repr((method, key, value)) and "\\ud800" not in told.decode():
        assert json.loads(bytes(envelope.params)) == {key: value}
        assert envelope.session_id == method
    sent = encode_command(number, "M.x", b"{}", "S")
    assert json.loads(sent) == {"id": number, "method": "M.x", "params": {}, "sessionId": "S"}


class Traffic:
    """A connection over a real pipe, with the test at the other side."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.replies: dict[int, list[Reply]] = {}
        self.closed: list[str] = []
        self.answered = asyncio.Event()
        """Set when the last call that ``ask_last`` made has its reply."""

    async def open(self) -> None:
        ours, self._told = os.pipe()
        self._heard, theirs = os.pipe()
        wire = await PipeWire.open(ours, theirs)
        self.connection = Connection(wire, self._event, self.closed.append)
        self.connection.start()

    def _event(self, envelope: Envelope) -> None:
        self.events.append(envelope.method)

    def ask(self) -> int:
        known: list[Reply] = []
        number = self.connection.send("X.y", b"{}", None, known.append)
        self.replies[number] = known
        return number

    async def tell(self, raw: bytes) -> None:
        while raw:
            written = os.write(self._told, raw[:4096])
            raw = raw[written:]
            await asyncio.sleep(0)

    def ask_last(self) -> int:
        return self.connection.send("X.y", b"{}", None, lambda _: self.answered.set())

    async def close(self) -> None:
        await self.connection.aclose()
        for fd in (self._told, self._heard):
            os.close(fd)


@searched(80)
@given(
    st.lists(st.one_of(bad_messages(), st.just(b"EVENT"), st.just(b"REPLY")), max_size=12),
    st.lists(st.integers(1, 300), max_size=20),
)
def test_connection_delivers_every_valid_message_between_malformed_messages(
    messages: list[bytes], cuts: list[int]
) -> None:
    async def run() -> None:
        traffic = Traffic()
        await traffic.open()
        try:
            said, raw, asked = 0, bytearray(), []
            for message in messages:
                if message == b"EVENT":
                    message, said = b'{"method":"E.%d"}' % said, said + 1
                elif message == b"REPLY":
                    number = traffic.ask()
                    asked.append(number)
                    message = b'{"id":%d,"result":{"n":%d}}' % (number, number)
                raw += message.replace(b"\0", b"") + b"\0"
            last = traffic.ask_last()
            raw += b'{"id":%d,"result":{}}\0' % last
            whole = bytes(raw)
            for cut in cuts:
                await traffic.tell(whole[:cut])
                whole = whole[cut:]
            await traffic.tell(whole)
            await asyncio.wait_for(traffic.answered.wait(), 60)
            assert traffic.closed == []
            assert [e for e in traffic.events if e.startswith("E.")] == [
                f"E.{n}" for n in range(said)
            ]
            for number in asked:
                # A malformed message may have had its ID, and then counted as its reply.
                assert len(traffic.replies[number]) == 1
        finally:
            await traffic.close()

    asyncio.run(run())
