"""A Redis server for a test: Debian's, on a free port, with its data in a folder of the test."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from support.eventually import eventually
from support.needs import require

__all__ = ["free_port", "redis_server"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextmanager
def redis_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """Start a server; yield its URL. At the end, kill it. Skip the test if Redis is not installed.

    Args:
        port: the port of an earlier server with the same data; None for a free one.
    """
    require("redis-server")
    port = port or free_port()
    options = ("--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder))
    durable = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
    server = subprocess.Popen(("redis-server", *options, *durable), stdout=subprocess.DEVNULL)
    try:
        eventually(lambda: _answers(port))
        yield f"redis://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def _answers(port: int) -> bool:
    try:
        with closing(socket.create_connection(("127.0.0.1", port), timeout=1)) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(60).startswith(b"+PONG")
    except OSError:
        return False
