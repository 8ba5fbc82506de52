"""A network of our own for tests: every name leads where a test says, and nothing leaves the
machine.

``Only`` takes the place of the egress proxy's resolver and sockets. Whatever address the proxy
decides to connect to is written down; the connection itself goes to a canary on loopback, or fails.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
from collections.abc import Callable, Sequence
from ipaddress import ip_address

from tabwarden.egress.addresses import Address
from tabwarden.egress.origins import Place
from tabwarden.egress.outside import Outside, Unreachable

__all__ = ["Only", "request"]


class Only(Outside):
    """The outside of a test.

    Args:
        canary: the port on 127.0.0.1 that connections to anywhere else than loopback go to.
    """

    def __init__(self, canary: int) -> None:
        super().__init__()
        self.canary = canary
        self.names: dict[str, Sequence[str] | Callable[[], Sequence[str]]] = {}
        """What each name resolves to; a function is asked each time. Others do not resolve."""
        self.dialled: list[tuple[Place, tuple[str, ...]]] = []
        """What the proxy connected to: what was asked for, and the addresses."""

    async def upstream(self, place: Place) -> str | None:
        _ = place
        return None

    async def addresses(self, place: Place) -> list[Address]:
        known = self.names.get(place.host)
        if known is not None:
            return [ip_address(text) for text in (known() if callable(known) else known)]
        try:
            ip_address(place.host)
        except ValueError:
            if place.host != "localhost" and not place.host.endswith(".localhost"):
                raise Unreachable("net::ERR_NAME_NOT_RESOLVED") from None
        return await super().addresses(place)

    async def connect(self, place: Place, addresses: Sequence[Address]) -> socket.socket:
        self.dialled.append((place, tuple(map(str, addresses))))
        here = any(address.is_loopback for address in addresses)
        target = ("127.0.0.1", place.port if here else self.canary)
        connection = socket.socket()
        connection.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(connection, target)
        except OSError:
            connection.close()
            raise Unreachable("net::ERR_CONNECTION_REFUSED") from None
        return connection


def request(host: str, port: int) -> bytes:
    """The host and port of a SOCKS 5 client's request."""
    try:
        packed = ipaddress.ip_address(host).packed
        kind = bytes([1 if len(packed) == 4 else 4]) + packed
    except ValueError:
        kind = bytes([3, len(host)]) + host.encode()
    return b"\x05\x01\x00" + kind + struct.pack("!H", port)
