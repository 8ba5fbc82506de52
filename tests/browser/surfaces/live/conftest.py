"""One agent's browser for each worker, with a fresh tab for each test, and its live view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.watching import Agents, Watched

from tabwarden.errors import TabwardenError


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
