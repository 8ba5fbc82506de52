"""Envelopes: only the common fields of a message are decoded."""

from __future__ import annotations

import json

import pytest

from tabwarden.wire.envelope import UNREADABLE, decode_envelope, encode_command


def test_reply_keeps_its_result_undecoded() -> None:
    envelope = decode_envelope(b'{"id":7,"result":{"deep":[1, {"a":2}]},"sessionId":"S"}')
    assert (envelope.id, envelope.session_id, envelope.error) == (7, "S", None)
    assert bytes(envelope.result) == b'{"deep":[1, {"a":2}]}'


def test_event_keeps_its_parameters_undecoded() -> None:
    envelope = decode_envelope(b'{"method":"Page.x","params":{"n":1e999}}')
    assert (envelope.id, envelope.method) == (None, "Page.x")
    assert bytes(envelope.params) == b'{"n":1e999}'


def test_decode_envelope_decodes_an_error() -> None:
    envelope = decode_envelope(b'{"id":1,"error":{"code":-32000,"message":"No","data":"at x"}}')
    assert envelope.error is not None
    assert (envelope.error.code, str(envelope.error)) == (-32000, "No at x")


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"{",
        b"7",
        b"[]",
        b'{"id":"x"}',
        b'{"id":1.5}',
        b"\xff",
        b'{"method":1}',
        b'{"method":"M"} and more',
        b'{"id":1,"error":"no"}',
        b'{"method":"M","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_decode_envelope_rejects_malformed_messages(message: bytes) -> None:
    with pytest.raises(UNREADABLE):
        decode_envelope(message)


def test_message_with_an_unpaired_surrogate_is_decoded() -> None:
    envelope = decode_envelope(b'{"method":"M","params":{"text":"a\\ud800b"}}')
    assert json.loads(bytes(envelope.params))["text"] == "a\ufffdb"


def test_commands_are_encoded_as_json() -> None:
    assert json.loads(encode_command(3, "Page.enable", b"{}", None)) == {
        "id": 3,
        "method": "Page.enable",
        "params": {},
    }
    assert json.loads(encode_command(4, "X.y", b'{"a":1}', "S"))["sessionId"] == "S"


def test_missing_envelope_fields_get_their_defaults() -> None:
    envelope = decode_envelope(b'{"method":"M","sessionId":"S","more":[1]}')
    assert (bytes(envelope.params), bytes(envelope.result)) == (b"{}", b"{}")
    assert (envelope.id, envelope.session_id, envelope.error) == (None, "S", None)


def test_decode_envelope_does_not_change_a_valid_message() -> None:
    text = b'"\\ud83d\\ude00 \\\\ud800 \xf0\x9f\x98\x80"'
    assert bytes(decode_envelope(b'{"method":"M","params":' + text + b"}").params) == text


def test_undecoded_parameters_may_contain_any_bytes() -> None:
    envelope = decode_envelope(b'{"method":"M","params":{"text":"\xff"}}')
    assert bytes(envelope.params) == b'{"text":"\xff"}'
