"""One server per worker with its own browser, and a fresh tab per test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.surfaces.http.client import Api, Serving, serving


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's upload folder (``up``), and its download and state folders."""
    folders = tmp_path_factory.mktemp("server")
    (folders / "up").mkdir()
    (folders / "up" / "one.txt").write_text("one")
    return folders


@pytest.fixture(scope="session")
def server(folders: Path) -> Iterator[Serving]:
    with serving(
        TABWARDEN_BROWSER__UPLOAD_DIR=str(folders / "up"),
        TABWARDEN_BROWSER__DOWNLOAD_DIR=str(folders / "down"),
        TABWARDEN_BROWSER__OUTPUT_DIR=str(folders / "out"),
        TABWARDEN_BROWSER__STATE_DIR=str(folders / "states"),
    ) as server:
        yield server


@pytest.fixture
def plain_api(server: Serving) -> Iterator[Api]:
    """The server's default task as it is, for requests without side effects."""
    with Api(server.url) as api:
        api.post("/start")
        yield api


@pytest.fixture
def api(server: Serving) -> Iterator[Api]:
    """The server's default task with one fresh tab and no state from earlier tests."""
    with Api(server.url) as api:
        api.post("/start")
        before = api.get("/tabs")["tabs"]
        api.post("/tabs/open")
        for tab in before:
            if api.delete(f"/tabs/{tab['tabId']}").get("status") == "interrupted":
                api.post("/hooks/dialog", accept=True)
        yield api
