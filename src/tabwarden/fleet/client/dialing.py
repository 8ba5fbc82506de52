"""Connect to the host that holds a task's lease."""

from __future__ import annotations

import ssl
from functools import lru_cache

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus

from tabwarden.errors import EndpointUnreachable, LaunchFailed
from tabwarden.fleet.client.timing import DIAL_S
from tabwarden.fleet.leasing.values import Cause, Lease
from tabwarden.fleet.relaying.handshake import (
    BROWSER_FAILED,
    CERTIFICATE_NAME,
    LEASE_OVER,
    ConnectionKind,
    path_of,
    read_refusal,
)
from tabwarden.wire import MAX_MESSAGE_BYTES

PING_S = 5.0
"""How often to check a silent connection to a host."""


class LeaseRefused(Exception):
    """The host no longer holds this lease; the message says why.

    ``cause`` says how the browser ended the lease, if it did.
    """

    def __init__(self, reason: str, cause: Cause) -> None:
        super().__init__(reason)
        self.cause = cause


async def dial(lease: Lease, kind: ConnectionKind, timeout_s: float) -> ClientConnection:
    """Open a WebSocket to the lease's host.

    Args:
        kind: ``browser`` for CDP, ``files`` to move a file.
        timeout_s: limit in seconds.

    Raises:
        LeaseRefused: the host does not hold the lease. LaunchFailed: the host could not start a
            browser. EndpointUnreachable: the host does not respond.
    """
    try:
        return await connect(
            lease.url + path_of(kind, lease.task, lease.generation),
            ssl=_trust_only(lease.certificate),
            server_hostname=CERTIFICATE_NAME,
            additional_headers={"Authorization": f"Bearer {lease.ticket}"},
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=min(timeout_s, DIAL_S),
            close_timeout=1,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            proxy=None,
            user_agent_header=None,
        )
    except InvalidStatus as refused:
        response = refused.response
        raise _error_of(lease, response.status_code, bytes(response.body or b"")) from None
    except (OSError, InvalidHandshake, TimeoutError, EOFError) as error:
        raise EndpointUnreachable(
            f"The node {lease.node} is not responding.",
            "Its tasks get new browsers on other nodes within seconds. Try again.",
            node=lease.node,
            cause=type(error).__name__,
        ) from None


def _error_of(lease: Lease, status: int, body: bytes) -> Exception:
    """Return the error to raise to the caller when a host refuses a request."""
    refusal = read_refusal(body)
    if status == LEASE_OVER:
        return LeaseRefused(refusal.reason, refusal.cause)
    if status == BROWSER_FAILED and refusal.error is not None:
        return LaunchFailed(
            f"The node {lease.node} could not start a browser: {refusal.error.message}",
            "Run `tabwarden doctor` on that node.",
            node=lease.node,
        )
    return EndpointUnreachable(
        f"The node {lease.node} did not accept the connection ({status}): {refusal.reason}",
        "Try again.",
        node=lease.node,
    )


@lru_cache(maxsize=256)
def _trust_only(certificate: str) -> ssl.SSLContext:
    """Return a TLS context that trusts only one host's certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=certificate)
    return context
