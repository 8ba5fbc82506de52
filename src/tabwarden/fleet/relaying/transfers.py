"""Transfers: move one file over a WebSocket.

The client sends a ``TransferRequest``. To put a file, it then sends the pieces and an empty piece,
and the host answers. To fetch a file, the host answers first, and then sends the pieces and an
empty piece.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FILE_PIECE = 1 << 18
"""The size of a piece, in bytes."""


class TransferRequest(msgspec.Struct, frozen=True):
    """What the client wants to do.

    Attributes:
        kind: put a file into the task's upload folder, or move one from its download folder.
        name: the file's name, without a folder.
    """

    kind: Literal["put", "fetch"]
    name: str


class TransferAnswer(msgspec.Struct, frozen=True):
    """The host's answer.

    Attributes:
        path: where a file that was put is, on the host.
        error: why it failed; "" if it didn't.
    """

    path: str = ""
    error: str = ""
