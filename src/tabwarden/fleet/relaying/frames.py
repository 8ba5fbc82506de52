"""Frames: the messages of a relay that are not CDP, encoded as MessagePack."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.egress.gate import Gate, Why


def unpacked(data: bytes, kind: Any) -> Any:
    """Decode the bytes to a value of this type; raise ``msgspec.DecodeError`` if that fails."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(f"{error}") from None


class SetGate(msgspec.Struct, frozen=True, tag="gate"):
    """The client's network policy. The host applies the policy to every later connection, and
    closes the connections that the policy no longer allows.
    """

    gate: Gate


class ConnectionFailed(msgspec.Struct, frozen=True, tag="failed"):
    """One of the browser's connections failed, or the policy refused it (``egress.Failure``)."""

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
    """Encode a frame as bytes. They never begin with a brace, unlike CDP messages."""
    return msgspec.msgpack.encode(frame)


def decode_frame(data: bytes) -> Frame:
    """Decode a frame; raise ``msgspec.DecodeError`` if the bytes are not a frame."""
    frame: Frame = unpacked(data, Frame)
    return frame


def decode_welcome(data: bytes) -> Welcome:
    """Decode a host's first frame; raise ``msgspec.DecodeError`` if the bytes are anything else."""
    welcome: Welcome = unpacked(data, Welcome)
    return welcome
