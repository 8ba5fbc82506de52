"""Relaying: what a client and a host say to each other besides CDP.

A client opens one WebSocket for each CDP connection. Text frames are CDP messages, in both
directions. Binary frames are ``frames``: the client's network policy, and what the policy refused.
A second kind of WebSocket moves one file (``transfers``). ``tickets`` prove that the coordinator
gave the client this task.
"""

from tabwarden.fleet.relaying.frames import (
    ConnectionFailed,
    Frame,
    SetGate,
    Welcome,
    decode_frame,
    encode_frame,
)
from tabwarden.fleet.relaying.tickets import is_genuine, ticket_for
from tabwarden.fleet.relaying.transfers import FILE_PIECE, TransferAnswer, TransferRequest

__all__ = [
    "FILE_PIECE",
    "ConnectionFailed",
    "Frame",
    "SetGate",
    "TransferAnswer",
    "TransferRequest",
    "Welcome",
    "decode_frame",
    "encode_frame",
    "is_genuine",
    "ticket_for",
]
