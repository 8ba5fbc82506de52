"""A stored download gets a unique name inside the download folder."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tabwarden.files.download_folder import PartialFile, StoredFile, rename_file, store_download


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/etc/cron.d/job", "job"),
        (".bashrc", "bashrc"),
        ("...", "download"),
        ("", "download"),
        ("no ending", "no ending"),
        ("half\ud83d.txt", "half?.txt"),
        ("\u202egpj.exe", "gpj.exe"),
        ("invoice\u2066\u202efdp\u2069.scr", "invoicefdp.scr"),
        ("a\u200b\ufeff.pdf", "a.pdf"),
    ],
)
@pytest.mark.threat
def test_store_download_keeps_files_with_any_name_inside_the_folder(
    suggested: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "guid").write_text("new")
    found = Path(store_download(tmp_path, "guid", suggested).path)
    assert found.parent == tmp_path
    assert found.name == name.replace("?", "")
    assert found.read_text() == "new"
    assert [one.name for one in tmp_path.iterdir()] == [found.name]


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("x" * 400 + ".pdf", "x" * 146 + ".pdf"),
        ("\N{GRINNING FACE}" * 100 + ".pdf", "\N{GRINNING FACE}" * 36 + ".pdf"),
        ("x" * 144 + " . y.pdf", "x" * 144 + ".pdf"),
        ("x" * 400, "x" * 150),
        ("x." + "y" * 400, "x." + "y" * 148),
    ],
)
def test_store_download_keeps_the_extension_of_a_shortened_name(
    suggested: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "guid").write_text("new")
    assert store_download(tmp_path, "guid", suggested).filename == name


@pytest.mark.parametrize("links", [True, False])
def test_store_download_overwrites_no_existing_file(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:  # as on a file system without links

        def refused(*_: object) -> None:
            raise OSError("no hard links here")

        monkeypatch.setattr(os, "link", refused)
    for n in range(3):
        (tmp_path / "guid").write_text(f"{n}")
        store_download(tmp_path, "guid", "a.txt")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {
        "a.txt": "0",
        "a (1).txt": "1",
        "a (2).txt": "2",
    }


def test_rename_file_overwrites_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "guid").write_text("new")
    assert rename_file(tmp_path / "guid", "a.txt", overwrite=True).read_text() == "new"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_store_download_raises_for_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        store_download(tmp_path, "guid", "a.txt")


@pytest.mark.parametrize(
    ("name", "mime_type"),
    [("a.csv", "text/csv"), ("a.unknown", "application/octet-stream")],
)
def test_finished_and_partial_downloads_get_the_same_description(
    name: str, mime_type: str, tmp_path: Path
) -> None:
    (tmp_path / "guid").write_bytes(b"a,b")
    stored = store_download(tmp_path, "guid", name)
    assert stored == StoredFile(
        path=str(tmp_path / name),
        filename=name,
        size=3,
        mime_type=mime_type,
        sha256=hashlib.sha256(b"a,b").hexdigest(),
    )
    with PartialFile(tmp_path) as file:
        file.write(b"a,b")
        assert file.keep(name, mime_type, overwrite=True) == stored


@pytest.mark.parametrize("guid", ["../ours.txt", "/etc/passwd", "", "a/b"])
@pytest.mark.threat
def test_download_guid_that_is_a_path_is_rejected(guid: str, tmp_path: Path) -> None:
    (tmp_path / "ours.txt").write_text("ours")
    with pytest.raises(OSError, match="reported a file outside"):
        store_download(tmp_path, guid, "a.txt")
