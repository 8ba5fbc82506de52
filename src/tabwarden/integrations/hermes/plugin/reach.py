"""Check whether a tool works now, so that Hermes shows a model only working tools."""

from __future__ import annotations

import threading
import time

from .server import Refused, call
from .tasks import one_used

_FRESH_S = 10.0
"""How long a result is reused. Hermes checks the tools at every turn and for every sub-agent."""
_PATIENCE_S = 1.0
"""How long to wait for the server's response. The time is short because Hermes waits for all checks
before it builds an agent. A running server responds in some milliseconds.
"""
_ALL = frozenset({"cdp", "dialogs"})


class Reach:
    """The abilities of the server's browser, cached for a moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queried_at = -_FRESH_S
        self._asking: threading.Thread | None = None
        self._lacks: frozenset[str] = frozenset()

    def has_cdp(self) -> bool:
        """Whether raw CDP works: the server responds, and its browser supports CDP."""
        return "cdp" not in self._what_lacks()

    def has_dialogs(self) -> bool:
        """Whether dialogs can be handled: the server responds, and its browser keeps dialogs
        open.
        """
        return "dialogs" not in self._what_lacks()

    def _what_lacks(self) -> frozenset[str]:
        """Query the server, unless the last query was within ``_FRESH_S``. A response that arrives
        after ``_PATIENCE_S`` is used by the next call.
        """
        with self._lock:
            now = time.monotonic()
            is_asking = self._asking is not None and self._asking.is_alive()
            if is_asking or now - self._queried_at < _FRESH_S:
                return self._lacks
            self._queried_at = now
            self._asking = threading.Thread(target=self._ask, name="tabwarden-reach", daemon=True)
            self._asking.start()
        self._asking.join(_PATIENCE_S)
        return self._lacks

    def _ask(self) -> None:
        try:
            self._lacks = frozenset(call(one_used(), "/", method="GET").get("lacks") or ())
        except Refused:
            self._lacks = _ALL
