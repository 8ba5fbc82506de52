"""Binary messages: a JSON header, then bytes."""

from __future__ import annotations

import pytest

from tabwarden.surfaces.live.viewer import object_in, packed, unpacked


def test_packed_live_view_message_unpacks_unchanged() -> None:
    assert unpacked(packed({"task": "ü"}, b"\0\xff")) == ({"task": "ü"}, b"\0\xff")


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff{}",
        b"\0\0\0\2[]",
        b"\0\0\0\2{",
        b"\0\0\0\2\xff\xff",
        b"\0\0\4\0" + b"[" * 1024,
    ],
)
def test_unpacking_rejects_malformed_live_view_messages(message: bytes) -> None:
    with pytest.raises(ValueError, match=r"header|message is invalid"):
        unpacked(message)


@pytest.mark.threat
@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", '"x"', "NaN", "{", "[" * 100_000, '{"name": "\\ud800"}',
        '{"type": ["watch"]}', '{"task": 5}', '{"parts": 5}', '{"parts": null}', '{"parts": [5]}',
        '{"events": {}}', '{"events": [5]}', '{"kind": {}}', '{"upload": []}', '{"tab_id": 1}',
    ],
)  # fmt: skip
def test_live_view_rejects_text_that_is_not_a_message(text: str) -> None:
    with pytest.raises(ValueError, match="message is invalid"):
        object_in(text)
