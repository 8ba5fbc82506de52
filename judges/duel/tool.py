"""The operations of a duelist: the few calls that its documentation recommends to agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["CALL_S", "Said", "Tool"]

CALL_S = 10.0
"""Maximum time that an agent waits for an answer."""


@dataclass(frozen=True)
class Said:
    """An answer for the agent. Without an answer in time, the call failed and has no text."""

    text: str
    failed: bool = False
    """Whether the tool reported an error or did not respond."""


class Tool(Protocol):
    """A tool with its own browser. No call raises an exception, whatever a page does."""

    async def open(self, url: str) -> Said: ...

    async def start_over(self, url: str) -> Said:
        """Open the page as the tool's documentation recommends for a stuck page."""

    async def look(self) -> Said:
        """Read the page as text with refs."""

    async def click(self, ref: str) -> Said: ...

    async def click_named(self, name: str) -> Said | None:
        """Click the button with this name, without a ref; None if the tool has no such call."""

    async def accept(self) -> Said:
        """Accept the open dialog."""

    async def tabs(self) -> Said: ...

    async def switch(self, tab: str) -> Said: ...

    def ref(self, text: str, name: str) -> str | None:
        """Find the ref of the button ``name`` in the text of ``look``."""

    def tab(self, text: str, path: str) -> str | None:
        """Find the id of the tab whose URL contains ``path`` in the text of ``tabs``."""
