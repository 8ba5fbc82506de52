"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.camofox import CamofoxServer, camofox_server, require_camofox


@pytest.fixture(scope="module")
def stock() -> Iterator[CamofoxServer]:
    """A server as it comes from npm, with Chromium as its browser."""
    require_camofox()
    with camofox_server("chromium") as server:
        yield server
