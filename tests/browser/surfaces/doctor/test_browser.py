"""The doctor's checks of the browser, its profile and its sandbox."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser.endpoints.processes import make_program
from browser.surfaces.doctor.examining import Doctor
from support.needs import lack, needs

from tabwarden.endpoints.install import install
from tabwarden.surfaces.doctor.checks.browsers import namespaces_fail
from tabwarden.sync import Browser


def test_doctor_reports_an_invalid_executable_and_invalid_variables(
    doctor: Doctor, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("browser: {executable: /bin/true}")
    found = doctor.one("browser")
    assert found["status"] == "problem"
    assert found["command"] == "tabwarden config unset browser.executable"
    file.write_text("browser: {endpoint: 9222}")
    monkeypatch.setenv("TABWARDEN_CHROME", "/nowhere/chrome")
    found = doctor.one("browser")
    assert (found["status"], found["command"]) == ("warning", "unset TABWARDEN_CHROME")
    monkeypatch.delenv("TABWARDEN_CHROME")
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "maybe")
    found = doctor.one("browser")
    assert (found["status"], found["command"]) == ("warning", "unset TABWARDEN_ONLY_INSTALLED")


@needs("posix")
@pytest.mark.long
def test_doctor_reports_that_tabwarden_only_installed_excludes_browsers(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser_path = Path(doctor.one("browser")["data"]["path"])
    (tmp_path / "bin").mkdir()
    make_program(tmp_path / "bin" / "brave", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "1")
    monkeypatch.delenv("TABWARDEN_CHROME", raising=False)
    monkeypatch.setenv("TABWARDEN_BROWSERS_PATH", str(tmp_path / "none"))
    found = doctor.one("browser")
    assert found["status"] == "problem"
    assert "TABWARDEN_ONLY_INSTALLED is set" in found["message"]
    assert found["command"] == "tabwarden browsers install"
    asyncio.run(install(from_file=browser_path))
    found = doctor.one("browser")
    assert found["status"] == "ok"
    assert "TABWARDEN_ONLY_INSTALLED is set" in found["message"]


def test_doctor_reports_whether_the_browser_supports_page_tools(doctor: Doctor, file: Path) -> None:
    assert doctor.one("page_tools")["status"] == "ok"
    file.write_text("browser: {executable: /bin/true}")
    assert "No browser could be started" in doctor.one("page_tools")["message"]
    file.write_text("browser: {page_tools: false}")
    assert doctor.one("page_tools")["status"] == "skipped"


@needs("linux")
def test_doctor_reports_a_headed_browser_without_a_display(
    doctor: Doctor, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    file.write_text("browser: {headless: false}")
    assert "headless true" in doctor.one("browser")["command"]


def test_doctor_identifies_the_process_that_uses_the_profile(
    doctor: Doctor, file: Path, folder: Path
) -> None:
    file.write_text(json.dumps({"browser": {"user_data_dir": str(folder / "profile")}}))
    assert doctor.one("profile")["status"] == "ok"
    with Browser.launch(user_data_dir=folder / "profile"):
        found = doctor.one("profile")
        # A headless shell takes no lock, so a second one can start.
        assert found["status"] in {"problem", "warning"}
        assert found["command"] == f"kill {found['data']['pid']}"
        assert re.search("chrom|headless", found["data"]["program"])
    assert doctor.one("profile")["status"] == "ok"
    os.symlink("elsewhere.example-77", folder / "profile/SingletonLock")
    found = doctor.one("profile")
    assert "elsewhere.example" in found["message"]
    doctor.mend(found)
    assert doctor.one("profile")["status"] == "ok"


@needs("linux")
@pytest.mark.long
def test_doctor_detects_that_user_namespaces_are_unavailable() -> None:
    none = "echo 0 > /proc/sys/user/max_user_namespaces"
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c"]
    if subprocess.run([*inside, none], capture_output=True, check=False).returncode:
        lack("namespaces")
    assert namespaces_fail() == ""
    look = "from tabwarden.surfaces.doctor.checks.browsers import namespaces_fail as f; print(f())"
    told = subprocess.run(
        [*inside, f'{none} && exec "$0" -c "{look}"', sys.executable],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert told.stdout.strip() == os.strerror(errno.ENOSPC)


def test_doctor_warns_that_root_has_no_sandbox(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    found = doctor.look("sandbox")[0]
    assert (found["status"], found["data"]["root"]) == ("warning", True)
