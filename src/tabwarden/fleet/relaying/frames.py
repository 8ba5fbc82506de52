"""Frames: the messages of a relay that are not CDP, as MessagePack."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.egress.gate import Gate, Why


def unpacked(data: bytes, kind: Any) -> Any:
    """Return the value of this type that the bytes stand for; raise ``msgspec.DecodeError`` if
    they don't."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(f"{error}") from None


class SetGate(msgspec.Struct, frozen=True, tag="gate"):
    """The client's network policy. The host applies it to every later connection, and closes the
    connections that it no longer allows."""

    gate: Gate


class ConnectionFailed(msgspec.Struct, frozen=True, tag="failed"):
    """A connection of the browser failed, or the policy refused it (``egress.Failure``)."""

    host: str
    port: int
    why: Why | None
    error: str


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The first frame that a host sends.

    Attributes:
        product: the browser's name and version, as in ``Chrome/156.0.8078.79``.
        download_dir: the folder on the host into which the browser downloads.
        launched_as: ``LaunchOptions.marks`` of the host.
    """

    product: str
    download_dir: str
    launched_as: dict[str, str] = {}


Frame = SetGate | ConnectionFailed | Welcome


def encode_frame(frame: Frame) -> bytes:
    """Return the bytes of a frame. They never begin with a brace, as CDP messages do."""
    return msgspec.msgpack.encode(frame)


def decode_frame(data: bytes) -> Frame:
    """Return the frame; raise ``msgspec.DecodeError`` if the bytes are not a frame."""
    frame: Frame = unpacked(data, Frame)
    return frame


def decode_welcome(data: bytes) -> Welcome:
    """Return the first frame of a host; raise ``msgspec.DecodeError`` if it is anything else."""
    welcome: Welcome = unpacked(data, Welcome)
    return welcome
