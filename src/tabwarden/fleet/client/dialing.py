"""Dialing: connect to the host that holds a task's lease."""

from __future__ import annotations

import ssl
from functools import lru_cache
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus

from tabwarden.errors import EndpointUnreachable, LaunchFailed
from tabwarden.fleet.client.timing import DIAL_S, PING_S
from tabwarden.fleet.leasing import Cause, Lease
from tabwarden.wire import MAX_MESSAGE_BYTES

_CERTIFICATE_NAME = "tabwarden-host"
_GONE, _BAD_GATEWAY = 410, 502


class _Error(msgspec.Struct, frozen=True):
    message: str = ""


class _Words(msgspec.Struct, frozen=True):
    """The body of a refusal."""

    reason: str = ""
    cause: Cause = ""
    error: _Error | None = None


class LeaseOver(Exception):
    """The host says that it does not hold this lease any more; the text says why.

    ``cause``: what of the browser ended it.
    """

    def __init__(self, reason: str, cause: Cause) -> None:
        super().__init__(reason)
        self.cause = cause


async def dial(lease: Lease, kind: str, timeout_s: float) -> ClientConnection:
    """Open a WebSocket to the lease's host.

    Args:
        kind: ``browser`` for CDP, ``files`` for a file.
        timeout_s: limit in seconds.

    Raises:
        LeaseOver: the host does not hold the lease. LaunchFailed: the host could not start a
            browser. EndpointUnreachable: the host does not answer.
    """
    try:
        return await connect(
            f"{lease.url}/{kind}/{quote(lease.task, safe='')}?generation={lease.generation}",
            ssl=_pinned(lease.certificate),
            server_hostname=_CERTIFICATE_NAME,
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
        raise _refused(lease, refused) from None
    except (OSError, InvalidHandshake, TimeoutError, EOFError) as error:
        raise EndpointUnreachable(
            f"The node {lease.node} does not answer.",
            "Its tasks get new browsers on other nodes within seconds. Try again.",
            node=lease.node,
            cause=type(error).__name__,
        ) from None


def _refused(lease: Lease, refused: InvalidStatus) -> Exception:
    status = refused.response.status_code
    try:
        words = msgspec.json.decode(refused.response.body or b"{}", type=_Words)
    except (msgspec.DecodeError, UnicodeDecodeError):
        words = _Words()
    if status == _GONE:
        return LeaseOver(words.reason, words.cause)
    if status == _BAD_GATEWAY and words.error is not None:
        return LaunchFailed(
            f"The node {lease.node} could not start a browser: {words.error.message}",
            "Run `tabwarden doctor` on that node.",
            node=lease.node,
        )
    return EndpointUnreachable(
        f"The node {lease.node} did not accept the connection ({status}): {words.reason}",
        "Try again.",
        node=lease.node,
    )


@lru_cache(maxsize=256)
def _pinned(certificate: str) -> ssl.SSLContext:
    """Return a TLS context that trusts exactly one host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=certificate)
    return context
