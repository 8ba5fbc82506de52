"""A connection to a server. Before it gets the token, a server on this machine must prove that it
knows the token, because any program could be listening on the port.

The proof and the request use the same connection. ``surfaces/guard/tokens.py`` describes the proof.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

_PROOF_S = 10.0
"""How long a server may take to send its proof. It responds at once, even if it is busy."""
_LONGEST = 1000


def connect(base: str, timeout_s: float) -> HTTPConnection:
    """Return a connection to an address. It never uses a proxy, and never reconnects.

    Raises:
        OSError, ValueError: nothing responds there, or this is not an address.
    """
    there = urlsplit(base)
    if there.scheme not in ("http", "https") or not there.hostname:
        raise ValueError("this is not an HTTP address")
    kind = HTTPSConnection if there.scheme == "https" else HTTPConnection
    connection = kind(there.hostname, there.port, timeout=timeout_s)
    connection.connect()
    connection.auto_open = 0
    return connection


def is_here(connection: HTTPConnection) -> bool:
    """Whether a connection without TLS leads to a port on this machine, where any user's program
    could be listening.
    """
    here, there = connection.sock.getsockname()[0], connection.sock.getpeername()[0]
    is_own = here == there or ipaddress.ip_address(there).is_loopback
    return is_own and not isinstance(connection, HTTPSConnection)


def has_proven(connection: HTTPConnection, token: str) -> bool | None:
    """Request the server's proof. Return None if the server reports that it uses another token.

    Raises:
        OSError, HTTPException: the server does not respond.
    """
    key = hashlib.sha256(token.encode()).hexdigest().encode()
    nonce = secrets.token_hex(32)
    address, port = connection.sock.getpeername()[:2]

    def mac(words: str) -> bytes:
        return hmac.new(key, words.encode(), "sha256").hexdigest().encode()

    waits = connection.sock.gettimeout()
    connection.sock.settimeout(_PROOF_S)
    connection.request("GET", f"/proof?nonce={nonce}&mac={mac(f'client {nonce}').decode()}")
    answer = connection.getresponse()
    body = answer.read(_LONGEST)
    if answer.status in (401, 403):
        return None
    if not hmac.compare_digest(body, mac(f"server {nonce} {address} {port}")):
        return False
    connection.sock.settimeout(waits)
    return True
