"""The doctor's checks of files, disk, leftovers, versions and clock, with real faults."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.doctor.examining import SECRET, Doctor
from support.login_proxy import login_proxy
from support.needs import lack

from tabwarden.config import BrowserConfig, Config
from tabwarden.surfaces.doctor import Patient
from tabwarden.surfaces.doctor.checks.own import judged
from tabwarden.surfaces.doctor.checks.packages import check_extras
from tabwarden.surfaces.requirements import unmet


def test_doctor_suggests_a_command_that_repairs_an_invalid_configuration_key(
    doctor: Doctor, file: Path
) -> None:
    file.write_text("browser:\n  headles: true\n  cdp_enabled: true\n")
    file.chmod(0o600)
    found = doctor.one("configuration")
    assert (found["status"], found["data"]["nearest"]) == ("problem", "headless")
    doctor.mend(found)
    assert file.read_text() == "browser:\n  cdp_enabled: true\n"
    assert doctor.one("configuration")["status"] == "ok"


def test_doctor_reports_an_invalid_variable_and_a_disabled_browser(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__ENABLED", "maybe")
    assert doctor.one("configuration")["command"] == "unset TABWARDEN_BROWSER__ENABLED"
    monkeypatch.setenv("TABWARDEN_BROWSER__ENABLED", "no")
    assert doctor.one("configuration")["status"] == "warning"


@pytest.mark.parametrize(
    ("mode", "text", "words"),
    [
        (0o644, f"server: {{token: {SECRET}}}", "secrets"),
        (0o644, "server: {token: [", "secrets"),  # who can tell
        (0o622, "browser: {}", "run programs as you"),
    ],
)
def test_doctor_suggests_a_command_that_restricts_a_world_readable_configuration(
    mode: int, text: str, words: str, doctor: Doctor, file: Path
) -> None:
    file.write_text(text)
    file.chmod(mode)
    found = doctor.one("files")
    assert found["status"] == "problem"
    assert words in found["message"]
    doctor.mend(found)
    assert doctor.one("files")["status"] == "ok"


def test_doctor_suggests_a_command_that_removes_a_world_readable_token(
    doctor: Doctor, tmp_path: Path
) -> None:
    token = tmp_path / "state/tabwarden/server.token"
    token.parent.mkdir(parents=True)
    token.write_text(SECRET)
    token.chmod(0o644)
    found = doctor.one("files")
    assert (found["status"], found["command"]) == ("problem", f"rm -f {token}")
    doctor.mend(found)
    assert doctor.one("files")["status"] == "ok"


def test_doctor_suggests_commands_that_repair_unusable_folders(
    doctor: Doctor, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "downloads").write_text("in the way")
    (tmp_path / "states").mkdir(mode=0o755)
    (tmp_path / "profiles/work").mkdir(parents=True, mode=0o755)
    file.write_text(
        json.dumps(
            {
                "browser": {
                    "upload_dir": str(tmp_path / "uploads"),
                    "download_dir": str(tmp_path / "downloads"),
                    "state_dir": str(tmp_path / "states"),
                    "profiles_dir": str(tmp_path / "profiles"),
                }
            }
        )
    )
    found = doctor.look("files")
    assert [one["status"] for one in found] == ["warning", "problem", "warning", "warning"]
    for one in found:
        doctor.mend(one)
    assert doctor.one("files")["status"] == "ok"


def test_doctor_reports_a_full_disk(
    doctor: Doctor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = folder / "full"
    full.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(full)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        lack("mount")
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(full))
        found = doctor.look("disk")
    finally:
        subprocess.run(["umount", str(full)], check=True)
    assert found[0]["status"] == "problem"
    assert "TMPDIR" in found[0]["command"]


@pytest.mark.long
def test_doctor_reports_leftovers_without_removing_them(
    doctor: Doctor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dies = (
        "import os; from tabwarden.endpoints.profiles import Scratch as S; S.create(); os._exit(0)"
    )
    there = {**os.environ, "TMPDIR": str(folder)}
    subprocess.run([sys.executable, "-c", dies], check=True, timeout=60, env=there)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    (left,) = folder.iterdir()
    found = doctor.one("leftovers")
    assert (found["status"], found["data"]["folder"]) == ("warning", str(left))
    assert left.exists()
    # A browser that outlived its owner: it holds its profile's lock, and responds there.
    profile = left / "profile"
    os.symlink(f"{socket.gethostname()}-{os.getpid()}", profile / "SingletonLock")
    with socket.socket(socket.AF_UNIX) as browser:
        browser.bind(str(profile / "SingletonSocket"))
        browser.listen()
        found = doctor.one("leftovers")
    assert found["command"] == f"kill {os.getpid()}"
    doctor.mend({"command": f"rm -r {left}"})
    assert doctor.one("leftovers")["status"] == "ok"


def test_doctor_finds_incompatible_package_versions(doctor: Doctor) -> None:
    assert doctor.one("versions")["status"] == "ok"
    wrong = unmet(["pydantic>=999", "no-such-thing-at-all", "click>=8", "x>1; python_version<'3'"])
    assert [(one.name, found != "") for one, found in wrong] == [
        ("pydantic", True), ("no-such-thing-at-all", False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("configured", "declared", "status", "says"),
    [
        ({}, "no-such-thing>=2; extra == 'fleet'", "ok", "by the configuration: fleet."),
        ({"endpoint": "fleet:auto"}, "no-such-thing>=2; extra == 'fleet'", "problem", "endpoint"),
        ({"record_video": "/v.webm"}, 'no-such-thing; extra == "video"', "problem", "record_video"),
        ({}, "pydantic>=999; extra == 'mcp'", "warning", "tabwarden mcp"),
        ({"endpoint": "fleet:auto"}, "pydantic>=2; extra == 'fleet'", "ok", "Installed: fleet."),
    ],
)
def test_doctor_reports_a_missing_extra_only_if_the_configuration_needs_it(
    configured: dict[str, str], declared: str, status: str, says: str
) -> None:
    patient = Patient(Path("/nowhere"), Config(browser=BrowserConfig(**configured)))
    (found,) = check_extras(patient, [declared, "click>=8"])
    assert (found.status, says in found.message) == (status, True), found
    assert bool(found.command) == (status != "ok")
    assert ("no-such-thing" in found.command) == (status == "problem")


def test_doctor_lists_the_extras_of_the_installation(doctor: Doctor) -> None:
    found = doctor.one("extras")
    assert {"mcp", "serve", "fleet", "video"} <= found["data"].keys()
    assert found["data"]["mcp"] == "installed"


def test_doctor_reports_a_clock_before_the_installation_date() -> None:
    assert judged(1_000_000_000.0, 1_700_000_000.0).status == "problem"
    assert judged(1_700_000_000.0, 1_700_000_030.0).status == "ok"


@pytest.mark.long
def test_doctor_suggests_commands_that_remove_broken_launch_options(
    doctor: Doctor, file: Path, tmp_path: Path
) -> None:
    assert doctor.one("launching")["status"] == "skipped"
    (tmp_path / "ca.pem").write_text(SECRET)
    (tmp_path / "empty").mkdir()
    options = {
        "ca": str(tmp_path / "ca.pem"),
        "extensions": [str(tmp_path / "empty")],
        "device": "iPhone 155",
        "locale": "de-DE",
    }
    file.write_text(json.dumps({"browser": options}))
    found = doctor.look("launching")
    assert [(one["status"], one["command"].rpartition(".")[2]) for one in found] == [
        ("problem", "extensions"), ("problem", "device"), ("problem", "ca")
    ]  # fmt: skip
    assert "iPhone 15" in found[1]["message"]
    os.environ["TABWARDEN_CONFIG"] = str(file)
    try:
        for one in found:
            doctor.mend(one)
    finally:
        del os.environ["TABWARDEN_CONFIG"]
    assert doctor.one("launching") | {"data": {}} == {
        "check": "launching", "status": "ok", "command": "", "data": {},
        "message": "The launch options work: locale.",
    }  # fmt: skip


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_doctor_checks_the_proxy_and_its_login(scheme: str, doctor: Doctor, file: Path) -> None:
    def told(login: str, port: int) -> dict[str, Any]:
        file.write_text(json.dumps({"browser": {"proxy": f"{scheme}://{login}@127.0.0.1:{port}"}}))
        return doctor.one("launching")

    with login_proxy(f"ann:{SECRET}") as proxy:
        wrong = told(f"bob:{SECRET}", proxy.port)
        assert wrong["status"] == ("problem" if scheme == "http" else "warning")
        assert "login" in wrong["message"]
        assert told(f"ann:{SECRET}", proxy.port)["status"] == "ok"
    silent = told("ann:x", proxy.port)
    assert (silent["status"], "can't be reached" in silent["message"]) == ("problem", True)
