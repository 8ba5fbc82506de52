"""Arriving: a file on its way into a folder. Under its name stands nothing before it is whole."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tabwarden.errors import InvalidArgument
from tabwarden.supervisor import settle_file

__all__ = ["Arriving"]


class Arriving:
    """A temporary file beside its later place; it is gone at the end unless it was kept.

    As a context manager; ``write`` and ``keep`` touch the disk, so they belong on a thread.

    Args:
        folder: made if need be.

    Raises:
        InvalidArgument: it can't be written there (any method).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f".tabwarden-{secrets.token_hex(8)}.part"
        self._hash = hashlib.sha256()
        self.size = 0
        """Bytes so far."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = self._path.open("xb")
        except OSError as error:
            raise self._unwritable(error) from None

    @property
    def sha256(self) -> str:
        """Of what has been written so far, in hexadecimal."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> None:
        """Append."""
        try:
            self._file.write(data)
        except OSError as error:
            raise self._unwritable(error) from None
        self._hash.update(data)
        self.size += len(data)

    def restart(self) -> None:
        """Throw away what has been written."""
        self._file.seek(0)
        self._file.truncate()
        self._hash = hashlib.sha256()
        self.size = 0

    def keep(self, name: str, *, overwrite: bool = False) -> Path:
        """Give it its name, or, where that is taken and may not be overwritten, a numbered one."""
        try:
            self._file.close()
            return settle_file(self._path, name, overwrite=overwrite).resolve()
        except OSError as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _unwritable(self, error: OSError) -> InvalidArgument:
        return InvalidArgument(
            f"A file can't be written to the download folder {self._folder}: {error.strerror}.",
            "Make room there, or name another folder (configuration: download_dir).",
            field="download_dir",
        )
