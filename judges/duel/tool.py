"""What a duelist can do: the few calls that its documentation gives an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["CALL_S", "Said", "Tool"]

CALL_S = 10.0
"""An agent waits no longer for an answer."""


@dataclass(frozen=True)
class Said:
    """What an agent reads after a call. Without an answer in time, it failed and has no text."""

    text: str
    failed: bool = False
    """The tool itself called it an error, or did not answer."""


class Tool(Protocol):
    """One tool with a browser of its own. No call raises an exception, whatever a page does."""

    async def open(self, url: str) -> Said: ...

    async def start_over(self, url: str) -> Said:
        """Open the page the way that the tool's documentation gives for a page that is stuck."""

    async def look(self) -> Said:
        """Read the page as text with refs."""

    async def click(self, ref: str) -> Said: ...

    async def click_named(self, name: str) -> Said | None:
        """Click the button with this name, without a ref; None if the tool has no such call."""

    async def accept(self) -> Said:
        """Accept the dialog that is open."""

    async def tabs(self) -> Said: ...

    async def switch(self, tab: str) -> Said: ...

    def ref(self, text: str, name: str) -> str | None:
        """Find the ref of the button ``name`` in the text of ``look``."""

    def tab(self, text: str, path: str) -> str | None:
        """Find what the text of ``tabs`` calls the tab whose URL has ``path``."""
