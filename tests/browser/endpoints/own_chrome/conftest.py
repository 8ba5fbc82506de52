"""A home folder without browsers, and a person's browser in that home."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.home import Home

from tabwarden.endpoints.finding import offers
from tabwarden.endpoints.own_chrome import debug_chrome


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, browser_path: Path) -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="twh", dir="/tmp"))
    for name, below in (("HOME", ""), ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", "data")):
        monkeypatch.setenv(name, str(folder / below))
    # Another program on this machine may use the default port.
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setattr(offers, "DEBUGGING_PORT", port)
    monkeypatch.setattr(debug_chrome, "DEBUGGING_PORT", port)
    yield Home(folder, browser_path)
    shutil.rmtree(folder, ignore_errors=True)
