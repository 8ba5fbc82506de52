"""Changing a configuration file: checked as a whole first, then replaced at once or not at all."""

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

from tabwarden.config.document import Document, parse_document, read_text
from tabwarden.config.editing import text_with, text_without
from tabwarden.config.layers import Layers
from tabwarden.config.loading import checked
from tabwarden.config.schema import holds_secret
from tabwarden.errors import InvalidArgument

__all__ = ["set_value", "unset_value"]

_PRIVATE = 0o600


def set_value(file: Path, keys: Sequence[str], value: Any) -> Path:
    """Set one key in a file; folder and file are made if need be.

    Args:
        file: it, or a link to it.
        keys: what leads to the value.
        value: JSON-ready.

    Returns:
        The file that was written.

    Raises:
        InvalidArgument: the configuration would not be right, or the file can't be written: it is
            as it was.
    """

    def changed(text: str) -> str:
        before = Layers(parse_document(text, file))
        nested: Any = value
        for key in reversed(keys):
            nested = {key: nested}
        # Checked before it is written down, as YAML might not have a form for what is wrong.
        checked(before._replace(arguments=nested))
        after = text_with(text, keys, value, file)
        checked(Layers(parse_document(after, file)))
        return after

    return _change(file, changed)


def unset_value(file: Path, keys: Sequence[str]) -> Path | None:
    """Remove one key of a file, known or not; what is wrong elsewhere in it is no hindrance.

    Returns:
        The file that was written; None when the key is not in it.

    Raises:
        InvalidArgument: the configuration would be wrong for the lack of it, or the file can't be
            read or written: it is as it was.
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
    # The file that a link leads to is replaced, not the link.
    real = Path(os.path.realpath(file))
    try:
        real.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _one_at_a_time(real.parent):
            text = changed(read_text(real) or "")
            _replace(real, text, parse_document(text, real))
    except OSError as error:
        mend = "Make its folder writable for this user, or name another file with --config."
        if error.errno == errno.EBUSY:
            mend = "It is mounted by itself, as containers do: mount its folder, or edit it there."
        raise InvalidArgument(
            f"The configuration file {real} can't be written: {error.strerror or error}.",
            mend,
            field="config",
        ) from None
    return real


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Two who change a file at the same moment do it one after the other."""
    if sys.platform == "win32":
        yield  # a folder can't be locked there
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace(file: Path, text: str, document: Document) -> None:
    """Put a new file in the place of ``file``, with its owner and rights; secrets are its user's
    alone."""
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
            os.chmod(draft, mode & _PRIVATE if holds_secret(document.values) else mode)
        os.replace(draft, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
