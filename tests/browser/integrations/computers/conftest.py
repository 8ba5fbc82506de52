"""A browser whose viewport has the size of the computers' screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.site import Site
from support.stage import STAGE

from tabwarden.config import BrowserConfig, load_config
from tabwarden.sync import Browser


@pytest.fixture(scope="module")
def wide() -> Iterator[Browser]:
    with Browser.launch(config=load_config(viewport="1280x720").browser) as browser:
        yield browser


@pytest.fixture
def screen(wide: Browser, site: Site) -> Browser:
    """The browser with one tab, which shows the stage."""
    for dialog in wide.state.pending_dialogs:
        wide.dialog("dismiss", dialog_id=dialog.id)
    for tab in wide.state.tabs[1:]:
        wide.tabs("close", tab_id=tab.tab_id)
    site.page("/popup", "<p>A popup</p>", title="Popup")
    wide.mouse("move", x=1200, y=700, pixels="css")
    wide.goto(site.page("/stage", STAGE, title="Stage"))
    return wide


@pytest.fixture
def config(tmp_path: Path) -> BrowserConfig:
    """The configuration of a browser that a computer opens itself."""
    return load_config(download_dir=tmp_path).browser
