"""Parse the two messages that request a connection from a SOCKS 5 proxy (RFC 1928), without I/O.

Chromium lets a SOCKS proxy resolve names, but exchanges HTTP and TLS with the servers itself. The
proxy therefore never parses, changes or delays HTTP.
"""

from __future__ import annotations

import ipaddress
import struct

from tabwarden.egress.origins import Place

_VERSION = 5
_NO_AUTHENTICATION = 0
_CONNECT = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
GRANTED, GENERAL_FAILURE, NOT_ALLOWED = 0, 1, 2
_MOST = 600
"""Slightly more than the length of the longest possible message, in bytes."""


class Malformed(Exception):
    """The data is not SOCKS 5, or the command is not CONNECT."""


class Greeting:
    """A client's first message: the authentication methods that it supports."""

    ANSWER = bytes([_VERSION, _NO_AUTHENTICATION])

    @staticmethod
    def size(data: bytes) -> int | None:
        """Return the greeting's length in bytes; None if more bytes are needed.

        Raises:
            Malformed: the data is not a greeting.
        """
        if data and data[0] != _VERSION:
            raise Malformed
        if len(data) < 2 or len(data) < 2 + data[1]:
            return None
        if _NO_AUTHENTICATION not in data[2 : 2 + data[1]]:
            raise Malformed
        return 2 + data[1]


class Request:
    """A client's second message: the target to connect to."""

    @staticmethod
    def place(data: bytes) -> Place | None:
        """Return the requested host, unchanged, and the port; None if more bytes are needed.

        Raises:
            Malformed: the command is not CONNECT, the address type is unknown, or the client sent
                more data without waiting for the reply.
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
        """Encode the reply: ``GRANTED`` or an error code. The reply doesn't reveal our address."""
        return bytes([_VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0])
