"""The two messages by which a browser asks for a connection (RFC 1928, SOCKS 5). No I/O.

Chromium resolves no name for this kind of proxy, and speaks to servers itself once the connection
stands: nothing of HTTP is parsed, rewritten or held back on the way.
"""

from __future__ import annotations

import ipaddress
import struct

from tabwarden.egress.origins import Place

__all__ = ["GENERAL_FAILURE", "GRANTED", "NOT_ALLOWED", "Greeting", "Malformed", "Request"]

_VERSION = 5
_NO_AUTHENTICATION = 0
_CONNECT = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
GRANTED, GENERAL_FAILURE, NOT_ALLOWED = 0, 1, 2
_MOST = 600
"""Bytes of the longest message that there can be, and some."""


class Malformed(Exception):
    """This is not SOCKS 5, or not a connection that is asked for."""


class Greeting:
    """What a client begins with: the ways it could authenticate itself."""

    ANSWER = bytes([_VERSION, _NO_AUTHENTICATION])

    @staticmethod
    def size(data: bytes) -> int | None:
        """How many bytes it has; None: more are needed.

        Raises:
            Malformed: it is none.
        """
        if data and data[0] != _VERSION:
            raise Malformed
        if len(data) < 2 or len(data) < 2 + data[1]:
            return None
        if _NO_AUTHENTICATION not in data[2 : 2 + data[1]]:
            raise Malformed
        return 2 + data[1]


class Request:
    """What it wants to be connected to."""

    @staticmethod
    def place(data: bytes) -> Place | None:
        """The host as it stands there, and the port; None: more bytes are needed.

        Raises:
            Malformed: another command, an address of no known kind, or bytes that follow: a
                client has to wait for the answer.
        """
        if len(data) > _MOST:
            raise Malformed
        if data[:1] not in (b"", bytes([_VERSION])) or data[1:2] not in (b"", bytes([_CONNECT])):
            raise Malformed
        if len(data) < 5:
            return None
        kind = data[3]
        start = 5 if kind == _NAME else 4
        length = {_IPV4: 4, _IPV6: 16, _NAME: data[4]}.get(kind, 0)
        end = start + length + 2
        if not length or len(data) > end:
            raise Malformed
        if len(data) < end:
            return None
        (port,) = struct.unpack("!H", data[end - 2 : end])
        raw = data[start : start + length]
        try:
            host = raw.decode("ascii") if kind == _NAME else str(ipaddress.ip_address(raw))
        except UnicodeDecodeError:
            raise Malformed from None
        return Place(host, port)

    @staticmethod
    def answer(code: int) -> bytes:
        """``GRANTED`` or why not; the address that we connect from is nobody's business."""
        return bytes([_VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0])
