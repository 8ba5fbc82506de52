"""A real proxy that asks for a login (pproxy: HTTP and SOCKS 5 on one port), in its own process.

Names below ``.test`` are this machine to it, as if its own DNS said so.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_PROGRAM = """
import asyncio, socket, sys
found = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: found(
    "127.0.0.1" if str(host).endswith(".test") else host, *rest, **more)
asyncio.set_event_loop(asyncio.new_event_loop())
import pproxy
kind = "http+ssl" if sys.argv[3:] else "http+socks5"
listen = pproxy.Server(f"{kind}://127.0.0.1:{sys.argv[1]}#{sys.argv[2]}")
if sys.argv[3:]:
    listen.sslserver.load_cert_chain(sys.argv[3])
asked = lambda text: print(text, flush=True)
asyncio.get_event_loop().run_until_complete(
    listen.start_server({"rserver": [pproxy.Connection("direct")], "verbose": asked}))
print("ready", flush=True)
asyncio.get_event_loop().run_forever()
"""


class LoginProxy(NamedTuple):
    port: int
    process: subprocess.Popen[str]

    def served(self) -> list[str]:
        """Stop the proxy, and return a line for each connection that it made."""
        self.process.terminate()
        assert self.process.stdout is not None
        return self.process.stdout.read().splitlines()


@contextmanager
def login_proxy(login: str, chain: Path | None = None) -> Iterator[LoginProxy]:
    """Run a proxy that requires ``user:password``; over TLS if there is a certificate with key."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(port), login, *([str(chain)] if chain else [])],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield LoginProxy(port, process)
    finally:
        process.kill()
        process.communicate()
