"""The wire: bytes to and from one browser.

``Wire`` is the small interface; ``PipeWire`` and ``open_websocket`` are its two kinds.
``Connection`` multiplexes commands, replies and events of many flattened sessions over one wire
and fails every waiting call, by name, the moment the wire dies.
"""

from tabwarden.wire.base import MAX_MESSAGE_BYTES, Wire
from tabwarden.wire.connection import Connection, Reply
from tabwarden.wire.envelope import Envelope, ProtocolError, decode_envelope, encode_command
from tabwarden.wire.pipe import PipeWire
from tabwarden.wire.websocket import open_websocket

__all__ = [
    "MAX_MESSAGE_BYTES",
    "Connection",
    "Envelope",
    "PipeWire",
    "ProtocolError",
    "Reply",
    "Wire",
    "decode_envelope",
    "encode_command",
    "open_websocket",
]
