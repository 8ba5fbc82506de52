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
    BrowserError,
    ConnectionKind,
    ConnectionRequest,
    RefusalBody,
    is_valid_ticket,
    path_of,
    read_refusal,
    read_request,
    ticket_for,
)
from tabwarden.fleet.relaying.transfers import (
    TransferAnswer,
    TransferRequest,
    receive_answer,
    receive_file,
    receive_request,
    send_answer,
    send_file,
    send_request,
)

__all__ = [
    "BROWSER_FAILED",
    "CERTIFICATE_NAME",
    "LEASE_OVER",
    "BrowserError",
    "ConnectionFailed",
    "ConnectionKind",
    "ConnectionRequest",
    "Frame",
    "RefusalBody",
    "SetGate",
    "TransferAnswer",
    "TransferRequest",
    "Welcome",
    "decode_frame",
    "decode_welcome",
    "encode_frame",
    "is_valid_ticket",
    "path_of",
    "read_refusal",
    "read_request",
    "receive_answer",
    "receive_file",
    "receive_request",
    "send_answer",
    "send_file",
    "send_request",
    "ticket_for",
]
