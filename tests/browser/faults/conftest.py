"""One Chromium for all connection faults; each test has its own relay and context."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.faulty import FaultyRelay
from support.running import running_chromium
from support.site import Site

from tabwarden.sync import Browser

ASK = "<button onclick=\"document.title = confirm('Sure?')\">Ask</button>"


@pytest.fixture(scope="module")
def chromium() -> Iterator[int]:
    """The debugging port of the shared Chromium."""
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_chromium(Path(folder)) as port,
    ):
        yield port


@pytest.fixture
def relay(chromium: int) -> Iterator[FaultyRelay]:
    with FaultyRelay(chromium) as relay:
        yield relay


@pytest.fixture
def through(relay: FaultyRelay, site: Site) -> Iterator[Browser]:
    """A browser behind the relay, on a page with a button that opens a dialog."""
    with Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", ASK))
        relay.wait_answered("Runtime.evaluate")
        yield browser
