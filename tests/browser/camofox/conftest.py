"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.camofox import CamofoxServer, camofox_server, missing


@pytest.fixture(scope="module")
def stock() -> Iterator[CamofoxServer]:
    """A server as it comes from npm, with Chromium as its browser."""
    if reason := missing("chromium"):
        pytest.skip(reason)
    with camofox_server("chromium") as server:
        yield server
