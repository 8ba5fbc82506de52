"""Installing axe-core: only the pinned bytes, and only its script and licence."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.site import Site

from tabwarden.endpoints.install.axe import axe_source, install_axe, installed_axe
from tabwarden.endpoints.install.download import Source
from tabwarden.errors import NotSupported

pytestmark = pytest.mark.anyio

FILES = {"package/axe.min.js": "axe()", "package/LICENSE": "MPL", "package/../../evil": "x"}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


def packed(site: Site, files: dict[str, str]) -> Source:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    body = buffer.getvalue()

    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.pages["/axe.tgz"] = respond
    digest = base64.b64encode(hashlib.sha512(body).digest()).decode()
    return Source(f"{site.here}/axe.tgz", f"sha512-{digest}")


async def test_install_axe_installs_only_the_script_and_the_license(
    site: Site, tmp_path: Path
) -> None:
    folder = tmp_path / "axe"
    source = packed(site, FILES)
    path = await install_axe(source=source, folder=folder)
    assert path.read_text() == "axe()"
    assert {one.name for one in folder.iterdir()} == {"axe.min.js", "LICENSE"}
    assert installed_axe(folder) == path
    assert await install_axe(source=source, folder=folder) == path
    assert len(site.hits) == 1


@pytest.mark.parametrize("files", [FILES, {"package/LICENSE": "MPL"}])
async def test_install_axe_rejects_an_unexpected_package_and_leaves_no_files(
    site: Site, tmp_path: Path, files: dict[str, str]
) -> None:
    source = packed(site, files)
    if files is FILES:
        source = source._replace(digest="sha512-" + base64.b64encode(b"x" * 64).decode())
    with pytest.raises(NotSupported) as refused:
        await install_axe(source=source, folder=tmp_path / "axe")
    assert refused.value.data["field"] == "axe"
    assert installed_axe(tmp_path / "axe") is None
    assert "axe.min.js" in str(refused.value.hint)


async def test_axe_source_uses_the_configured_npm_mirror() -> None:
    found = axe_source({"npm_config_registry": "http://mirror/npm/"})
    assert found.url.startswith("http://mirror/npm/axe-core/-/axe-core-")
    assert axe_source({}).url.startswith("https://registry.npmjs.org/axe-core/")
