"""``Uploads``: files from the viewer's machine, stored in a temporary folder until a page has read
them.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tabwarden.endpoints.profiles import Scratch
from tabwarden.errors import InvalidArgument

UPLOAD_S = 600.0
"""How long an uploaded file is kept if no page receives it."""

LARGEST = 100_000_000
"""The maximum total size, in bytes, of one person's files that no page has received."""
MOST_FILES = 50
"""The maximum number of such files (not received by a page) for one person."""
LARGEST_IN_ALL = 2_000_000_000
"""The maximum total size of a server's files, including files that pages have received. Tenants may
use half of it, so that space always remains for the operator.
"""


class Upload:
    """The files for one answer, while they are being received."""

    def __init__(self, folder: Path, uploads: Uploads, person: str, tenant: str | None) -> None:
        self.folder = folder
        self.person = person
        self.tenant = tenant
        self.paths: list[Path] = []
        self.began = time.monotonic()
        self.size = 0
        self._uploads = uploads

    def begin(self, name: str) -> None:
        """Start the next file. Each file has its own numbered folder, so that files may have the
        same name.

        Raises:
            InvalidArgument: there are too many files.
        """
        if sum(len(one.paths) for one in self._uploads.waiting_of(self.person)) >= MOST_FILES:
            raise InvalidArgument(
                f"You can upload at most {MOST_FILES} files at once.", "Choose fewer files."
            )
        last = name.replace("\\", "/").rpartition("/")[2]
        from pathvalidate import sanitize_filename  # slow to import

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
            raise InvalidArgument("The upload has no file.", "Send the file again.")
        waiting = sum(one.size for one in self._uploads.waiting_of(self.person))
        if waiting + len(chunk) > LARGEST:
            raise InvalidArgument(
                "The files are too large.", "Choose files with at most 100 MB in total."
            )
        if not self._uploads.has_room(len(chunk), self.tenant):
            raise InvalidArgument(
                "The server's storage for uploaded files is full.",
                "Try again when other tasks have ended.",
            )
        self.size += len(chunk)
        with self.paths[-1].open("ab") as file:
            file.write(chunk)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Uploads:
    """The uploads on one server, in a folder that only this user can open. A page may read its
    files until the browser closes.
    """

    def __init__(self) -> None:
        self._scratch: Scratch | None = None
        self._root: Path | None = None
        self._waiting: list[Upload] = []
        self._given: list[tuple[Upload, Callable[[], bool]]] = []
        """The uploads that pages have received, each with a function that returns whether the
        browser is open.
        """

    def begin(self, person: str = "", tenant: str | None = None) -> Upload:
        """Begin an upload.

        Args:
            person: the person who sends the files. The limits apply to each person.
            tenant: the tenant of the person's link; None for the operator's.
        """
        if self._root is None:
            self._scratch = Scratch.create("upload-")
            self._root = self._scratch.folder / "files"
            self._root.mkdir(mode=0o700)
        for old in [one for one in self._waiting if one.began < time.monotonic() - UPLOAD_S]:
            self.give_up(old)
        for read in [one for one, is_open in self._given if not is_open()]:
            self.give_up(read)
        upload = Upload(Path(tempfile.mkdtemp(dir=self._root)), self, person, tenant)
        self._waiting.append(upload)
        return upload

    def given(self, upload: Upload, is_open: Callable[[], bool]) -> None:
        """Record that a page has received an upload's files. The files are kept while the page's
        browser is open.

        Args:
            is_open: returns whether the page's browser is open.
        """
        self._forget(upload)
        self._given.append((upload, is_open))

    def give_up(self, upload: Upload) -> None:
        self._forget(upload)
        upload.remove()

    def waiting_of(self, person: str) -> list[Upload]:
        """Return a person's uploads that no page has received."""
        return [one for one in self._waiting if one.person == person]

    def has_room(self, size: int, tenant: str | None) -> bool:
        """Whether there is space for ``size`` more bytes from a tenant, or from the operator
        (None).
        """
        kept = (*self._waiting, *(upload for upload, _ in self._given))
        of_tenants = sum(one.size for one in kept if one.tenant is not None)
        if tenant is not None and of_tenants + size > LARGEST_IN_ALL // 2:
            return False
        return sum(one.size for one in kept) + size <= LARGEST_IN_ALL

    def close(self) -> None:
        if self._scratch is not None:
            self._scratch.remove()

    def _forget(self, upload: Upload) -> None:
        self._waiting = [one for one in self._waiting if one is not upload]
        self._given = [one for one in self._given if one[0] is not upload]
