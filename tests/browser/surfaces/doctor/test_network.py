"""The doctor's checks of endpoint, port and proxies, which send no keys."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from browser.surfaces.doctor.examining import SECRET, Doctor
from browser.surfaces.http.client import serving


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
def test_doctor_reports_a_dead_endpoint(
    endpoint: str, words: str, doctor: Doctor, file: Path
) -> None:
    endpoint = endpoint.replace("PORT", str(closed_port()))
    file.write_text(json.dumps({"browser": {"endpoint": endpoint}}))
    found = doctor.one("endpoint")
    assert (found["status"], found["command"]) == (
        "problem", "tabwarden config unset browser.endpoint"
    )  # fmt: skip
    assert words in found["message"]


def test_doctor_checks_a_running_browser_without_closing_it(
    doctor: Doctor, file: Path, port: int
) -> None:
    file.write_text(f"browser: {{endpoint: {port}}}")
    for _ in range(2):
        found = doctor.one("endpoint")
        assert found["status"] == "ok"
        assert "Chrome/" in found["data"]["product"]


def test_doctor_creates_no_hosted_session_and_sends_no_api_key(
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


@pytest.mark.long
def test_doctor_reports_whether_the_server_port_is_free_or_used_by_tabwarden(
    doctor: Doctor, file: Path
) -> None:
    file.write_text(f"server: {{port: {closed_port()}}}")
    assert "free" in doctor.one("server")["message"]
    with serving() as server:
        file.write_text(f"server: {{port: {server.port}}}")
        found = doctor.one("server")
        assert (found["status"], "is running" in found["message"]) == ("ok", True)


def test_doctor_sends_no_token_to_another_program_on_the_server_port(
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
def test_doctor_reports_a_foreign_or_public_server_host(
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
        (
            "HTTP_PROXY",
            "proxy.example:3128",
            "localhost,127.0.0.1",
            "ok",
            "does not affect connections",
        ),
        ("ALL_PROXY", f"socks5://u:{SECRET}@h:1", "*", "ok", "h:1"),
        ("https_proxy", f"http://{SECRET}:x:y", "", "problem", "HTTPS_PROXY"),
        ("http_proxy", "ftp://h", "", "problem", "HTTP_PROXY"),
    ],
)
def test_doctor_reports_a_proxy_that_intercepts_local_requests(
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


def test_doctor_warns_about_a_proxy_in_front_of_the_endpoint(
    doctor: Doctor, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(f"browser: {{endpoint: 'wss://hosted.example/?token={SECRET}'}}")
    monkeypatch.setenv("https_proxy", "http://proxy.example:1")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    found = doctor.one("proxies")
    assert (found["status"], "hosted.example" in found["command"]) == ("warning", True)
