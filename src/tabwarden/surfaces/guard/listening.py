"""Listening: a socket that is ours before a server is made, and the words that say where it is."""

from __future__ import annotations

import ipaddress
import socket

from pydantic import SecretStr

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.bearer import kept_token, token_file

__all__ = ["greeting", "listening", "token_of", "url_of"]


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        InvalidArgument: it can't listen there.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listener = socket.create_server((str(address[0]), port), family=family)
        # Connections inherit it. Without, the body of an answer waits some 40 ms for the client to
        # acknowledge its headers; asyncio sees to it only for sockets that name their protocol.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidArgument(
            f"The server can't listen on {host}:{port}: {reason}.",
            "Perhaps one runs there already. Name another port (--port 0: a free one) or host.",
            field="server.port",
        ) from None


def token_of(named: SecretStr | None) -> str:
    """The token that clients must show: as configured, else the one that is kept.

    Raises:
        InvalidArgument: it can't be kept.
    """
    return named.get_secret_value() if named is not None else kept_token(token_file())


def url_of(listener: socket.socket, host: str) -> str:
    """Where clients find it, under the name that was given."""
    port = listener.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def greeting(listener: socket.socket, where: str, named: SecretStr | None) -> str:
    """What a server says when it listens: its address, and where its token is.

    Args:
        listener: its socket.
        where: the address that clients use.
        named: the token that was configured, if any; never told.
    """
    token = "as configured" if named is not None else f"in {token_file()}"
    words = [f"Tabwarden serves on {where} (token: {token})"]
    if not _is_loopback(listener):
        words.append(
            "Other machines can reach it, and nothing is encrypted: whoever reads the token on "
            "its way owns these browsers."
        )
    return "\n".join(words)


def _is_loopback(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback
