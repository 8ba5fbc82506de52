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


class Reach:
    """What the server's browser can do, as the server said a moment ago."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked_at = -_FRESH_S
        self._asking: threading.Thread | None = None
        self._lacks: frozenset[str] = frozenset()

    def has_cdp(self) -> bool:
        """Whether raw CDP reaches a browser: the server answers, and its browser speaks CDP."""
        return "cdp" not in self._what_lacks()

    def has_dialogs(self) -> bool:
        """Whether dialogs wait for an answer: the server answers, and its browser holds dialogs."""
        return "dialogs" not in self._what_lacks()

    def _what_lacks(self) -> frozenset[str]:
        """Ask the server, unless it was asked within ``_FRESH_S``. What it says after
        ``_PATIENCE_S`` answers the next question."""
        with self._lock:
            now = time.monotonic()
            is_asking = self._asking is not None and self._asking.is_alive()
            if is_asking or now - self._asked_at < _FRESH_S:
                return self._lacks
            self._asked_at = now
            self._asking = threading.Thread(target=self._ask, name="tabwarden-reach", daemon=True)
            self._asking.start()
        self._asking.join(_PATIENCE_S)
        return self._lacks

    def _ask(self) -> None:
        try:
            self._lacks = frozenset(call(one_used(), "/", method="GET").get("lacks") or ())
        except Refused:
            self._lacks = _ALL
