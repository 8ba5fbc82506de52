"""``make`` on a bare system: uv is installed from PyPI with any system Python."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.needs import lack, needs

pytestmark = needs("linux")

TOOLS = Path(__file__).parents[2] / "tools"
WHEEL = f"uv-9.9-py3-none-manylinux_2_17_{platform.machine()}.whl"


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


def write_page(folder: Path) -> None:
    """Write the index page with the files' checksums."""
    checksum = hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()
    (folder / "index.html").write_text(
        f'<a href="uv-9.9-py3-none-win_amd64.whl#sha256={checksum}">other</a>'
        f'<a href="{WHEEL}#sha256={checksum}">{WHEEL}</a>'
    )


@pytest.fixture
def index(tmp_path: Path) -> Iterator[str]:
    """A local package index, whose uv only prints its version."""
    page = tmp_path / "index" / "uv"
    page.mkdir(parents=True)
    with zipfile.ZipFile(page / WHEEL, "w") as wheel:
        for name in ("uv", "uvx"):
            wheel.writestr(f"uv-9.9.data/scripts/{name}", "#!/bin/sh\necho uv 9.9\n")
        wheel.writestr("uv/__init__.py", "")
    checksum = hashlib.sha256((page / WHEEL).read_bytes()).hexdigest()
    (tmp_path / "uv.txt").write_text(f"uv==9.9 \\\n    --hash=sha256:{checksum}\n")
    write_page(page)

    def handler(*args: object) -> Handler:
        return Handler(*args, directory=str(tmp_path / "index"))  # type: ignore[arg-type]

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def get_uv(
    folder: Path, python: str = sys.executable, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run it with the standard library alone, and with the test's own pin if there is one."""
    pins = [one for one in (folder.parent / "uv.txt",) if one.exists()]
    return subprocess.run(
        [python, "-S", str(TOOLS / "get_uv.py"), str(folder), *map(str, pins)],
        cwd=folder.parent,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def reachable(url: str) -> bool:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=10):
            return True
    except urllib.error.URLError:
        return False


def test_get_uv_extracts_the_programs_from_the_wheel_without_pip(
    tmp_path: Path, index: str
) -> None:
    done = get_uv(tmp_path / "t", PIP_INDEX_URL=index)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "uv 9.9\n"
    found = [path for path in (tmp_path / "t").rglob("*") if path.is_file()]
    assert sorted(path.name for path in found) == ["uv", "uvx"]


@pytest.mark.threat
def test_get_uv_rejects_a_wheel_with_another_hash(tmp_path: Path, index: str) -> None:
    with zipfile.ZipFile(tmp_path / "index" / "uv" / WHEEL, "a") as wheel:
        wheel.writestr("uv/other.py", "")
    write_page(tmp_path / "index" / "uv")  # the index has its hash
    done = get_uv(tmp_path / "t", PIP_INDEX_URL=index)
    assert done.returncode == 1
    assert "is not the pinned uv 9.9" in done.stderr
    assert not (tmp_path / "t" / "bin").exists()


def test_get_uv_keeps_a_folder_that_it_did_not_create(tmp_path: Path, index: str) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "work").write_text("of years")
    (tmp_path / "index" / "uv" / WHEEL).unlink()
    done = get_uv(tmp_path / "precious", PIP_INDEX_URL=index)
    assert done.returncode == 1
    assert (tmp_path / "precious" / "work").is_file()


@pytest.mark.long
def test_get_uv_installs_a_working_uv_with_the_system_python(tmp_path: Path) -> None:
    if not reachable("https://pypi.org/simple/uv/"):
        lack("internet")
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable
    done = get_uv(tmp_path / "t", python)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("uv ")
    said = subprocess.run(
        [tmp_path / "t" / "bin" / "uv", "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout == done.stdout
