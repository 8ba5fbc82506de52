"""What the unit tests of several packages share."""

from __future__ import annotations

import pytest
from support.memory_wire import MemoryWire


@pytest.fixture
def wire() -> MemoryWire:
    """A browser made of tables: what a driver writes to and hears from."""
    return MemoryWire()
