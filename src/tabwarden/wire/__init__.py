"""The wire: carries bytes to and from one browser.

``Wire`` is the interface. A wire is either a pipe (``PipeWire``) or a WebSocket
(``open_websocket``). ``Connection`` sends the commands of many flattened CDP sessions over one
wire, and dispatches replies and events. When the wire closes, every waiting call fails at once.
"""

from tabwarden.wire.base import MAX_MESSAGE_BYTES, Wire
from tabwarden.wire.connection import Connection, Reply
from tabwarden.wire.envelope import (
    UNREADABLE,
    Envelope,
    ProtocolError,
    decode_envelope,
    encode_command,
)
from tabwarden.wire.pipe import PipeWire
from tabwarden.wire.websocket import WebSocketWire, open_websocket

__all__ = [
    "MAX_MESSAGE_BYTES",
    "UNREADABLE",
    "Connection",
    "Envelope",
    "PipeWire",
    "ProtocolError",
    "Reply",
    "WebSocketWire",
    "Wire",
    "decode_envelope",
    "encode_command",
    "open_websocket",
]
