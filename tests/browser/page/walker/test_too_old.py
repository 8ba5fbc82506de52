"""A browser that is too old for the walker."""

from __future__ import annotations

import pytest
from support.pace import in_time
from support.site import Site

from tabwarden.page.walker import worlds
from tabwarden.sync import Browser


@pytest.mark.parametrize("missing", ["Node.prototype", ":user-invalid"])
def test_snapshot_says_at_once_why_the_page_cannot_be_read(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    source = worlds.walker_source()
    assert missing in source
    monkeypatch.setattr(worlds, "walker_source", lambda: source.replace(missing, f"{missing}9"))
    with in_time(3):
        browser.goto(site.page("/", "<input aria-label=Name>"))
        text = browser.snapshot().text
    assert "STALE: the page can't be read: Tabwarden's script failed in this page (" in text
    assert "too old" in text
