"""Files that viewers upload."""

from __future__ import annotations

import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.live import files
from tabwarden.surfaces.live.files import Uploads


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("cat.jpg", "cat.jpg"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\cat.jpg", "cat.jpg"),
        ("..", "file"),
        ("", "file"),
        ("a\0b", "ab"),
        ("x" * 500, "x" * 200),
    ],
)
def test_a_file_keeps_only_its_name(name: str, kept: str) -> None:
    uploads = Uploads()
    upload = uploads.begin()
    upload.begin(name)
    upload.add(b"data")
    assert upload.paths[0].name == kept
    assert upload.paths[0].read_bytes() == b"data"
    assert upload.paths[0].resolve().is_relative_to(upload.folder.resolve())
    uploads.close()
    assert not upload.folder.exists()


def test_files_of_one_name_stay_apart() -> None:
    uploads = Uploads()
    upload = uploads.begin()
    for data in (b"1", b"2"):
        upload.begin("a.txt")
        upload.add(data)
    assert [path.read_bytes() for path in upload.paths] == [b"1", b"2"]
    uploads.close()


def test_files_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 10)
    uploads = Uploads()
    upload = uploads.begin()
    with pytest.raises(InvalidArgument):
        upload.add(b"no file has begun")
    upload.begin("a")
    upload.add(b"12345")
    with pytest.raises(InvalidArgument):
        upload.add(b"123456")
    uploads.give_up(upload)
    assert not upload.folder.exists()
    uploads.close()
