"""Dialect: a toolset that also says what it takes for granted."""

from __future__ import annotations

from typing import Protocol

from tabwarden.actions import Toolset
from tabwarden.config import BrowserConfig

__all__ = ["Dialect"]


class Dialect(Toolset, Protocol):
    """The tools of another design."""

    def obeyed(self, config: BrowserConfig) -> BrowserConfig:
        """The configuration with that design's defaults for what the user has not set.

        ``call`` has the session's browser obey it; a surface may open its sessions with it too.
        """
        ...
