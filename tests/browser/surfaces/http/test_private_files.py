"""Under any umask, only the user can read the created files and folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from browser.surfaces.http.client import Api, serving
from support.site import Site

from tabwarden.surfaces.guard.token_file import change_tokens, fresh_token

_PAGE = "<a href='data:text/plain,x' download=page.txt>Get</a>"


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Paths below a folder that other users can read, without links and sockets."""
    found = []
    for path in folder.rglob("*"):
        about = path.lstat()
        is_ours = stat.S_ISDIR(about.st_mode) or stat.S_ISREG(about.st_mode)
        if is_ours and about.st_mode & 0o077:
            found.append(f"{stat.filemode(about.st_mode)} {path.relative_to(folder)}")
    return found


@pytest.mark.threat
def test_server_creates_only_private_files_and_folders(
    no_umask: None, site: Site, tmp_path: Path
) -> None:
    home = tmp_path / "new"
    home.mkdir(mode=0o700)
    folders = {
        f"TABWARDEN_BROWSER__{name}": str(home / "a" / name.lower() / "b")
        for name in ("DOWNLOAD_DIR", "UPLOAD_DIR", "STATE_DIR", "TRACE_DIR", "OUTPUT_DIR", "RECORD")
    }
    environment = {
        "TABWARDEN_SERVER__TOKENS_FILE": str(home / "tokens" / "of" / "tokens.json"),
        "TABWARDEN_BROWSER__RECORD_HAR": str(home / "har" / "b" / "all.har"),
        "TABWARDEN_BROWSER__USER_DATA_DIR": "",
        "XDG_STATE_HOME": str(home / "state" / "b"),
        "XDG_RUNTIME_DIR": str(home / "run" / "b"),
        "TMPDIR": str(home),
        **folders,
    }
    url = site.page("/", _PAGE)
    with serving(**environment) as server:
        token = fresh_token()
        path = Path(environment["TABWARDEN_SERVER__TOKENS_FILE"])
        change_tokens(path, lambda known: known.create("acme", token, datetime.now(UTC)))
        for api in (Api(server.url), Api(server.url, token=token)):
            with api:
                api.http.put("/files/uploads/up.txt", content=b"up").raise_for_status()
                api.post("/navigate", url=url)
                api.post("/download", url="data:text/plain,x", path="fetched.txt")
                ref = api.get("/snapshot")["snapshot"].partition("[ref=")[2].partition("]")[0]
                api.act("click", ref=ref)
                api.post("/wait/download")
                api.post("/screenshot")
                api.post("/pdf")
                api.post("/storage-state/save", filename="state.json")
                api.post("/requests/har", filename="some.har")
                assert open_to_others(home) == []
                api.post("/stop")
    assert open_to_others(home) == []
    names = {path.name for path in home.rglob("*")}
    assert {"fetched.txt", "page.txt", "state.json", "some.har", "up.txt", "all.har"} <= names
