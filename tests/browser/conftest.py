"""A real browser per worker, a fresh tab per test, and pages on two sites."""

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
    """The worker's browser with one fresh tab and no state from earlier tests."""
    return shared.fresh()


@pytest.fixture
def patient(browser: Browser) -> Iterator[None]:
    """Raise the hang limits, because other tests can use the CPU for a moment."""
    config = browser._config
    browser.configure(config.model_copy(update={"hang_patience": 8}))
    yield
    browser.configure(config)


@pytest.fixture
def own_browser() -> Iterator[Browser]:
    """A browser that the test is allowed to kill."""
    with Browser.launch() as browser:
        yield browser


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path: Chromium creates sockets in it (path limit: 107 characters)."""
    with tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """The debugging port of a Chromium that Tabwarden did not launch."""
    with running_chromium(folder) as port:
        yield port
