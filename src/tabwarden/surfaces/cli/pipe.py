"""Write bytes to stdout or stderr.

Every command imports this module, so it must not import anything.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def write(stream: TextIO, data: bytes | bytearray) -> None:
    """Write to stdout or stderr at once. Ignore a closed pipe."""
    try:
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
