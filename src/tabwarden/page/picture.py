"""A picture: its bytes, its size, and how it lies over the page."""

from __future__ import annotations

import asyncio
import struct
from pathlib import Path

import msgspec

from tabwarden.errors import InvalidArgument

__all__ = ["Screenshot", "size_of", "write"]


class Screenshot(msgspec.Struct, frozen=True):
    """A picture."""

    data: bytes
    format: str
    note: str = ""
    """What the reader should know of it: that it is scaled, cut, or older than the page."""
    width: int = 0
    """Pixels; 0 when the browser gave something that is no picture."""
    height: int = 0
    scale: float = 1.0
    """Pixels of the picture for one CSS pixel of the page."""

    @property
    def media_type(self) -> str:
        """The MIME type."""
        return f"image/{self.format}"


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG, a JPEG or a WebP, from its first bytes; (0, 0) for others."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            width, height = struct.unpack(">II", data[16:24])
            return width, height
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _size_of_webp(data)
        if data[:2] == b"\xff\xd8":
            return _size_of_jpeg(data)
    except (struct.error, IndexError):
        pass
    return 0, 0


def _size_of_webp(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def _size_of_jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while at < len(data):  # segments, up to the frame's header
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


async def write(picture: Screenshot, path: Path) -> None:
    """Write a picture to a file.

    Raises:
        InvalidArgument: it can't be written there.
    """
    try:
        await asyncio.to_thread(path.write_bytes, picture.data)
    except OSError as error:
        raise InvalidArgument(
            f"The picture can't be written to {str(path)!r}: {error.strerror}.",
            "Name a file in a folder that exists.",
            field="path",
        ) from None
