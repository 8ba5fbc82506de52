"""A clean environment for the doctor, and servers that record their requests."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser.surfaces.doctor.examining import Doctor

from tabwarden.endpoints.finding import browsers_folder

BROWSER_VARIABLES = {"TABWARDEN_CHROME", "TABWARDEN_BROWSERS_PATH", "TABWARDEN_ONLY_INSTALLED"}


@pytest.fixture(autouse=True)
def _a_quiet_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # As in a shell with this environment activated: `tabwarden` is a command.
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.delenv("UV_RUN_RECURSION_DEPTH", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name in [*os.environ]:
        ours = name.startswith("TABWARDEN_") and name not in BROWSER_VARIABLES
        if ours or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    # Of this user's files, the tests need only the browser.
    monkeypatch.setenv("TABWARDEN_BROWSERS_PATH", str(browsers_folder()))
    for kind in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(tmp_path / "run"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


@pytest.fixture
def doctor(file: Path) -> Doctor:
    return Doctor(file)


@pytest.fixture
def stub() -> Iterator[Callable[[str], tuple[int, list[str]]]]:
    """Servers that record each request with all headers, and return 404."""
    started: list[ThreadingHTTPServer] = []

    def start(address: str) -> tuple[int, list[str]]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(f"{self.requestline}\n{self.headers}")
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer((address, 0), Handler)
        started.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server.server_port, asked

    yield start
    for server in started:
        server.shutdown()
        server.server_close()
