"""Framing: a text message is a JSON object. A binary message is a small one as its header, then
bytes (an image, or a part of a file)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

_HEAD = 4
_LONGEST = 4096


class _Known(msgspec.Struct):
    """Fields that views send. Those that only one kind of message has are checked where they are
    used."""

    type: str | None = None
    task: str | None = None
    kind: str | None = None
    tab_id: str | None = None
    pictures: str | None = None
    parts: list[str] = []
    events: list[dict[str, Any]] = []
    upload: str | None = None
    name: str | None = None
    key: str | None = None


def object_in(text: str | bytes) -> dict[str, Any]:
    """Return the object of a text message.

    Raises:
        ValueError: it has another form, or a field of another type than our views send.
    """
    try:
        found: dict[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
        msgspec.convert(found, _Known)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"this is no message of ours: {error}") from None
    return found


def packed(about: Mapping[str, Any], data: bytes) -> bytes:
    head = json.dumps(about).encode()
    return len(head).to_bytes(_HEAD, "big") + head + data


def unpacked(message: bytes) -> tuple[dict[str, Any], bytes]:
    """Split a binary message.

    Raises:
        ValueError: it has another form.
    """
    length = int.from_bytes(message[:_HEAD], "big")
    if not 0 < length <= _LONGEST or len(message) < _HEAD + length:
        raise ValueError("the header is too long")
    return object_in(message[_HEAD : _HEAD + length]), message[_HEAD + length :]
