"""Fixtures for tests that start real browsers."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose


@pytest.fixture(scope="session")
def browser_path() -> Path:
    """A working browser of this system."""
    return asyncio.run(choose(Budget(30_000))).path


@pytest.fixture(autouse=True)
def temporary_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The test's own temporary folder, in which Tabwarden must leave nothing."""
    tmp_path_factory.getbasetemp()  # pytest's own temporary folder stays where it is
    folder = Path(tempfile.mkdtemp(prefix="tw-test-", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    left = list(folder.glob("tabwarden-*"))
    shutil.rmtree(folder)
    assert left == []
