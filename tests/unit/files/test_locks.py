"""The lock on an open file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tabwarden.files.locks import try_lock


def test_only_one_caller_gets_the_lock_and_others_can_still_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = os.open(path, os.O_CREAT | os.O_RDWR)
    assert try_lock(first)
    os.write(first, b"who has it")
    second = os.open(path, os.O_RDWR)
    try:
        assert not try_lock(second)
        assert path.read_bytes() == b"who has it"
        os.close(first)
        assert try_lock(second)
    finally:
        os.close(second)


def test_file_locks_do_not_import_the_engine() -> None:
    look = "import sys, tabwarden.surfaces.daemon.locks; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert imported.isdisjoint({"asyncio", "logging", "tabwarden.endpoints", "tabwarden.config"})
