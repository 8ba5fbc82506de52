"""A real browser for each worker, a fresh tab for each test, and pages on two sites."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.site import Site

from tabwarden.sync import Browser


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Browser]:
    with Browser.launch() as browser:
        yield browser


@pytest.fixture
def browser(shared_browser: Browser) -> Browser:
    """The worker's browser with one fresh tab; whatever a test left behind is cleared away."""
    before = shared_browser.state
    shared_browser.tabs("open")
    for tab in before.tabs:
        shared_browser.tabs("close", tab_id=tab.tab_id)
    return shared_browser


@pytest.fixture
def own_browser() -> Iterator[Browser]:
    """A browser that the test may kill."""
    with Browser.launch() as browser:
        yield browser


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site
