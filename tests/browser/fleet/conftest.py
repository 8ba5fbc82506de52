from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.local_fleet import LocalFleet


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[LocalFleet]:
    """A fleet with two nodes, in this process."""
    fleet = LocalFleet(tmp_path / "fleet.sqlite").start()
    try:
        fleet.add("n1")
        fleet.add("n2")
        yield fleet
    finally:
        fleet.stop()
