"""The registry of the user's servers."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tabwarden.surfaces.live import registry
from tabwarden.surfaces.live.registry import Server, registered, servers


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "registry_folder", lambda: tmp_path / "live")
    return tmp_path / "live"


def server(pid: int) -> Server:
    return Server(id="ab", title="port 1", url="http://127.0.0.1:1", key="secret", pid=pid)


@pytest.mark.threat
def test_server_registry_lists_a_running_server_for_its_user_only(folder: Path) -> None:
    with registered(server(os.getpid())):
        assert servers() == [server(os.getpid())]
        modes = [stat.S_IMODE(one.stat().st_mode) for one in (folder, *folder.iterdir())]
        assert modes == [0o700, 0o600]
    assert servers() == []


def test_server_registry_removes_a_crashed_server(folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    with registered(server(gone.pid)):
        (folder / "broken.json").write_text("{")
        assert servers() == []
        assert [one.name for one in folder.iterdir()] == ["broken.json"]
