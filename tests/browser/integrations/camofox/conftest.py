"""One server for all tests in a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.camofox import CamofoxServer, camofox_server, require_camofox


@pytest.fixture(scope="module")
def stock() -> Iterator[CamofoxServer]:
    """A stock server from npm, with Chromium as its browser."""
    require_camofox()
    with camofox_server("chromium") as server:
        yield server
