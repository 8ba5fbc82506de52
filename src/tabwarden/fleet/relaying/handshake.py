"""Handshake: how a client asks a host for a connection, and how the host refuses.

The client opens ``wss://HOST/browser/TASK?generation=N`` for CDP, or ``wss://HOST/files/TASK?...``
to move a file. Its header ``Authorization: Bearer TICKET`` proves the right to it.
"""

from __future__ import annotations

import http
from collections.abc import Sequence
from typing import Literal, NamedTuple, cast, get_args
from urllib.parse import parse_qs, quote, unquote

import msgspec

from tabwarden.fleet.leasing import Cause

ConnectionKind = Literal["browser", "files"]
CERTIFICATE_NAME = "tabwarden-host"
"""The name in each host's certificate. Clients expect it, whatever the host's address is."""
LEASE_OVER = http.HTTPStatus.GONE
"""The host does not hold the lease (any more)."""
BROWSER_FAILED = http.HTTPStatus.BAD_GATEWAY
"""The host holds the lease, and could not start a browser."""


class ConnectionRequest(NamedTuple):
    """What a client asks for."""

    kind: ConnectionKind
    task: str
    generation: int
    ticket: str


class BrowserError(msgspec.Struct, frozen=True):
    """Why a browser did not start."""

    message: str = ""


class RefusalBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of a refusal, as JSON.

    Attributes:
        reason: a clause for people.
        cause: with ``LEASE_OVER``, how the browser ended the lease.
        error: with ``BROWSER_FAILED``, why the browser did not start.
    """

    reason: str = ""
    cause: Cause = ""
    error: BrowserError | None = None


def path_of(kind: ConnectionKind, task: str, generation: int) -> str:
    """Return the path and query of the URL for a connection."""
    return f"/{kind}/{quote(task, safe='')}?generation={generation}"


def read_request(path: str, authorization: Sequence[str]) -> ConnectionRequest | None:
    """Return what a client asks for; None if it asks for nothing that a host serves.

    Args:
        path: the path and query of the request.
        authorization: the values of its headers ``Authorization``.
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
    """Return the body of a refusal; an empty one if the bytes are not ours."""
    try:
        return msgspec.json.decode(body, type=RefusalBody)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return RefusalBody()
