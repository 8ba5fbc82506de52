"""The wire: carries bytes to and from one browser.

``Wire`` is the interface; ``PipeWire`` and ``open_websocket`` implement it. ``Connection`` sends
the commands of many flattened sessions over one wire and dispatches replies and events. When the
wire closes, the connection fails every waiting call at once.
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
