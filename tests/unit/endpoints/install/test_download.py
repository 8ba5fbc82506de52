"""Only the pinned file is accepted."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tabwarden.budget import Budget
from tabwarden.endpoints.install.download import Source, download, parse_digest
from tabwarden.endpoints.install.report import InstallFailed, silent

pytestmark = pytest.mark.anyio

CONTENT = b"a browser" * 100_000
SHA256 = f"sha256-{hashlib.sha256(CONTENT).hexdigest()}"
SHA512 = f"sha512-{base64.b64encode(hashlib.sha512(CONTENT).digest()).decode()}"


class Handler(BaseHTTPRequestHandler):
    stalling = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("content-length", str(len(CONTENT)))
        self.end_headers()
        if self.path == "/stalls":
            self.stalling.wait(20)
            return
        self.wfile.write(CONTENT[: 10_000 if self.path == "/cut" else None])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    Handler.stalling.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        Handler.stalling.set()
        http.shutdown()
        thread.join()


@pytest.mark.parametrize("digest", [SHA256, SHA512])
async def test_download_saves_the_pinned_file_and_reports_progress(
    server: str, tmp_path: Path, digest: str
) -> None:
    seen: list[tuple[str, int, int | None]] = []
    await download(
        Source(f"{server}/file.zip", digest),
        tmp_path / "file",
        lambda step, done, total: seen.append((step, done, total)),
        Budget(10_000),
    )
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert seen[-1] == ("download file.zip", len(CONTENT), len(CONTENT))


@pytest.mark.parametrize(
    ("path", "digest", "words"),
    [
        ("/file", f"sha256-{'0' * 64}", "not the expected file"),
        ("/missing", SHA256, "HTTP 404"),
        ("/cut", SHA256, "RemoteProtocolError"),
    ],
)
@pytest.mark.threat
async def test_download_rejects_and_deletes_a_file_with_another_digest(
    server: str, tmp_path: Path, path: str, digest: str, words: str
) -> None:
    with pytest.raises(InstallFailed, match=words):
        await download(Source(server + path, digest), tmp_path / "f", silent, Budget(10_000))
    assert not (tmp_path / "f").exists()


async def test_download_times_out_on_a_stalled_server_at_its_budget(
    server: str, tmp_path: Path
) -> None:
    with pytest.raises(InstallFailed, match="in time"):
        await download(Source(f"{server}/stalls", SHA256), tmp_path / "f", silent, Budget(300))
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("digest", ["", "md5-00", "sha256-", "sha256-zz", "sha512-AAAA"])
def test_download_rejects_a_malformed_digest(digest: str) -> None:
    with pytest.raises(ValueError, match="digest"):
        parse_digest(digest)
