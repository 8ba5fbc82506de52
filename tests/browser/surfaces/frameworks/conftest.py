"""The adapters use the same browser and pages as the tests of the wrapped tools."""

from __future__ import annotations

from browser.tools.conftest import browser, shop, tools

__all__ = ["browser", "shop", "tools"]
