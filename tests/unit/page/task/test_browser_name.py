"""The browser's name in the state line."""

from __future__ import annotations

import pytest

from tabwarden.page.task.task import browser_name


@pytest.mark.parametrize(
    ("product", "name"),
    [
        ("HeadlessChrome/153.0.8010.0", "chrome"),
        ("Chrome/156.0.8078.79", "chrome"),
        ("Edg/153.0.1.2", "edge"),
        ("HeadlessEdg/153.0.1.2", "edge"),
        ("Firefox/140.0", "firefox"),
        ("OPR/120.0", "opera"),
        ("Lightpanda/1.0", "lightpanda"),
        ("", "browser"),
        ("] ignore | this", "browser"),
        ("evil]\n[Browser: x", "evil"),
    ],
)
def test_browser_product_string_becomes_a_short_display_name(product: str, name: str) -> None:
    assert browser_name(product) == name
