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
def test_live_view_upload_keeps_only_the_base_name(name: str, kept: str) -> None:
    uploads = Uploads()
    upload = uploads.begin()
    upload.begin(name)
    upload.add(b"data")
    assert upload.paths[0].name == kept
    assert upload.paths[0].read_bytes() == b"data"
    assert upload.paths[0].resolve().is_relative_to(upload.folder.resolve())
    uploads.close()
    assert not upload.folder.exists()


def test_live_view_uploads_with_equal_names_stay_separate() -> None:
    uploads = Uploads()
    upload = uploads.begin()
    for data in (b"1", b"2"):
        upload.begin("a.txt")
        upload.add(data)
    assert [path.read_bytes() for path in upload.paths] == [b"1", b"2"]
    uploads.close()


def test_live_view_upload_has_a_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.threat
def test_all_live_view_uploads_of_a_person_share_one_size_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "LARGEST", 10)
    monkeypatch.setattr(files, "MOST_FILES", 3)
    uploads = Uploads()
    first, second = uploads.begin("ann"), uploads.begin("ann")
    first.begin("a")
    first.add(b"123456")
    second.begin("b")
    second.add(b"1234")
    with pytest.raises(InvalidArgument):
        second.add(b"5")
    others = uploads.begin("bob")
    others.begin("c")
    others.add(b"1234567890")
    second.begin("d")
    with pytest.raises(InvalidArgument):
        uploads.begin("ann").begin("e")
    uploads.given(first, lambda: True)
    second.add(b"5")
    uploads.close()


@pytest.mark.threat
def test_all_live_view_uploads_share_one_size_limit_of_which_tenants_get_half(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "LARGEST_IN_ALL", 20)
    uploads, is_open = Uploads(), [True]
    for tenant in ("acme", "other"):
        upload = uploads.begin(tenant, tenant)
        upload.begin("a")
        upload.add(b"12345")
        uploads.given(upload, lambda: is_open[0])
    late = uploads.begin("late", "acme")
    late.begin("a")
    with pytest.raises(InvalidArgument):
        late.add(b"1")
    operators = uploads.begin("operator")
    operators.begin("a")
    operators.add(b"1234567890")
    with pytest.raises(InvalidArgument):
        operators.add(b"1")
    is_open[0] = False  # no page reads the first two any more
    late = uploads.begin("late", "acme")
    late.begin("a")
    late.add(b"1234567890")
    uploads.close()
