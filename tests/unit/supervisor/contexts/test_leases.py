"""Leases of browser contexts: held while their owner lives, abandoned afterwards."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tabwarden.supervisor.contexts import leases
from tabwarden.supervisor.contexts.leases import Lease

CONTEXT = "3D28C63848E02F7ED9C2CD7E24C4A60B"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(leases, "_folder", lambda: tmp_path / "contexts")
    return tmp_path / "contexts"


def taken(age_s: float = 60) -> Lease:
    lease = Lease.take(CONTEXT)
    assert lease is not None
    os.utime(leases._folder() / CONTEXT, (time.time() - age_s,) * 2)
    return lease


def test_context_lease_is_held_until_it_ends_and_leaves_no_file(folder: Path) -> None:
    lease = taken()
    assert leases.is_held(CONTEXT)
    assert leases.abandoned() == []
    lease.end()
    assert not leases.is_held(CONTEXT)
    assert list(folder.iterdir()) == []


def test_released_context_counts_as_abandoned_until_it_is_forgotten() -> None:
    taken().leave()
    assert not leases.is_held(CONTEXT)
    assert leases.abandoned() == [CONTEXT]
    leases.forget(CONTEXT)
    assert leases.abandoned() == []


@pytest.mark.parametrize(("age_s", "stays"), [(0, True), (8 * 24 * 3600, False)])
def test_lease_cleanup_skips_a_fresh_lease_and_removes_an_expired_lease(
    folder: Path, age_s: float, stays: bool
) -> None:
    taken(age_s).leave()
    assert leases.abandoned() == []
    assert (folder / CONTEXT).exists() is stays


@pytest.mark.parametrize(
    "name",
    ["../../elsewhere", "/etc/passwd-like", "", "a b c d e f g", "..", "good-one/../../elsewhere"],
)
@pytest.mark.threat
def test_context_id_cannot_create_a_lease_file_outside_the_folder(
    tmp_path: Path, name: str
) -> None:
    assert Lease.take(name) is None
    assert not leases.is_held(name)
    leases.forget(name)
    assert list(tmp_path.rglob("*")) == []


def test_lease_is_not_acquired_if_its_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "contexts").write_text("in the way")
    assert Lease.take(CONTEXT) is None
    assert leases.abandoned() == []


def test_lease_files_are_private_to_the_user(folder: Path) -> None:
    taken()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / CONTEXT).stat().st_mode & 0o777 == 0o600
