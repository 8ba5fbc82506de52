"""The arguments of a fleet: an invalid one is reported at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.fleet import Fleet
from tabwarden.fleet.coordinating import Coordinator, SqliteStore
from tabwarden.fleet.leasing.table import TableSettings


@pytest.mark.parametrize("seconds", [0.1, 0.4, -1, 3601, float("nan"), "soon"])
def test_fleet_browser_rejects_an_invalid_checkpoint_interval(
    tmp_path: Path, seconds: float
) -> None:
    coordinator = Coordinator(SqliteStore(tmp_path / "leases.sqlite"), TableSettings())
    with pytest.raises(InvalidArgument) as wrong:
        Fleet("auto", coordinator).browser(checkpoint_s=seconds)
    assert wrong.value.data["field"] == "checkpoint_s"
