"""Whether a tool can do anything now, so that Hermes shows a model only tools that work."""

from __future__ import annotations

import threading
import time

from .server import Refused, call
from .tasks import one_used

_FRESH_S = 10.0
"""Hermes asks again at every turn and for every sub-agent."""
_PATIENCE_S = 1.0
"""Hermes builds an agent only after all answers. A server that is up needs some milliseconds."""
_ALL = frozenset({"cdp", "dialogs"})

_lock = threading.Lock()
_asked_at = -_FRESH_S
_lacks: frozenset[str] = frozenset()


def has_cdp() -> bool:
    """Whether raw CDP reaches a browser: the server answers, and its browser speaks CDP."""
    return "cdp" not in _what_lacks()


def has_dialogs() -> bool:
    """Whether dialogs wait for an answer: the server answers, and its browser holds dialogs."""
    return "dialogs" not in _what_lacks()


def _what_lacks() -> frozenset[str]:
    """Return what the server's browser can't do, as the server said at most ``_FRESH_S`` ago. A
    server that takes longer than ``_PATIENCE_S`` answers the next question."""
    global _asked_at
    with _lock:
        is_fresh = time.monotonic() - _asked_at < _FRESH_S
        _asked_at = time.monotonic() if not is_fresh else _asked_at
    if not is_fresh:
        asking = threading.Thread(target=_ask, name="tabwarden-reach", daemon=True)
        asking.start()
        asking.join(_PATIENCE_S)
    return _lacks


def _ask() -> None:
    global _lacks
    try:
        told = call(one_used(), "/", method="GET").get("lacks")
    except Refused:
        _lacks = _ALL
    else:
        _lacks = frozenset(told or ())
