"""Hostile archives write no files outside their folder."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest

from tabwarden.endpoints.install.archive import HostileArchive, decompress_brotli, unpack


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "outer" / "folder"
    folder.mkdir(parents=True)
    return folder


def make_tar(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for member, content in members:
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.mode = kind, target, 0o6777
    return member


def zip_link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def outside(folder: Path) -> list[Path]:
    return [path for path in folder.parent.rglob("*") if not path.is_relative_to(folder)]


def test_unpacking_a_valid_tar_keeps_file_modes_without_setuid(
    folder: Path, tmp_path: Path
) -> None:
    tar = make_tar(
        tmp_path / "a.tgz",
        (entry("lib/x.so"), b"library"),
        (entry("bin/run", tarfile.SYMTYPE, "../lib/x.so"), b""),
    )
    unpack(tar, folder)
    assert (folder / "bin/run").read_bytes() == b"library"
    assert stat.S_IMODE((folder / "lib/x.so").stat().st_mode) == 0o755


def test_unpacking_a_valid_zip_keeps_executables_and_links(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        info = zipfile.ZipInfo("app/run")
        info.create_system = 3
        info.external_attr = (stat.S_IFREG | 0o755) << 16
        packed.writestr(info, "#!/bin/sh")
        packed.writestr(zip_link("app/link"), "run")
    unpack(path, folder)
    assert (folder / "app/run").stat().st_mode & 0o111
    assert (folder / "app/link").resolve() == folder / "app/run"


@pytest.mark.parametrize(
    "members",
    [
        [(entry("../evil"), b"x")],
        [(entry("/tmp/tabwarden-evil"), b"x")],
        [(entry("a/../../evil"), b"x")],
        [(entry("a\\..\\evil"), b"x")],
        [(entry("link", tarfile.SYMTYPE, "/etc"), b"")],
        [(entry("link", tarfile.SYMTYPE, "../.."), b"")],
        [(entry("link", tarfile.SYMTYPE, ".."), b""), (entry("link/evil"), b"x")],
        [
            (entry("here", tarfile.SYMTYPE, "."), b""),
            (entry("out", tarfile.SYMTYPE, "here/../evil"), b""),
        ],
        [(entry("hard", tarfile.LNKTYPE, "/etc/passwd"), b"")],
        [(entry("device", tarfile.CHRTYPE), b"")],
        [(entry("pipe", tarfile.FIFOTYPE), b"")],
        [(entry("twice"), b"x"), (entry("twice"), b"y")],
    ],
)
@pytest.mark.threat
def test_unpacking_rejects_a_hostile_tar(
    folder: Path, tmp_path: Path, members: list[tuple[tarfile.TarInfo, bytes]]
) -> None:
    with pytest.raises(HostileArchive):
        unpack(make_tar(tmp_path / "a.tgz", *members), folder)
    assert outside(folder) == []


@pytest.mark.parametrize("name", ["../evil", "/tmp/tabwarden-evil", "a/../../evil"])
@pytest.mark.threat
def test_unpacking_rejects_a_hostile_file_name_in_a_zip(
    folder: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(name, "x")
    with pytest.raises(HostileArchive):
        unpack(path, folder)
    assert outside(folder) == []


@pytest.mark.parametrize("target", ["/etc/passwd", "../../evil"])
@pytest.mark.threat
def test_unpacking_rejects_a_hostile_link_in_a_zip(
    folder: Path, tmp_path: Path, target: str
) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(zip_link("link"), target)
    with pytest.raises(HostileArchive):
        unpack(path, folder)
    assert not (folder / "link").is_symlink()


def test_unpacking_rejects_corrupt_archives(folder: Path, tmp_path: Path) -> None:
    good = make_tar(tmp_path / "a.tgz", (entry("x"), bytes(range(256)) * 1000))
    cut = tmp_path / "cut.tgz"
    cut.write_bytes(good.read_bytes()[:-200])
    text = tmp_path / "text"
    text.write_text("hello")
    for path in (cut, text):
        with pytest.raises(HostileArchive):
            unpack(path, folder)


def test_brotli_data_is_decompressed_or_rejected(tmp_path: Path) -> None:
    packed = tmp_path / "x.br"
    packed.write_bytes(brotli.compress(b"content" * 1000))
    decompress_brotli(packed, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == b"content" * 1000
    packed.write_bytes(packed.read_bytes()[:-3])
    with pytest.raises(HostileArchive):
        decompress_brotli(packed, tmp_path / "y")
    packed.write_bytes(b"not brotli at all")
    with pytest.raises(HostileArchive):
        decompress_brotli(packed, tmp_path / "z")
