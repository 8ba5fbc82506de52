"""A session that a module's tests share, and one that a test is allowed to break."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import Shell, shell


@pytest.fixture(scope="module")
def shared_shell() -> Iterator[Shell]:
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        shell(Path(folder)) as made,
    ):
        made.ok("open")
        yield made


@pytest.fixture
def own_shell(folder: Path) -> Iterator[Shell]:
    with shell(folder) as made:
        yield made
