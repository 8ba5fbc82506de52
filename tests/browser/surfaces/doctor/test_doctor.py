"""The doctor runs all checks concurrently, whatever one of them does."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from browser.surfaces.doctor.examining import SECRET
from click.testing import CliRunner

from tabwarden.budget import Budget
from tabwarden.config import Config
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.doctor import CHECKS, Finding, Patient, examine


def test_doctor_command_prints_every_check_and_leaves_no_files(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    done = subprocess.run(
        [Path(sys.executable).with_name("tabwarden"), "doctor"],
        capture_output=True, text=True, timeout=100, check=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    for name in CHECKS:
        assert f" {name} " in done.stdout
    assert "starts: /" in done.stdout
    assert "\x1b" not in done.stdout
    assert list(temporary.iterdir()) == []
    # Chromium writes its own files (dconf) to the user's folders; we write none.
    assert [path for path in tmp_path.rglob("*") if "tabwarden" in path.name] == []


def test_doctor_reports_hung_and_failed_checks_beside_the_others() -> None:
    async def hangs(patient: Patient, budget: Budget) -> list[Finding]:
        await asyncio.Event().wait()
        return []

    async def fails(patient: Patient, budget: Budget) -> list[Finding]:
        raise LookupError(SECRET)

    checks = {"hangs": hangs, "fails": fails, "clock": CHECKS["clock"]}
    patient = Patient(Path("/nowhere"), Config())
    found = asyncio.run(examine(patient, timeout_ms=1_000, checks=checks))
    assert [one.status for one in found] == ["problem", "problem", "ok"]
    assert "1,000 ms" in found[0].message
    assert "LookupError" in found[1].message
    assert SECRET not in found[1].message


def test_doctor_does_not_wait_for_a_check_that_blocks_its_thread(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    release = threading.Event()
    monkeypatch.setattr(os.path, "isfile", lambda path: release.wait())  # a dead network drive
    patient = Patient(tmp_path / "config.yaml", Config())
    found = asyncio.run(examine(patient, timeout_ms=300, only=["files"]))
    release.set()
    assert "300 ms" in found[0].message


@pytest.mark.parametrize("check", ["server", "endpoint"])
def test_doctor_does_not_wait_for_an_unresponsive_dns_resolver(
    check: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("server: {host: h.example}\nbrowser: {endpoint: 'http://h.example:1'}")
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait() and [])
    arguments = ["doctor", "--only", check, "--timeout-ms", "700", "--config", str(file)]
    result = CliRunner().invoke(main, arguments)
    release.set()
    assert result.exit_code == 1
    assert "problem" in result.output


def test_doctor_error_for_an_unknown_check_suggests_the_closest_name() -> None:
    result = CliRunner().invoke(main, ["doctor", "--only", "brwser"])
    assert result.exit_code == 2
    assert "browser" in result.output
