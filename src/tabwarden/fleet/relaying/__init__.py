"""Relaying: what a client and a host say to each other besides CDP.

A client opens one WebSocket for each CDP connection (``handshake``). Text frames are CDP messages,
in both directions. Binary frames are ``frames``: the client's network policy, and what the policy
refused. A second kind of WebSocket moves one file (``transfers``). ``tickets`` prove that the
coordinator gave the client this task.
"""

from tabwarden.fleet.relaying.frames import (
    ConnectionFailed,
    Frame,
    SetGate,
    Welcome,
    decode_frame,
    decode_welcome,
    encode_frame,
)
from tabwarden.fleet.relaying.handshake import (
    BROWSER_FAILED,
    CERTIFICATE_NAME,
    LEASE_OVER,
    ConnectionKind,
    path_of,
    read_refusal,
)
from tabwarden.fleet.relaying.tickets import is_genuine, ticket_for
from tabwarden.fleet.relaying.transfers import (
    FILE_PIECE,
    TransferAnswer,
    TransferRequest,
    receive_answer,
    receive_file,
    send_file,
)

__all__ = [
    "BROWSER_FAILED",
    "CERTIFICATE_NAME",
    "FILE_PIECE",
    "LEASE_OVER",
    "ConnectionFailed",
    "ConnectionKind",
    "Frame",
    "SetGate",
    "TransferAnswer",
    "TransferRequest",
    "Welcome",
    "decode_frame",
    "decode_welcome",
    "encode_frame",
    "is_genuine",
    "path_of",
    "read_refusal",
    "receive_answer",
    "receive_file",
    "send_file",
    "ticket_for",
]
