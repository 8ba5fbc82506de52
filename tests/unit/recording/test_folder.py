"""The trace folder: which files are deleted when there are too many."""

from __future__ import annotations

import os
from pathlib import Path

from tabwarden.recording.folder import new_path, prune, traces_in


def written(path: Path, age: float) -> Path:
    path.write_bytes(b"x")
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_prune_deletes_the_oldest_incident_traces(tmp_path: Path) -> None:
    made = [
        written(new_path(tmp_path, "shop", "budget_exceeded"), age=number) for number in range(52)
    ]
    prune(tmp_path)
    assert traces_in(tmp_path) == made[:50]


def test_prune_deletes_only_incident_traces(tmp_path: Path) -> None:
    for number in range(50):
        written(new_path(tmp_path, "shop", "target_crashed"), age=number)
    kept = [
        written(new_path(tmp_path, "shop", "saved"), age=100),
        written(new_path(tmp_path, "shop", "saved"), age=101),
        written(new_path(tmp_path, "a-browser_gone", "saved"), age=102),
        written(new_path(tmp_path, "shop", "recorded"), age=103),
        written(tmp_path / "photos.zip", age=104),
        written(tmp_path / "20250101-120000-photos.zip", age=105),
        written(tmp_path / "mine-budget_exceeded.zip", age=106),
    ]
    prune(tmp_path)
    assert all(path.exists() for path in kept)
    assert len(traces_in(tmp_path)) == 57
