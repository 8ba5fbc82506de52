"""The doctor's checks of daemons, with real daemons."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser.surfaces.doctor.examining import Doctor

from tabwarden.surfaces.doctor.checks import own


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tw-") as folder:  # a socket path must be short
        monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", folder)
        yield Path(folder)


@contextmanager
def daemon(session: str) -> Iterator[subprocess.Popen[bytes]]:
    """A listening daemon."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tabwarden.surfaces.daemon", session],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            assert process.stdout.readline() == b'{"ready": true}\n'
            yield process
        finally:
            process.kill()


@pytest.mark.long
def test_doctor_reports_live_outdated_unresponsive_and_dead_daemons(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doctor.one("daemons")["message"] == "No daemon is running."
    with daemon("one") as process:
        found = doctor.one("daemons")
        assert (found["status"], found["data"]["pid"]) == ("ok", process.pid)
        with monkeypatch.context() as patch:
            patch.setattr(own, "table", lambda: {"build": "0.0.0 another"})
            found = doctor.one("daemons")
        assert (found["status"], found["data"]["open"]) == ("warning", False)
        assert "0.0.0 another" in found["message"]
        os.kill(process.pid, signal.SIGSTOP)
        found = doctor.one("daemons")
        assert (found["status"], found["data"]["pid"]) == ("problem", process.pid)
        process.kill()
        process.wait()
        found = doctor.one("daemons")
        assert (found["status"], found["data"]) == ("warning", {"session": "one"})
        assert found["command"] == "tabwarden daemon stop --session one"
        doctor.mend(found)
    assert doctor.one("daemons")["message"] == "No daemon is running."


def test_doctor_reports_a_runtime_path_that_is_not_a_folder(doctor: Doctor, runtime: Path) -> None:
    runtime.rmdir()
    runtime.write_text("no folder")
    try:
        found = doctor.one("daemons")
        assert found["status"] == "problem"
        assert "TABWARDEN_RUNTIME_DIR" in found["command"]
    finally:
        runtime.unlink()
        runtime.mkdir()
