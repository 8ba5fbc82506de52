"""The CDP envelope: the fields that all messages share, which are decoded first.

``params`` and ``result`` stay raw bytes until they are needed. Therefore, an event without a
listener is parsed only once, and only at the top level.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import repair_surrogates

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors that decoding a malformed message can raise."""


class ProtocolError(msgspec.Struct, frozen=True):
    """The ``error`` member of a CDP reply."""

    code: int = 0
    message: str = ""
    data: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.data}".strip()


_EMPTY = msgspec.Raw(b"{}")


class Envelope(msgspec.Struct, rename={"session_id": "sessionId"}, gc=False):
    """A reply, which has an ``id``, or an event, which has a ``method``."""

    id: int | None = None
    method: str = ""
    session_id: str | None = None
    params: msgspec.Raw = _EMPTY
    result: msgspec.Raw = _EMPTY
    error: ProtocolError | None = None


_decoder = msgspec.json.Decoder(Envelope)


def decode_envelope(message: bytes) -> Envelope:
    """Decode only the envelope; raise one of ``UNREADABLE`` if the message is not a CDP message. If
    a string from a page contains a lone surrogate, which UTF-8 decoders reject, repair the message
    and decode it again.
    """
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return _decoder.decode(repair_surrogates(message))


def encode_command(command_id: int, method: str, params: bytes, session_id: str | None) -> bytes:
    """Encode one command as JSON; ``params`` is already JSON. Methods and session ids come from
    Tabwarden and the browser, never from a page. They therefore contain no characters that JSON
    must escape.
    """
    if session_id is None:
        return b'{"id":%d,"method":"%b","params":%b}' % (command_id, method.encode(), params)
    return b'{"id":%d,"method":"%b","params":%b,"sessionId":"%b"}' % (
        command_id,
        method.encode(),
        params,
        session_id.encode(),
    )
