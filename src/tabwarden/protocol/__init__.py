"""The Chrome DevTools Protocol as typed classes, one module for each domain.

This package defines the format of the browser's messages, but does not send any.
`tools/generate_protocol.py` generates the domain modules and `index` from the pinned protocol
description. `base` is written by hand. It has the base classes, and the functions that encode
commands and decode replies and events. Importing a domain does not import other domains, so import
the ones that you need: `from tabwarden.protocol import page, runtime`.
"""

from .base import (
    Command,
    Empty,
    Event,
    Record,
    decode_event,
    decode_result,
    encode_params,
    repair_surrogates,
)

__all__ = [
    "Command",
    "Empty",
    "Event",
    "Record",
    "decode_event",
    "decode_result",
    "encode_params",
    "repair_surrogates",
]
