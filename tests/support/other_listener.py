"""A program on the port of our server, which records everything that clients send."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType

__all__ = ["OtherListener"]


class OtherListener:
    """Answers each request with a status and ``{"ok": true}``, or passes all on to another port.

    Args:
        status: the status of its answers.
        real: the port to which it passes everything on instead.
    """

    def __init__(self, status: int = 200, real: int | None = None) -> None:
        self._answer = (
            f"HTTP/1.1 {status} Whatever\r\nContent-Length: 12\r\nConnection: close\r\n"
            'Content-Type: application/json\r\n\r\n{"ok": true}'
        ).encode()
        self._real = real
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = ThreadPoolExecutor()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.received = b""

    def _serve(self) -> None:
        with suppress(OSError):  # the test is over
            while True:
                client, _ = self._listener.accept()
                self._threads.submit(self._serve_one, client)

    def _serve_one(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            if self._real is None:
                self.received += client.recv(65_536)
                client.sendall(self._answer)
                return
            with socket.create_connection(("127.0.0.1", self._real)) as server:
                self._threads.submit(_pass_on, server, client)
                while data := client.recv(65_536):
                    self.received += data
                    server.sendall(data)

    def __enter__(self) -> OtherListener:
        self._threads.submit(self._serve)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # `close` alone does not end `accept`
        self._listener.close()
        self._threads.shutdown()


def _pass_on(server: socket.socket, client: socket.socket) -> None:
    with suppress(OSError):
        while data := server.recv(65_536):
            client.sendall(data)
