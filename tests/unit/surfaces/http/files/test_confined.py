"""Access to a folder's regular files only, whatever the name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.config import BrowserConfig
from tabwarden.errors import TabwardenError
from tabwarden.surfaces.http.files import (
    FOLDERS,
    NoSuchFile,
    delete_file,
    list_files,
    open_file,
    route_to,
)

DOWNLOADS = FOLDERS["downloads"]
GUID = "01234567-89ab-cdef-0123-456789abcdef"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one regular file and many other entries."""
    folder = tmp_path / "down"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (folder / "a.txt").write_text("a")
    (folder / ".hidden").write_text("secret")
    (folder / f"{GUID}.crdownload").write_text("secret")
    (folder / GUID).write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "endless").symlink_to("/dev/zero")
    os.mkfifo(folder / "fifo")
    return folder


def test_file_list_contains_only_regular_files(folder: Path) -> None:
    listed = list_files(folder, DOWNLOADS, sha256=True)
    (only,) = listed["files"]
    assert listed["total"] == 1
    assert (only["filename"], only["size"], only["mimeType"]) == ("a.txt", 1, "text/plain")
    assert only["sha256"].startswith("ca978112ca1bbdca")
    assert list_files(folder / "none", DOWNLOADS, sha256=False) == {"files": [], "total": 0}


def test_file_list_is_sorted_newest_first(folder: Path) -> None:
    (folder / "b.txt").write_text("b")
    os.utime(folder / "b.txt", (1, 1))
    names = [one["filename"] for one in list_files(folder, DOWNLOADS, sha256=False)["files"]]
    assert names == ["a.txt", "b.txt"]


@pytest.mark.parametrize("name", ["link", "endless", "fifo", "below", "none", GUID])
@pytest.mark.threat
def test_open_and_delete_reject_links_devices_and_folders(name: str, folder: Path) -> None:
    for use in (open_file, delete_file):
        with pytest.raises(NoSuchFile) as failed:
            use(folder, name, DOWNLOADS)
        assert failed.value.data["field"] == "name"
    assert os.path.lexists(folder / name) == (name != "none")


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../secret", "/etc/passwd", "below/a", "a\0.txt", "CON", "nul.txt", ".hidden",
     "C:a", "\\\\host\\a", "a" * 300, "\ud800"],
)  # fmt: skip
@pytest.mark.threat
def test_open_and_delete_reject_a_file_name_with_path_parts(name: str, folder: Path) -> None:
    for use in (open_file, delete_file):
        with pytest.raises(TabwardenError) as failed:
            use(folder, name, DOWNLOADS)
        assert failed.value.data["field"] == "name"


@given(name=st.text() | st.from_regex(r"[./\\~a-z%\0:]{1,12}", fullmatch=True))
def test_file_names_cannot_open_a_file_outside_the_folder(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "confined"
    folder.mkdir(exist_ok=True)
    with pytest.raises(TabwardenError):
        open_file(folder, name, DOWNLOADS).close()


def test_open_file_reads_a_file_and_delete_file_deletes_it(folder: Path) -> None:
    with open_file(folder, "a.txt", DOWNLOADS) as file:
        assert file.read() == b"a"
    delete_file(folder, "a.txt", DOWNLOADS)
    assert not (folder / "a.txt").exists()


def test_route_to_returns_a_route_only_for_files_in_served_folders(
    folder: Path, tmp_path: Path
) -> None:
    config = BrowserConfig(download_dir=folder, upload_dir=tmp_path, trace_dir=tmp_path / "t")
    assert route_to(config, str(folder / "a b%.txt")) == "/files/downloads/a%20b%25.txt"
    picture = str(folder / "screenshots" / "a.png")
    assert route_to(config, picture) == "/files/screenshots/a.png"
    assert route_to(config, str(tmp_path / "t" / "a.zip")) == "/files/traces/a.zip"
    assert route_to(config, str(tmp_path / "secret")) is None
    assert route_to(config, None) is None
