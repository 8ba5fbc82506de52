"""docs/security.md: each row lists existing, marked tests, and each marked test is in a row."""

from __future__ import annotations

import ast
import json
import re
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.needs import needs, uv
from support.threats import threats

ROOT = Path(__file__).parents[2]
UV = uv()


def marked() -> set[str]:
    """Every test with ``@pytest.mark.threat``."""
    return {
        f"{path.relative_to(ROOT).as_posix()}::{one.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "pytest.mark.threat" in (text := path.read_text("utf-8"))
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(ast.unparse(mark) == "pytest.mark.threat" for mark in one.decorator_list)
    }


def test_security_page_lists_exactly_the_tests_with_the_threat_marker() -> None:
    found = threats()
    assert len(found) > 40
    assert [threat for threat, tests in found.items() if not tests] == []
    assert marked() == set().union(*found.values())


@pytest.mark.threat
def test_every_locked_package_file_has_a_hash() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
    files = [
        (package["name"], file)
        for package in lock["package"]
        if "registry" in package["source"]
        for file in [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
    ]
    assert len(files) > 100
    pinned = re.compile(r"sha256:[0-9a-f]{64}")
    assert [name for name, file in files if not pinned.fullmatch(file.get("hash", ""))] == []
    others = [p["name"] for p in lock["package"] if "registry" not in p["source"]]
    assert others == ["tabwarden"]
    asked = re.findall(r"\(UV\) [a-z]+ (\S+)", (ROOT / "Makefile").read_text())
    assert len(asked) > 3
    # `make lowest` installs the lowest versions elsewhere; no lock file lists them.
    assert set(asked) - {"--quiet", "install"} == {"--frozen"}


@contextmanager
def advisories(faulty: str) -> Iterator[str]:
    """An OSV service with one advisory."""
    about = {
        "id": "TEST-1", "modified": "2026-01-01T00:00:00Z", "summary": "made up for this test",
        "affected": [{"package": {"ecosystem": "PyPI", "name": faulty}}],
    }  # fmt: skip

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            known = {"vulns": [{"id": about["id"], "modified": about["modified"]}]}
            self.answer(
                {"results": [known if q["package"]["name"] == faulty else {} for q in asked]}
            )

        def do_GET(self) -> None:
            self.answer(about)

        def answer(self, said: object) -> None:
            body = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            serving.join()


def audited(url: str) -> subprocess.CompletedProcess[str]:
    assert UV is not None
    return subprocess.run(
        [sys.executable, "tools/audit.py", "--uv", UV, "--service-url", url],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.threat
@pytest.mark.parametrize("package", ["websockets", pytest.param("pytest", marks=pytest.mark.long)])
@needs("uv")
def test_audit_fails_for_a_package_with_an_advisory(package: str) -> None:
    with advisories(package) as url:
        found = audited(url)
    assert found.returncode == 1
    assert package in found.stdout + found.stderr
    assert "made up for this test" in found.stdout + found.stderr


@needs("uv")
@pytest.mark.long
def test_audit_passes_without_findings_and_reports_when_it_was_skipped() -> None:
    with advisories("nothing-of-ours") as url:
        clean = audited(url)
    assert (clean.returncode, "skipped" in clean.stdout) == (0, False), clean
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        unreachable = audited(f"http://127.0.0.1:{deaf.getsockname()[1]}/")
    assert (unreachable.returncode, "skipped" in unreachable.stdout) == (0, True), unreachable
