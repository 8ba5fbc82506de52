"""OpenAI's browser toolset: the dialect ``openai-browser``, and drivers for OpenAI's SDK.

``OpenAIBrowser`` (sync) and ``AsyncOpenAIBrowser`` are drivers for ``openai.lib.browser`` over one
Tabwarden session. They need the extra: ``pip install 'tabwarden[openai]'``.

To change:

- a member of the toolset: ``dialect.py``
- what the SDK gets from us: ``driver.py``
- OpenAI's computer, with a tab as the screen: ``screen.py`` has the actions, ``computer.py`` and
  ``agents_computer.py`` serve the SDKs
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwarden.integrations.openai.agents_computer import AgentsComputer, AsyncAgentsComputer
    from tabwarden.integrations.openai.computer import AsyncOpenAIComputer, OpenAIComputer
    from tabwarden.integrations.openai.driver import AsyncOpenAIBrowser, OpenAIBrowser

__all__ = [
    "AgentsComputer",
    "AsyncAgentsComputer",
    "AsyncOpenAIBrowser",
    "AsyncOpenAIComputer",
    "OpenAIBrowser",
    "OpenAIComputer",
]
_MODULES = {
    "AgentsComputer": "agents_computer",
    "AsyncAgentsComputer": "agents_computer",
    "AsyncOpenAIBrowser": "driver",
    "AsyncOpenAIComputer": "computer",
    "OpenAIBrowser": "driver",
    "OpenAIComputer": "computer",
}


def __getattr__(name: str) -> Any:
    """Import a driver when it is needed, because the dialect works without OpenAI's SDK."""
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
