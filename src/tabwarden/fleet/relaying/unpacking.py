"""Unpacking: reads MessagePack of the other side, which may be any bytes."""

from __future__ import annotations

from typing import Any

import msgspec


def unpacked(data: bytes, kind: Any) -> Any:
    """Return the value of this type that the bytes stand for; raise ``msgspec.DecodeError`` if
    they don't."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(f"{error}") from None
