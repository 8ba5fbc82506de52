"""Fixtures that several packages' unit tests share."""

from __future__ import annotations

import pytest
from support.memory_wire import MemoryWire


@pytest.fixture
def wire() -> MemoryWire:
    """A fake browser: the folder that a driver writes to and reads from."""
    return MemoryWire()
