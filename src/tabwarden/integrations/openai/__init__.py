"""OpenAI's browser toolset: the dialect ``openai-browser``, and drivers for OpenAI's SDK.

``OpenAIBrowser`` (sync) and ``AsyncOpenAIBrowser`` are drivers for ``openai.lib.browser`` over one
Tabwarden session. They need the extra: ``pip install 'tabwarden[openai]'``.

To change:

- a member of the toolset: ``dialect.py``
- what the SDK gets from us: ``driver.py``
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwarden.integrations.openai.driver import AsyncOpenAIBrowser, OpenAIBrowser

__all__ = ["AsyncOpenAIBrowser", "OpenAIBrowser"]


def __getattr__(name: str) -> Any:
    """Import the driver when it is needed, because the dialect works without OpenAI's SDK."""
    if name in __all__:
        from tabwarden.integrations.openai import driver

        return getattr(driver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
