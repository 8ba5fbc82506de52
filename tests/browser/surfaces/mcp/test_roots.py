"""Pages get files only from the host's folders (MCP roots)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from browser.surfaces.mcp.host import Host, hosting, reaching, serving_mcp
from support.site import Site

pytestmark = pytest.mark.anyio

FORM = '<input type=file id=f aria-label=File onchange="document.title = f.files[0].name">'


class Folders:
    """Returns the client's roots."""

    def __init__(self, *folders: Path) -> None:
        self.folders = folders
        self.asked = 0

    async def __call__(self, context: Any) -> types.ListRootsResult:
        _ = context
        self.asked += 1
        return types.ListRootsResult(roots=[types.Root(uri=one.as_uri()) for one in self.folders])


async def text_of_file(host: Host) -> str:
    _, data = await host.call("browser_evaluate", script="f.files[0].text()")
    return str(data["value"])


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for folder, text in (("my work", "work"), ("other", "other"), ("up", "up")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.txt").write_text(text)
    (tmp_path / "my work" / "docs").mkdir()
    (tmp_path / "my work" / "docs" / "cv.txt").write_text("cv")
    (tmp_path / "my work" / "link.txt").symlink_to(tmp_path / "other" / "other.txt")
    return tmp_path


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.threat
async def test_upload_tool_accepts_only_files_in_mcp_roots_and_the_upload_folder(
    mode: Any, folders: Path, site: Site
) -> None:
    told = Folders(folders / "my work")
    options = ("--upload-dir", str(folders / "up"))
    async with hosting(*options, mode=mode, list_roots_callback=told) as host:
        await host.call("browser_navigate", url=site.page("/", FORM))
        assert told.asked == 0
        ref = await host.ref("File")
        for name, text in (
            (str(folders / "my work" / "docs" / "cv.txt"), "cv"),
            ("./docs/cv.txt", "cv"),
            ("up.txt", "up"),
        ):
            await host.call("browser_upload", ref=ref, filenames=[name])
            assert await text_of_file(host) == text
        batch = [{"tool": "upload", "ref": ref, "filenames": ["docs/cv.txt"]}]
        await host.call("browser_batch", steps=batch)
        assert await text_of_file(host) == "cv"
        for name in (str(folders / "other" / "other.txt"), "../other/other.txt", "link.txt"):
            error = await host.fail("browser_upload", ref=ref, filenames=[name])
            assert error["code"] == "denied"
        error = await host.fail("browser_upload", ref=ref, filenames=["./up.txt"])
        assert error["code"] == "invalid_argument"


async def test_upload_tool_applies_changed_mcp_roots(folders: Path, site: Site) -> None:
    told = Folders(folders / "my work")
    async with hosting(mode="legacy", list_roots_callback=told) as host:
        await host.call("browser_navigate", url=site.page("/", FORM))
        ref = await host.ref("File")
        for folder, gone in (("my work", "other"), ("other", "my work")):
            told.folders = (folders / folder,)
            await host.client.session.send_notification(types.RootsListChangedNotification())
            await host.call(
                "browser_upload", ref=ref, filenames=[str(folders / folder / f"{folder}.txt")]
            )
            error = await host.fail(
                "browser_upload", ref=ref, filenames=[str(folders / gone / f"{gone}.txt")]
            )
            assert error["code"] == "denied"
        assert told.asked == 2


@pytest.mark.threat
async def test_mcp_http_server_ignores_its_clients_roots(folders: Path, site: Site) -> None:
    told = Folders(folders / "my work")
    with serving_mcp() as server:
        async with reaching(server.url, mode="legacy", list_roots_callback=told) as host:
            await host.call("browser_navigate", url=site.page("/", FORM))
            ref = await host.ref("File")
            path = str(folders / "my work" / "docs" / "cv.txt")
            error = await host.fail("browser_upload", ref=ref, filenames=[path])
            assert error["code"] == "denied"
    assert told.asked == 0
