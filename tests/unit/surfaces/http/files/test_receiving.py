"""Uploads by a client: complete under their name, or absent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect

from tabwarden.errors import Cancelled, Denied, InvalidArgument
from tabwarden.files.download_folder import StoredFile
from tabwarden.surfaces.http.files import FOLDERS, FileTooLarge, Pace, check_headers, receive_file

UPLOADS = FOLDERS["uploads"]


async def pieces(*given: bytes, end: Exception | None = None) -> AsyncIterator[bytes]:
    for piece in given:
        yield piece
    if end is not None:
        raise end


async def stalled(*given: bytes) -> AsyncIterator[bytes]:
    async for piece in pieces(*given):
        yield piece
    await asyncio.Event().wait()


def received(
    folder: Path,
    sent: AsyncIterator[bytes],
    name: str = "a.txt",
    most: int = 10,
    pace: Pace = Pace(),  # noqa: B008  # it is frozen
) -> StoredFile:
    return asyncio.run(receive_file(sent, folder, name, UPLOADS, most=most, pace=pace))


def test_completed_upload_replaces_an_older_file(tmp_path: Path) -> None:
    folder = tmp_path / "up"
    received(folder, pieces(b"old"))
    stored = received(folder, pieces(b"ne", b"", b"w"))
    assert (stored.filename, stored.size, stored.mime_type) == ("a.txt", 3, "text/plain")
    assert [(one.name, one.read_bytes()) for one in folder.iterdir()] == [("a.txt", b"new")]


def test_upload_replaces_a_symlink_with_its_name_and_does_not_follow_it(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "up"
    outside.write_text("mine")
    folder.mkdir()
    (folder / "a.txt").symlink_to(outside)
    received(folder, pieces(b"new"))
    assert outside.read_text() == "mine"
    assert not (folder / "a.txt").is_symlink()


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (lambda: pieces(b"12345", b"678901"), FileTooLarge),
        (lambda: pieces(b"1", end=ClientDisconnect()), Cancelled),
    ],
)
@pytest.mark.threat
def test_failed_upload_leaves_nothing_behind(
    sent: object, error: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(error):
        received(tmp_path, sent())  # type: ignore[operator]
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("a.txt", "old")]


@pytest.mark.threat
def test_receive_file_aborts_when_the_client_stops_sending(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="too slow: after 2 bytes") as failed:
        received(tmp_path, stalled(b"ab"), pace=Pace(0.05))
    assert failed.value.data["field"] == "body"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.threat
def test_receive_file_aborts_when_the_client_sends_too_slowly(tmp_path: Path) -> None:
    async def drip() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0.02)
            yield b"a"

    with pytest.raises(InvalidArgument, match="too slow"):
        received(tmp_path, drip(), most=1_000_000, pace=Pace(0.1, 1000.0))
    assert [*tmp_path.iterdir()] == []


def test_receive_file_reports_an_upload_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "up").write_text("a file")
    with pytest.raises(InvalidArgument, match="upload folder") as failed:
        received(tmp_path / "up", pieces(b"a"))
    assert failed.value.data["field"] == "upload_dir"


@pytest.mark.parametrize("name", ["..", "../a", "/etc/passwd", "C:\\a"])
def test_receive_file_denies_a_name_outside_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(Denied, match="outside the upload folder") as denied:
        received(tmp_path / "up", pieces(b"a"), name)
    assert denied.value.data["field"] == "name"
    assert not (tmp_path / "up").exists()


@pytest.mark.parametrize(
    ("headers", "error", "field"),
    [
        ({"content-length": "11"}, FileTooLarge, "body"),
        ({"content-range": "bytes 0-1/3"}, InvalidArgument, "Content-Range"),
        ({"content-encoding": "gzip"}, InvalidArgument, "Content-Encoding"),
        ({"content-type": "Multipart/form-data; boundary=x"}, InvalidArgument, "Content-Type"),
    ],
)
def test_header_check_rejects_an_upload_that_is_not_one_complete_file(
    headers: dict[str, str], error: type[InvalidArgument], field: str
) -> None:
    with pytest.raises(error) as refused:
        check_headers(headers, 10)
    assert refused.value.data["field"] == field


@pytest.mark.parametrize("length", ["10", "", "x", "²"])
def test_header_check_accepts_allowed_missing_and_malformed_lengths(length: str) -> None:
    check_headers({"content-length": length, "content-type": "text/plain"}, 10)
