"""Uploads: files of the viewer's machine, kept in a temporary folder until a page has read them."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from pathvalidate import sanitize_filename

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.live.timing import UPLOAD_S

LARGEST = 100_000_000
"""Maximum size of one answer's files, in bytes."""
MOST_FILES = 50


class Upload:
    """The files of one answer, while they arrive."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths: list[Path] = []
        self.began = time.monotonic()
        self._size = 0

    def begin(self, name: str) -> None:
        """Start the next file. Its folder has a number, so that two files may have one name.

        Raises:
            InvalidArgument: there are too many files.
        """
        if len(self.paths) >= MOST_FILES:
            raise InvalidArgument(f"At most {MOST_FILES} files fit in one answer.", "Send fewer.")
        last = name.replace("\\", "/").rpartition("/")[2]
        plain = sanitize_filename(last).strip(". ") or "file"
        place = self.folder / str(len(self.paths))
        place.mkdir(mode=0o700)
        self.paths.append(place / plain[:200])
        self.paths[-1].touch(0o600)

    def add(self, chunk: bytes) -> None:
        """Append to the current file.

        Raises:
            InvalidArgument: no file has begun, or the files are too large.
        """
        if not self.paths:
            raise InvalidArgument("No file has begun.", "Send the file again.")
        self._size += len(chunk)
        if self._size > LARGEST:
            raise InvalidArgument(
                "The files are too large.", "Choose files of at most 100 MB together."
            )
        with self.paths[-1].open("ab") as file:
            file.write(chunk)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Uploads:
    """All uploads of one server, in one folder that only this user can open. The folder goes when
    the server ends: a page may read its files at any time until then."""

    def __init__(self) -> None:
        self._root: Path | None = None
        self._waiting: list[Upload] = []

    def begin(self) -> Upload:
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="tabwarden-upload-"))
        for old in [one for one in self._waiting if one.began < time.monotonic() - UPLOAD_S]:
            self.give_up(old)
        upload = Upload(Path(tempfile.mkdtemp(dir=self._root)))
        self._waiting.append(upload)
        return upload

    def given(self, upload: Upload) -> None:
        """Keep an upload: a page has its files now."""
        if upload in self._waiting:
            self._waiting.remove(upload)

    def give_up(self, upload: Upload) -> None:
        self.given(upload)
        upload.remove()

    def close(self) -> None:
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
