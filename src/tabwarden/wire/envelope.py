"""The CDP envelope: what every message has, decoded before anything else is.

``params`` and ``result`` stay raw bytes until somebody listens: a flood of events that nobody
wants costs one shallow scan each.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import repair_surrogates

__all__ = ["UNREADABLE", "Envelope", "ProtocolError", "decode_envelope", "encode_command"]

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding a peer's bytes may raise: malformed, not UTF-8, nested without end."""


class ProtocolError(msgspec.Struct, frozen=True):
    """The error member of a CDP reply."""

    code: int = 0
    message: str = ""
    data: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.data}".strip()


_EMPTY = msgspec.Raw(b"{}")


class Envelope(msgspec.Struct, rename={"session_id": "sessionId"}, gc=False):
    """A reply (``id`` set) or an event (``method`` set)."""

    id: int | None = None
    method: str = ""
    session_id: str | None = None
    params: msgspec.Raw = _EMPTY
    result: msgspec.Raw = _EMPTY
    error: ProtocolError | None = None


_decoder = msgspec.json.Decoder(Envelope)


def decode_envelope(message: bytes) -> Envelope:
    """Decode the envelope only.

    A page's string may hold half a surrogate pair, which no UTF-8 decoder takes: then the
    message is repaired and tried once more, rather than lost.

    Raises:
        msgspec.DecodeError, UnicodeDecodeError, RecursionError (``UNREADABLE``): the message is
            not a CDP message.
    """
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return _decoder.decode(repair_surrogates(message))


def encode_command(command_id: int, method: str, params: bytes, session_id: str | None) -> bytes:
    """One command as JSON; ``params`` is JSON already.

    Methods and session ids come from us and from the browser, never from a page, and hold no
    character that JSON would escape.
    """
    if session_id is None:
        return b'{"id":%d,"method":"%b","params":%b}' % (command_id, method.encode(), params)
    return b'{"id":%d,"method":"%b","params":%b,"sessionId":"%b"}' % (
        command_id,
        method.encode(),
        params,
        session_id.encode(),
    )
