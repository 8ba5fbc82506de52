"""An image: its bytes, its size and its scale."""

from __future__ import annotations

import asyncio
import base64
import struct
from pathlib import Path

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import write_private_file


class Screenshot(msgspec.Struct, frozen=True):
    """A screenshot."""

    data: bytes
    format: str
    note: str = ""
    """Says that the image is scaled, cropped or older than the page; otherwise empty."""
    width: int = 0
    """The width in pixels; 0 if the size can't be read from the image."""
    height: int = 0
    scale: float = 1.0
    """Image pixels per CSS pixel of the page."""
    id: str = ""
    """The image's ID, such as ``p3``; "" if points in the image can't be mapped to the page."""
    labels: str = ""
    """The outline lines of the elements whose refs are drawn on the image, between page markers."""

    @property
    def media_type(self) -> str:
        """Return the MIME type."""
        return f"image/{self.format}"

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
        """Return the image for Jupyter, at its size on the page, and the note as text."""
        _ = include, exclude
        words = f"Screenshot, {self.width} x {self.height} pixels, {self.format}"
        bundle = {
            self.media_type: base64.b64encode(self.data).decode(),
            "text/plain": f"{words}. {self.note}" if self.note else words,
        }
        if not self.width:
            return bundle, {}
        width, height = round(self.width / self.scale), round(self.height / self.scale)
        return bundle, {self.media_type: {"width": width, "height": height}}


def size_of(data: bytes) -> tuple[int, int]:
    """Return a PNG, JPEG or WebP image's width and height; (0, 0) if unknown."""
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
    while at < len(data):  # skip segments until the frame header
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


async def write(picture: Screenshot, path: Path) -> None:
    """Write an image to a file. Raise ``InvalidArgument`` if the file can't be written."""
    try:
        await asyncio.to_thread(write_private_file, path, picture.data)
    except OSError as error:
        raise InvalidArgument(
            f"The image can't be written to {str(path)!r}: {error.strerror}.",
            "Use a file in an existing folder.",
            field="path",
        ) from None
