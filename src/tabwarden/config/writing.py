"""Change a configuration file: check the complete result, then replace the file atomically."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tabwarden.config.document import parse_document, read_text
from tabwarden.config.editing import text_with, text_without
from tabwarden.config.layers import Layers
from tabwarden.config.loading import checked
from tabwarden.config.schema import holds_secret
from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import real_path
from tabwarden.files.private_folder import make_private_folder

_PRIVATE = 0o600


def set_value(file: Path, keys: Sequence[str], value: Any) -> Path:
    """Set one key in a file, and return the path of the written file.

    Create the folder and the file if they are missing. If ``file`` is a symbolic link, write to its
    target.

    Raises:
        InvalidArgument: the result would be invalid, or the file can't be written. The file stays
            unchanged.
    """

    def changed(text: str) -> str:
        before = Layers(parse_document(text, file))
        nested: Any = value
        for key in reversed(keys):
            nested = {key: nested}
        # Check the value before writing it, because YAML may be unable to represent an invalid
        # value.
        checked(before._replace(arguments=nested))
        after = text_with(text, keys, value, file)
        checked(Layers(parse_document(after, file)))
        return after

    return _change(file, changed)


def unset_value(file: Path, keys: Sequence[str]) -> Path | None:
    """Remove one key from a file, even an unknown key, and even if the file has other errors.

    Return the path of the written file; None if the file does not contain the key.

    Raises:
        InvalidArgument: removing the key would make the file invalid, or the file can't be read
            or written. The file stays unchanged.
    """

    def changed(text: str) -> str:
        after = text_without(text, keys, file)
        broken = _fault(after, file)
        if broken is not None and _fault(text, file) is None:
            raise broken
        return after

    try:
        return _change(file, changed) if os.path.lexists(file) else None
    except KeyError:
        return None


def _fault(text: str, file: Path) -> InvalidArgument | None:
    try:
        checked(Layers(parse_document(text, file)))
    except InvalidArgument as error:
        return error
    return None


def _change(file: Path, changed: Callable[[str], str]) -> Path:
    # If the path is a symbolic link, replace its target, not the link.
    real = real_path(file)
    try:
        make_private_folder(real.parent)
        with _one_at_a_time(real.parent):
            text = changed(read_text(real) or "")
            private = holds_secret(parse_document(text, real).values)
            replace_file(real, text, private=private)
    except OSError as error:
        mend = "Make its folder writable for this user, or choose another file with --config."
        if error.errno == errno.EBUSY:
            mend = (
                "The file itself is a mount point, as is common in containers. Mount its folder "
                "instead, or edit the file outside the container."
            )
        raise InvalidArgument(
            f"The configuration file {real} can't be written: {error.strerror or error}.",
            mend,
            field="config",
        ) from None
    return real


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Serialize concurrent changes."""
    if sys.platform == "win32":
        yield  # Windows can't lock a folder
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def replace_file(file: Path, text: str, *, private: bool = False) -> None:
    """Replace the content of ``file`` atomically, but keep its owner and permissions.

    Args:
        file: the file; a new file can be read only by its owner.
        text: its new content.
        private: whether only the owner may read the file, regardless of its previous permissions.

    Raises:
        OSError: the file can't be written. Its content is unchanged.
    """
    handle, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if sys.platform != "win32":
            mode = _PRIVATE
            with contextlib.suppress(FileNotFoundError):
                was = file.stat()
                mode = stat.S_IMODE(was.st_mode)
                with contextlib.suppress(PermissionError):
                    os.chown(draft, was.st_uid, was.st_gid)
            os.chmod(draft, mode & _PRIVATE if private else mode)
        os.replace(draft, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
