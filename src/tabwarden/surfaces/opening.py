"""How a surface opens its browser: as the configuration says."""

from __future__ import annotations

from tabwarden.actions import Session
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig

__all__ = ["session_of"]


def session_of(config: BrowserConfig) -> Session:
    """A session that launches a browser, or attaches to the configured endpoint, on demand."""

    async def open_browser(budget: Budget) -> Browser:
        if config.endpoint is not None:
            return await Browser.connect(config.endpoint, config=config, timeout_ms=budget)
        return await Browser.launch(config=config, timeout_ms=budget)

    return Session(open_browser, opening_ms=config.default_timeout_ms)
