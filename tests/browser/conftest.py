"""A real browser for each worker, a fresh tab for each test, and pages on two sites."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from support.pace import patience_of_slow_machines
from support.running import running_chromium
from support.shared import Shared
from support.site import Site

from tabwarden.sync import Browser


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    # Pytest calls this for the tests of all folders.
    with patience_of_slow_machines(wanted=item.path.is_relative_to(Path(__file__).parent)):
        return (yield)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    shared = Shared(tmp_path_factory.mktemp("downloads"))
    yield shared
    shared.close()


@pytest.fixture
def browser(shared: Shared) -> Browser:
    """The worker's browser with one fresh tab; whatever a test left behind is cleared away."""
    return shared.fresh()


@pytest.fixture
def patient(browser: Browser) -> Iterator[None]:
    """Lets nothing count as hung because other tests take the machine for a moment."""
    config = browser._config
    browser.configure(config.model_copy(update={"hang_patience": 8}))
    yield
    browser.configure(config)


@pytest.fixture
def own_browser() -> Iterator[Browser]:
    """A browser that the test may kill."""
    with Browser.launch() as browser:
        yield browser


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: Chromium makes sockets in it, whose paths may have 107 characters."""
    with tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """The debugging port of a Chromium that somebody else started."""
    with running_chromium(folder) as port:
        yield port
