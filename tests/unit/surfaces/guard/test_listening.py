"""The server's socket."""

from __future__ import annotations

import socket

from tabwarden.surfaces.guard.listening import listening


def test_an_answer_does_not_wait_for_the_client_to_acknowledge_its_headers() -> None:
    with listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
