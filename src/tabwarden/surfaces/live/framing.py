"""Framing: a binary message is a small JSON header, then bytes (an image, or a part of a file)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_HEAD = 4
_LONGEST = 4096


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
    about = json.loads(message[_HEAD : _HEAD + length])
    if not isinstance(about, dict):
        raise ValueError("the header is no object")
    return about, message[_HEAD + length :]
