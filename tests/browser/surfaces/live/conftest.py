"""One agent's browser per worker, a fresh tab per test, and its live view."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.running import running_chromium
from support.watching import Agents, Watched

from tabwarden.errors import TabwardenError
from tabwarden.sync import Browser


@pytest.fixture(scope="session")
def persons_browser() -> Iterator[Browser]:
    """The viewer's browser. Browsers that Tabwarden launches cannot open its servers."""
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_chromium(Path(folder)) as port,
        Browser.connect(f"http://127.0.0.1:{port}") as browser,
    ):
        yield browser


@pytest.fixture
def browser(persons_browser: Browser) -> Browser:
    """The viewer's browser with one fresh tab."""
    before = persons_browser.state.tabs
    persons_browser.tabs("open")
    for tab in before:
        persons_browser.tabs("close", tab_id=tab.tab_id)
    return persons_browser


@pytest.fixture(scope="session")
def agents() -> Iterator[Agents]:
    agents = Agents()
    yield agents
    agents.close()


@pytest.fixture
def watched(agents: Agents) -> Iterator[Watched]:
    """A live view of the task "agent"."""
    with Watched(agents) as watched:
        yield watched
    agents.browser.control.release("operator")
    before = agents.browser.state.tabs
    agents.call(agents.browser.tabs("open"))
    for tab in before:
        try:
            closed = agents.call(agents.browser.tabs("close", tab_id=tab.tab_id))
            if closed.interrupted:
                agents.call(agents.browser.dialog("accept"))
        except TabwardenError:
            continue
