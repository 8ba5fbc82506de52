"""Anthropic's browser toolset: the dialect ``claude-browser``, and drivers for Anthropic's SDK.

``ClaudeBrowser`` (sync) and ``AsyncClaudeBrowser`` serve ``browser_toolset_20260801`` over one
Tabwarden session. They need the extra: ``pip install 'tabwarden[anthropic]'``.

To change:

- a member of the toolset: ``dialect.py``
- what the SDK gets from us: ``driver.py``
- Anthropic's computer toolset, with a tab as the screen: ``computer.py``
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwarden.integrations.anthropic.computer import AsyncClaudeComputer, ClaudeComputer
    from tabwarden.integrations.anthropic.driver import AsyncClaudeBrowser, ClaudeBrowser

_COMPUTERS = ("AsyncClaudeComputer", "ClaudeComputer")
__all__ = ["AsyncClaudeBrowser", "AsyncClaudeComputer", "ClaudeBrowser", "ClaudeComputer"]


def __getattr__(name: str) -> Any:
    """Import the driver when it is needed, because the dialect works without Anthropic's SDK."""
    if name in __all__:
        from tabwarden.integrations.anthropic import computer, driver

        return getattr(computer if name in _COMPUTERS else driver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
