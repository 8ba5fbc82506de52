"""The adapters are tested with the same browser and pages as the tools that they wrap."""

from __future__ import annotations

from browser.tools.conftest import browser, shop, tools

__all__ = ["browser", "shop", "tools"]
