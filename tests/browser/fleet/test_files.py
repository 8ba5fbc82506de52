"""Files between a client and a node: large files, equal names and broken connections."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.eventually import eventually
from support.local_fleet import LocalFleet
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser

BIG = hashlib.shake_128(b"big").digest(1 << 20) * 50
"""50 MB."""
UPLOADED = """<input type=file multiple aria-label=Files onchange="read(this.files)"><script>
async function read(files) {
  const hex = async (file) => Array.from(
    new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())),
    (byte) => byte.toString(16).padStart(2, '0')).join('');
  window.got = await Promise.all(Array.from(files, async (f) => f.name + ' ' + await hex(f)));
}</script>"""


@pytest.fixture
def browser(fleet: LocalFleet, tmp_path: Path) -> Iterator[Browser]:
    (tmp_path / "up").mkdir()
    config = BrowserConfig(upload_dir=tmp_path / "up", download_dir=tmp_path / "down")
    with Browser.connect(f"fleet:?cluster={fleet.address}", task_id="a1", config=config) as browser:
        yield browser


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def served(site: Site, path: str, data: bytes, go_on: threading.Event | None = None) -> None:
    """Serve a file as an attachment; with ``go_on``, send its second half only after that event."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/octet-stream")
        handler.send_header("Content-Length", str(len(data)))
        handler.send_header("Content-Disposition", "attachment")
        handler.end_headers()
        half = len(data) // 2
        handler.wfile.write(data[:half])
        if go_on is not None:
            go_on.wait(60)
        handler.wfile.write(data[half:])

    site.pages[path] = respond


def uploaded(browser: Browser, *names: str) -> list[str]:
    browser.snapshot()
    browser.upload(list(names), ref="e1", timeout_ms=60_000)
    got: list[str] = eventually(lambda: browser.evaluate("window.got").value, within_s=60)
    return got


def stored(browser: Browser) -> list[Path]:
    """Wait until every download is stored."""
    assert eventually(
        lambda: {one.status for one in browser.state.downloads} == {"completed"}, within_s=60
    )
    return [Path(str(one.path)) for one in browser.state.downloads]


@pytest.mark.long
def test_node_receives_a_large_upload_intact(browser: Browser, site: Site, tmp_path: Path) -> None:
    (tmp_path / "up" / "big.bin").write_bytes(BIG)
    browser.goto(site.page("/", UPLOADED))
    assert uploaded(browser, "big.bin") == [f"big.bin {sha256(BIG)}"]


@pytest.mark.long
def test_client_receives_a_large_download_intact(
    browser: Browser, site: Site, tmp_path: Path, fleet: LocalFleet
) -> None:
    served(site, "/big.bin", BIG)
    browser.goto(site.page("/", "<a href=/big.bin>Big</a>"))
    browser.snapshot()
    browser.click("e1")
    [path] = stored(browser)
    assert path.is_relative_to(tmp_path / "down")
    assert sha256(path.read_bytes()) == sha256(BIG)
    [left] = [
        list(task.browser.result().download_dir.iterdir())
        for host in fleet.hosts.values()
        for task in host._tasks.values()
    ]
    assert left == [], "the node keeps no copy"


def test_files_with_equal_names_stay_separate_on_the_node(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    for folder, words in (("a", b"first"), ("b", b"second")):
        (tmp_path / "up" / folder).mkdir()
        (tmp_path / "up" / folder / "note.txt").write_bytes(words)
        served(site, f"/{folder}/note.txt", words)
    links = "<a href=/a/note.txt>A</a><a href=/b/note.txt>B</a>"
    browser.goto(site.page("/", UPLOADED + links))
    assert uploaded(browser, "a/note.txt", "b/note.txt") == [
        f"note.txt {sha256(b'first')}",
        f"note.txt {sha256(b'second')}",
    ]
    browser.click("e2")
    browser.click("e3")
    assert eventually(lambda: len(browser.state.downloads) == 2)
    paths = stored(browser)
    assert len(set(paths)) == 2
    assert {path.read_bytes() for path in paths} == {b"first", b"second"}


def test_download_fails_if_the_node_connection_breaks_and_can_be_repeated(
    browser: Browser, site: Site, fleet: LocalFleet, tmp_path: Path
) -> None:
    go_on = threading.Event()
    served(site, "/slow.bin", b"x" * 200_000, go_on)
    browser.goto(site.page("/", "<a href=/slow.bin>Slow</a>"))
    browser.snapshot()
    browser.click("e1")
    assert eventually(lambda: browser.state.downloads)
    engine_loop().run_sync(cut(fleet))
    [ended] = eventually(
        lambda: [one for one in browser.state.downloads if one.status != "in_progress"]
    )
    assert ended.status == "failed"
    assert "connection" in ended.reason
    assert not [path for path in (tmp_path / "down").rglob("*") if path.is_file()]
    go_on.set()
    browser.snapshot()
    browser.click("e1")
    again = eventually(lambda: browser.state.downloads[1:])[0]
    assert eventually(lambda: browser.state.downloads[-1].status == "completed")
    assert again.id != ended.id
    assert Path(str(browser.state.downloads[-1].path)).read_bytes() == b"x" * 200_000


async def cut(fleet: LocalFleet) -> None:
    """Break all connections between clients and nodes, but no lease."""
    for host in fleet.hosts.values():
        for task in host._tasks.values():
            host._relay.cut(task)
