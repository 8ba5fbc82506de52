"""Unpack untrusted archives: never write outside the target folder.

We reject absolute names, ``..``, drive letters, hard links, devices, duplicate names, symlinks that
lead outside, and archives larger than any browser. macOS bundles often contain symlinks. We create
them last, so that no file is written through a symlink.
"""

from __future__ import annotations

import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO

import brotli  # type: ignore[import-untyped]

Checkpoint = Callable[[], None]
"""Called regularly; raises to stop the work."""

_MAX_BYTES = 3 * 1024 * 1024 * 1024
_MAX_MEMBERS = 100_000
_CHUNK = 1 << 20


class HostileArchive(Exception):
    """The archive is broken or malicious; the message names the cause."""


def unpack(archive: Path, folder: Path, checkpoint: Checkpoint = lambda: None) -> None:
    """Unpack a zip, or a tar (plain, gz, bz2, xz), into an existing folder.

    Raises:
        HostileArchive: the archive is broken or malicious. The caller must remove unpacked files.
    """
    unpacking = _Unpacking(folder, checkpoint)
    try:
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, unpacking)
        elif tarfile.is_tarfile(archive):
            _unpack_tar(archive, unpacking)
        else:
            raise HostileArchive(f"{archive.name} is neither a zip nor a tar")
        unpacking.finish()
    except (
        *(zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError, ValueError),
        *(zlib.error, lzma.LZMAError, struct.error, LookupError, ArithmeticError, RuntimeError),
        *(FileExistsError, NotADirectoryError, IsADirectoryError),
    ) as error:
        raise HostileArchive(f"{archive.name}: {error}") from error


def decompress_brotli(source: Path, to: Path, checkpoint: Checkpoint = lambda: None) -> None:
    """Decompress a ``.br`` file into the new file ``to``.

    Raises:
        HostileArchive: the file is broken, incomplete, or too large.
    """
    decompressor = brotli.Decompressor()
    written = 0
    with source.open("rb") as packed, to.open("xb") as file:
        while chunk := packed.read(_CHUNK):
            checkpoint()
            try:
                piece = decompressor.process(chunk)
            except brotli.error as error:
                raise HostileArchive(f"{source.name}: {error}") from error
            written += len(piece)
            if written > _MAX_BYTES:
                raise HostileArchive(f"{source.name} unpacks to more than {_MAX_BYTES} bytes")
            file.write(piece)
    if not decompressor.is_finished():
        raise HostileArchive(f"{source.name} is truncated")


class _Unpacking:
    def __init__(self, folder: Path, checkpoint: Checkpoint) -> None:
        self._folder = folder.resolve()
        self._checkpoint = checkpoint
        self._links: list[tuple[Path, str]] = []
        self._bytes = 0
        self._members = 0

    def place(self, name: str) -> Path:
        """Return the path for a member of the archive."""
        self._checkpoint()
        self._members += 1
        if self._members > _MAX_MEMBERS:
            raise HostileArchive(f"more than {_MAX_MEMBERS} members")
        path = PurePosixPath(name)
        bad = path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name
        if bad or (os.name == "nt" and ":" in name):
            raise HostileArchive(f"the member {name!r} points outside the archive")
        return self._folder / path

    def make_folder(self, path: Path) -> None:
        path.mkdir(mode=0o755, parents=True, exist_ok=True)

    def write(self, path: Path, content: IO[bytes], mode: int) -> None:
        self.make_folder(path.parent)
        with path.open("xb") as file:
            while chunk := content.read(_CHUNK):
                self._checkpoint()
                self._bytes += len(chunk)
                if self._bytes > _MAX_BYTES:
                    raise HostileArchive(f"more than {_MAX_BYTES} bytes")
                file.write(chunk)
        # Never set-uid, never writable by others, always readable by the owner.
        path.chmod((mode & 0o755) | 0o600)

    def link(self, path: Path, target: str) -> None:
        if os.path.isabs(target) or "\\" in target:
            raise HostileArchive(f"the symlink {path.name!r} points to {target!r}")
        self._links.append((path, target))

    def finish(self) -> None:
        """Create the symlinks, then check that none leads outside the folder, even indirectly."""
        for path, target in self._links:
            self.make_folder(path.parent)
            path.symlink_to(target)
        for path, target in self._links:
            if not path.resolve().is_relative_to(self._folder):
                path.unlink()
                raise HostileArchive(
                    f"the symlink {path.name!r} points outside the archive, to {target!r}"
                )


def _unpack_zip(archive: Path, unpacking: _Unpacking) -> None:
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            path = unpacking.place(member.filename)
            mode = member.external_attr >> 16  # 0 in zip files that are not from Unix
            if member.is_dir():
                unpacking.make_folder(path)
            elif stat.S_ISLNK(mode):
                if member.file_size > 4096:
                    raise HostileArchive(f"the symlink {member.filename!r} is too long")
                unpacking.link(path, packed.read(member).decode())
            elif stat.S_IFMT(mode) in {0, stat.S_IFREG}:
                with packed.open(member) as content:
                    unpacking.write(path, content, mode or 0o644)
            else:
                raise HostileArchive(f"the member {member.filename!r} is a device")


def _unpack_tar(archive: Path, unpacking: _Unpacking) -> None:
    with tarfile.open(archive) as packed:
        for member in packed:
            path = unpacking.place(member.name)
            if member.isdir():
                unpacking.make_folder(path)
            elif member.issym():
                unpacking.link(path, member.linkname)
            elif member.isreg():
                content = packed.extractfile(member)
                if content is not None:
                    with content:
                        unpacking.write(path, content, member.mode)
            else:
                raise HostileArchive(f"the member {member.name!r} is a link or a device")
