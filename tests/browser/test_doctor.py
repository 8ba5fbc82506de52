"""``tabwarden doctor``: each check fails for real, names the command, and that command mends it."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from browser.http.client import serving
from click.testing import CliRunner

from tabwarden.budget import Budget
from tabwarden.config import Config
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.doctor import CHECKS, Finding, Patient, examine
from tabwarden.surfaces.doctor.checks.clock import judged
from tabwarden.surfaces.doctor.checks.sandbox import namespaces_fail
from tabwarden.surfaces.doctor.checks.versions import unmet
from tabwarden.sync import Browser

SECRET = "hunter2Hunter2hunter2"


@pytest.fixture(autouse=True)
def _a_quiet_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [*os.environ]:
        ours = name.startswith("TABWARDEN_") and name != "TABWARDEN_CHROME"
        if ours or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for kind in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


class Doctor:
    """The command, and what it said last."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def look(self, *checks: str, status: int | None = None) -> list[dict[str, Any]]:
        """The findings of these checks."""
        only = [part for name in checks for part in ("--only", name)]
        named = ["--config", str(self.file)] if self.file.exists() else []
        result = CliRunner().invoke(main, ["doctor", "--json", *only, *named])
        assert SECRET not in result.output
        told = json.loads(result.output)
        assert result.exit_code == (1 if told["status"] == "problem" else 0)
        found: list[dict[str, Any]] = told["checks"]
        return found

    def one(self, check: str) -> dict[str, Any]:
        """The only finding of a check."""
        (found,) = self.look(check)
        return found

    def mend(self, found: dict[str, Any]) -> None:
        """Type what it says."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        subprocess.run(
            found["command"], shell=True, check=True, env={**os.environ, "PATH": path},
            capture_output=True, timeout=60,
        )  # fmt: skip


@pytest.fixture
def doctor(file: Path) -> Doctor:
    return Doctor(file)


# -- all together ----------------------------------------------------------------------------


def test_the_command_tells_every_check_and_changes_nothing(tmp_path: Path) -> None:
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
    # Chromium keeps something of its own (dconf) in the user's folders; we nothing.
    assert [path for path in tmp_path.rglob("*") if "tabwarden" in path.name] == []


def test_a_check_that_hangs_and_one_that_fails_hide_no_other() -> None:
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


def test_a_check_that_blocks_its_thread_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    release = threading.Event()
    monkeypatch.setattr(Path, "is_file", lambda path: release.wait())  # a dead network drive
    patient = Patient(tmp_path / "config.yaml", Config())
    found = asyncio.run(examine(patient, timeout_ms=300, only=["files"]))
    release.set()
    assert "300 ms" in found[0].message


def test_an_unknown_check_is_told_with_the_nearest() -> None:
    result = CliRunner().invoke(main, ["doctor", "--only", "brwser"])
    assert result.exit_code == 2
    assert "browser" in result.output


# -- configuration, files --------------------------------------------------------------------


def test_a_wrong_configuration_is_mended_key_by_key(doctor: Doctor, file: Path) -> None:
    file.write_text("browser:\n  headles: true\n  cdp_enabled: true\n")
    file.chmod(0o600)
    found = doctor.one("configuration")
    assert (found["status"], found["data"]["nearest"]) == ("problem", "headless")
    doctor.mend(found)
    assert file.read_text() == "browser:\n  cdp_enabled: true\n"
    assert doctor.one("configuration")["status"] == "ok"


def test_a_wrong_variable_and_what_is_switched_off_are_told(
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
        (0o622, "browser: {}", "choose what is started"),
    ],
)
def test_a_configuration_that_others_reach_is_mended(
    mode: int, text: str, words: str, doctor: Doctor, file: Path
) -> None:
    file.write_text(text)
    file.chmod(mode)
    found = doctor.one("files")
    assert found["status"] == "problem"
    assert words in found["message"]
    doctor.mend(found)
    assert doctor.one("files")["status"] == "ok"


def test_a_token_that_others_can_read_is_mended(doctor: Doctor, tmp_path: Path) -> None:
    token = tmp_path / "state/tabwarden/server.token"
    token.parent.mkdir(parents=True)
    token.write_text(SECRET)
    token.chmod(0o644)
    found = doctor.one("files")
    assert (found["status"], found["command"]) == ("problem", f"rm -f {token}")
    doctor.mend(found)
    assert doctor.one("files")["status"] == "ok"


def test_folders_that_do_not_serve_are_mended(doctor: Doctor, file: Path, tmp_path: Path) -> None:
    (tmp_path / "downloads").write_text("in the way")
    (tmp_path / "states").mkdir(mode=0o755)
    file.write_text(
        json.dumps(
            {
                "browser": {
                    "upload_dir": str(tmp_path / "uploads"),
                    "download_dir": str(tmp_path / "downloads"),
                    "state_dir": str(tmp_path / "states"),
                }
            }
        )
    )
    found = doctor.look("files")
    assert [one["status"] for one in found] == ["warning", "problem", "warning"]
    for one in found:
        doctor.mend(one)
    assert doctor.one("files")["status"] == "ok"


# -- browser, profile, sandbox ---------------------------------------------------------------


def test_a_browser_that_is_not_there_or_none_is_told(
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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is a display")
def test_a_window_without_a_display_is_told(
    doctor: Doctor, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    file.write_text("browser: {headless: false}")
    assert "headless true" in doctor.one("browser")["command"]


def test_a_profile_in_use_is_told_with_who_uses_it(
    doctor: Doctor, file: Path, folder: Path
) -> None:
    file.write_text(json.dumps({"browser": {"user_data_dir": str(folder / "profile")}}))
    assert doctor.one("profile")["status"] == "ok"
    with Browser.launch(user_data_dir=folder / "profile"):
        found = doctor.one("profile")
        # A headless shell takes no lock: nothing keeps a second one away.
        assert found["status"] in {"problem", "warning"}
        assert found["command"] == f"kill {found['data']['pid']}"
        assert re.search("chrom|headless", found["data"]["program"])
    assert doctor.one("profile")["status"] == "ok"
    os.symlink("elsewhere.example-77", folder / "profile/SingletonLock")
    found = doctor.one("profile")
    assert "elsewhere.example" in found["message"]
    doctor.mend(found)
    assert doctor.one("profile")["status"] == "ok"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux' sandbox")
def test_a_sandbox_without_namespaces_is_found_by_trying() -> None:
    none = "echo 0 > /proc/sys/user/max_user_namespaces"
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c"]
    if subprocess.run([*inside, none], capture_output=True, check=False).returncode:
        pytest.skip("this system gives no namespaces at all")
    assert namespaces_fail() == ""
    look = "from tabwarden.surfaces.doctor.checks.sandbox import namespaces_fail as f; print(f())"
    told = subprocess.run(
        [*inside, f'{none} && exec "$0" -c "{look}"', sys.executable],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert told.stdout.strip() == os.strerror(errno.ENOSPC)


def test_root_has_no_sandbox(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    found = doctor.look("sandbox")[0]
    assert (found["status"], found["data"]["root"]) == ("warning", True)


# -- endpoint, server, proxies ---------------------------------------------------------------


@pytest.fixture
def stub() -> Iterator[Callable[[str], tuple[int, list[str]]]]:
    """Servers that write down what they are asked for, with all headers, and answer 404."""
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
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_port, asked

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        (f"http://user:{SECRET}@127.0.0.1:PORT/?token={SECRET}", "127.0.0.1"),
        (f"ws://127.0.0.1:PORT/?token={SECRET}", "127.0.0.1"),
        (f"wss://127.0.0.2:PORT/?token={SECRET}", "127.0.0.2"),
        ("stele:", "steel:"),
        ("steel:?nonsense=1", "nonsense"),
        ("ftp://h", "scheme"),
    ],
)
def test_a_dead_endpoint_is_told(endpoint: str, words: str, doctor: Doctor, file: Path) -> None:
    endpoint = endpoint.replace("PORT", str(closed_port()))
    file.write_text(json.dumps({"browser": {"endpoint": endpoint}}))
    found = doctor.one("endpoint")
    assert (found["status"], found["command"]) == (
        "problem", "tabwarden config unset browser.endpoint"
    )  # fmt: skip
    assert words in found["message"]


def test_a_browser_that_runs_is_asked_and_left(doctor: Doctor, file: Path, port: int) -> None:
    file.write_text(f"browser: {{endpoint: {port}}}")
    for _ in range(2):
        found = doctor.one("endpoint")
        assert found["status"] == "ok"
        assert "Chrome/" in found["data"]["product"]


def test_a_hosted_browser_is_not_created_and_its_key_not_shown_to_anybody(
    doctor: Doctor,
    file: Path,
    stub: Callable[[str], tuple[int, list[str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file.write_text("browser: {endpoint: 'steel:'}")
    monkeypatch.delenv("STEEL_API_KEY", raising=False)
    assert doctor.one("endpoint")["command"] == "export STEEL_API_KEY=…"
    monkeypatch.setenv("STEEL_API_KEY", SECRET)
    port, asked = stub("127.0.0.1")
    monkeypatch.setenv("STEEL_BASE_URL", f"http://127.0.0.1:{port}/v1")
    assert doctor.one("endpoint")["status"] == "ok"
    other_port, other_asked = stub("127.0.0.2")
    file.write_text(f"browser: {{endpoint: 'ws://u:{SECRET}@127.0.0.2:{other_port}/?t={SECRET}'}}")
    assert doctor.one("endpoint")["status"] == "ok"
    for requests in (asked, other_asked):
        assert [request.splitlines()[0] for request in requests] == ["GET / HTTP/1.1"]
        assert SECRET not in str(requests)
        assert "uthorization" not in str(requests)


def test_the_servers_port_is_free_ours_or_anothers(doctor: Doctor, file: Path) -> None:
    file.write_text(f"server: {{port: {closed_port()}}}")
    assert "free" in doctor.one("server")["message"]
    with serving() as server:
        file.write_text(f"server: {{port: {server.port}}}")
        found = doctor.one("server")
        assert (found["status"], "is running" in found["message"]) == ("ok", True)


def test_a_port_that_another_has_is_mended_and_no_token_is_shown_to_it(
    doctor: Doctor, file: Path, stub: Callable[[str], tuple[int, list[str]]]
) -> None:
    port, asked = stub("127.0.0.1")
    file.write_text(f"server: {{port: {port}, token: {SECRET}}}")
    found = doctor.one("server")
    assert found["status"] == "problem"
    assert SECRET not in str(asked)
    assert len(asked) == 1
    os.environ["TABWARDEN_CONFIG"] = str(file)
    try:
        doctor.mend(found)
    finally:
        del os.environ["TABWARDEN_CONFIG"]
    assert doctor.one("server")["status"] == "ok"


@pytest.mark.parametrize(
    ("host", "status"), [("192.0.2.1", "problem"), ("a b", "problem"), ("0.0.0.0", "warning")]
)
def test_a_host_that_is_not_this_machine_or_open_to_all_is_told(
    host: str, status: str, doctor: Doctor, file: Path
) -> None:
    file.write_text(json.dumps({"server": {"host": host, "port": 0}}))
    found = doctor.one("server")
    assert (found["status"], found["command"]) == (status, "tabwarden config unset server.host")


@pytest.mark.parametrize(
    ("name", "proxy", "exempt", "status", "words"),
    [
        (
            "http_proxy",
            f"http://u:{SECRET}@proxy.example:3128",
            "",
            "warning",
            "proxy.example:3128",
        ),
        ("HTTP_PROXY", "proxy.example:3128", "localhost,127.0.0.1", "ok", "does not catch"),
        ("ALL_PROXY", f"socks5://u:{SECRET}@h:1", "*", "ok", "h:1"),
        ("https_proxy", f"http://{SECRET}:x:y", "", "problem", "HTTPS_PROXY"),
        ("http_proxy", "ftp://h", "", "problem", "HTTP_PROXY"),
    ],
)
def test_a_proxy_that_catches_this_machine_is_told(
    name: str,
    proxy: str,
    exempt: str,
    status: str,
    words: str,
    doctor: Doctor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(name, proxy)
    monkeypatch.setenv("no_proxy", exempt)
    found = doctor.one("proxies")
    assert found["status"] == status
    assert words in found["message"]


def test_a_proxy_before_the_endpoint_is_told(
    doctor: Doctor, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(f"browser: {{endpoint: 'wss://hosted.example/?token={SECRET}'}}")
    monkeypatch.setenv("https_proxy", "http://proxy.example:1")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    found = doctor.one("proxies")
    assert (found["status"], "hosted.example" in found["command"]) == ("warning", True)


# -- disk, leftovers, versions, clock --------------------------------------------------------


def test_a_full_disk_is_told(doctor: Doctor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = folder / "full"
    full.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(full)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount")
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(full))
        found = doctor.look("disk")
    finally:
        subprocess.run(["umount", str(full)], check=True)
    assert found[0]["status"] == "problem"
    assert "TMPDIR" in found[0]["command"]


def test_what_was_left_behind_is_told_and_not_touched(
    doctor: Doctor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dies = (
        "import os; from tabwarden.endpoints.scratch import Scratch as S; S.create(); os._exit(0)"
    )
    there = {**os.environ, "TMPDIR": str(folder)}
    subprocess.run([sys.executable, "-c", dies], check=True, timeout=60, env=there)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    (left,) = folder.iterdir()
    found = doctor.one("leftovers")
    assert (found["status"], found["data"]["folder"]) == ("warning", str(left))
    assert left.exists()
    # A browser that outlived its owner: it holds its profile's lock, and answers there.
    profile = left / "profile"
    os.symlink(f"{socket.gethostname()}-{os.getpid()}", profile / "SingletonLock")
    with socket.socket(socket.AF_UNIX) as browser:
        browser.bind(str(profile / "SingletonSocket"))
        browser.listen()
        found = doctor.one("leftovers")
    assert found["command"] == f"kill {os.getpid()}"
    doctor.mend({"command": f"rm -r {left}"})
    assert doctor.one("leftovers")["status"] == "ok"


def test_versions_that_do_not_fit_are_told(doctor: Doctor) -> None:
    assert doctor.one("versions")["status"] == "ok"
    wrong = unmet(["pydantic>=999", "no-such-thing-at-all", "click>=8", "x>1; python_version<'3'"])
    assert [(one.name, found != "") for one, found in wrong] == [
        ("pydantic", True), ("no-such-thing-at-all", False)
    ]  # fmt: skip


def test_a_clock_before_the_installation_is_wrong() -> None:
    assert judged(1_000_000_000.0, 1_700_000_000.0).status == "problem"
    assert judged(1_700_000_000.0, 1_700_000_030.0).status == "ok"
