"""Handshake: how a client requests a connection from a host, and how the host refuses the request.

The client opens ``wss://HOST/browser/TASK?generation=N`` for CDP, or ``wss://HOST/files/TASK?...``
to move a file. The header ``Authorization: Bearer TICKET`` authorizes the request.
"""

from __future__ import annotations

import hashlib
import hmac
import http
from collections.abc import Sequence
from typing import Literal, NamedTuple, cast, get_args
from urllib.parse import parse_qs, quote, unquote

import msgspec

from tabwarden.fleet.leasing.values import Cause


def ticket_for(key: bytes, task: str, generation: int) -> str:
    """Return the ticket for one generation of a task, made with a host's key. Each host sends its
    key only to the coordinator, so a host can't make tickets for other hosts."""
    return hmac.new(key, _bytes(f"{task}\n{generation}"), hashlib.sha256).hexdigest()


def is_valid_ticket(ticket: str, key: bytes, task: str, generation: int) -> bool:
    """Whether a ticket is valid for this generation of the task. ``ticket`` can be any text."""
    return hmac.compare_digest(_bytes(ticket), _bytes(ticket_for(key, task, generation)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # a request's header can contain any bytes


ConnectionKind = Literal["browser", "files"]
CERTIFICATE_NAME = "tabwarden-host"
"""The name in each host's certificate. Clients expect this name, regardless of the host's
address.
"""
LEASE_OVER = http.HTTPStatus.GONE
"""The host does not hold the lease (any more)."""
BROWSER_FAILED = http.HTTPStatus.BAD_GATEWAY
"""The host holds the lease, but could not start a browser."""


class ConnectionRequest(NamedTuple):
    """A client's request."""

    kind: ConnectionKind
    task: str
    generation: int
    ticket: str


class BrowserError(msgspec.Struct, frozen=True):
    """Why a browser did not start."""

    message: str = ""


class RefusalBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal's body, as JSON.

    Attributes:
        reason: a clause for people.
        cause: with ``LEASE_OVER``, how the browser caused the lease to end.
        error: with ``BROWSER_FAILED``, why the browser did not start.
    """

    reason: str = ""
    cause: Cause = ""
    error: BrowserError | None = None


def path_of(kind: ConnectionKind, task: str, generation: int) -> str:
    """Return the path and query of the URL for a connection."""
    return f"/{kind}/{quote(task, safe='')}?generation={generation}"


def read_request(path: str, authorization: Sequence[str]) -> ConnectionRequest | None:
    """Return a client's request; None if the host does not serve this request.

    Args:
        path: the request's path and query.
        authorization: the values of its ``Authorization`` headers.
    """
    place, _, query = path.partition("?")
    kind, _, task = place.removeprefix("/").partition("/")
    generation = parse_qs(query).get("generation", [""])[0]
    scheme, _, ticket = (authorization[0] if len(authorization) == 1 else "").partition(" ")
    if kind not in get_args(ConnectionKind) or not generation.isdecimal() or scheme != "Bearer":
        return None
    return ConnectionRequest(
        cast("ConnectionKind", kind), unquote(task), int(generation[:18]), ticket
    )


def read_refusal(body: bytes) -> RefusalBody:
    """Return a refusal's body; an empty ``Refusal`` if the bytes are not a refusal from our
    host.
    """
    try:
        return msgspec.json.decode(body, type=RefusalBody)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return RefusalBody()
