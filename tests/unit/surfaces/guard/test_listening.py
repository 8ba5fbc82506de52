"""The server's socket."""

from __future__ import annotations

import socket

import pytest

from tabwarden.surfaces.guard.listening import listening, url_of


def test_server_connections_use_tcp_nodelay() -> None:
    with listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.threat
def test_server_url_contains_its_numeric_listen_address() -> None:
    """Localhost has two addresses, and another program can listen on the other one."""
    with listening("localhost", 0) as listener:
        address, port = listener.getsockname()[:2]
        named = f"[{address}]" if ":" in address else address
        assert url_of(listener, "localhost") == f"http://{named}:{port}"
