"""Open a server's listening socket, and report the server's URL and token."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_state_path
from pydantic import SecretStr

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import kept_secret
from tabwarden.own_ports import PortClaim


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Open a listening socket until the block ends. During this time, pages can't connect to its
    port.

    Raises:
        InvalidArgument: the socket can't listen on this host and port.
    """
    with _listener(host, port) as listener, PortClaim(listener.getsockname()[1]):
        yield listener


def _listener(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listener = socket.create_server((str(address[0]), port), family=family)
        # Connections inherit TCP_NODELAY. Without this option, a response's body waits about 40 ms
        # until the client has acknowledged the headers. asyncio does not set the option for this
        # kind of socket.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidArgument(
            f"The server can't listen on {host}:{port}: {reason}.",
            "Another program may be using the port. Choose another port (--port 0: any free port) "
            "or host.",
            field="server.port",
        ) from None


def token_of(named: SecretStr | None) -> str:
    """Return the token that clients must send: the configured token, or the stored token."""
    return named.get_secret_value() if named is not None else kept_token(token_file())


def url_of(listener: socket.socket, host: str) -> str:
    """Return the server's URL. On loopback, the URL has the address instead of ``host``, because
    ``localhost`` has two addresses, and another program may be listening on the other address.
    """
    address, port = listener.getsockname()[:2]
    host = address if _is_loopback(listener) else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def greeting(listener: socket.socket, where: str, named: SecretStr | None) -> str:
    """Return the message that a server prints at startup, with its URL and the token's location."""
    token = "as configured" if named is not None else f"in {token_file()}"
    words = [f"Tabwarden serves on {where} (token: {token})"]
    if not _is_loopback(listener):
        words.append(
            "Other machines can reach this server, and connections are not encrypted. Anyone who "
            "intercepts the token can control the browsers."
        )
    return "\n".join(words)


def _is_loopback(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback


_BYTES = 32


def token_file() -> Path:
    return user_state_path("tabwarden") / "server.token"


def kept_token(path: Path) -> str:
    """Return the token in the file at ``path``.

    Create a new token if the file is missing or if other users could have read it.

    Raises:
        InvalidArgument: the file can't be written.
    """
    try:
        return kept_secret(path, _fresh).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            f"The server can't save its token in {path}: {error}.",
            "Make the folder writable, or set a token with TABWARDEN_SERVER__TOKEN or "
            "server.token.",
            field="server.token",
        ) from None


def _fresh() -> bytes:
    return f"{secrets.token_urlsafe(_BYTES)}\n".encode()
