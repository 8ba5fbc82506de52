"""Find the files that may be uploaded, by a name in the upload folder or by path."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.files.inbox import is_in_inbox
from tabwarden.files.plain_file import real_path

_MOST_LISTED = 20
_FROM_HERE = ("./", "../", ".\\", "..\\")


class NoSuchUpload(InvalidArgument):
    """No allowed folder contains a file with this name."""


def files_in(
    folders: Sequence[Path], filenames: Sequence[str], *, takes_folders: bool = False
) -> list[str]:
    """Return the absolute paths of files in the allowed folders (see ``file_in``).

    Raises:
        InvalidArgument: a file does not exist; the error lists the existing files.
        Denied: a file is outside the folders.
    """
    if isinstance(filenames, str) or not isinstance(filenames, Sequence):
        raise InvalidArgument(
            "filenames must be a list.", "Give a list of file names.", field="filenames"
        )
    return [file_in(folders, name, "filenames", takes_folders=takes_folders) for name in filenames]


def file_in(folders: Sequence[Path], name: str, field: str, *, takes_folders: bool = False) -> str:
    """Return the absolute path of one file in the allowed folders.

    Args:
        folders: the upload folder, then the other allowed folders.
        name: a file name in one of the folders, or a full path. A name that starts with ``./`` is
            relative to the caller's current folder, and the upload folder is not searched.
        field: the argument's name, for errors.
        takes_folders: whether ``name`` may also be a folder. The browser does not follow links in
            the folder.

    Raises:
        InvalidArgument: the file does not exist, or two folders contain a file with this name.
        Denied: the file is outside the folders.
    """
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise InvalidArgument(f"{name!r} is not a valid file name.", field=field)
    own, *others = roots = [real_path(folder) for folder in folders]
    candidates = [(root, real_path(root / name)) for root in roots]
    if os.path.isabs(name):
        candidates = [(root, path) for root, path in candidates if path.is_relative_to(root)]
        is_outside = not candidates
    else:
        is_outside = any(not path.is_relative_to(root) for root, path in candidates)
        if name.startswith(_FROM_HERE):
            candidates = candidates[1:]
    matches = dict.fromkeys(
        path
        for root, path in candidates
        if path.is_relative_to(root) and _exists(path, folders=takes_folders)
    )
    paths = [*matches]
    if len(paths) > 1:
        raise InvalidArgument(
            f"{name!r} is in two folders: {paths[0]}, {paths[1]}.", "Give the path.", field=field
        )
    if not paths:
        raise (
            _outside_error(name, roots, field)
            if is_outside
            else no_such_upload_error(name, own, others, field)
        )
    return str(paths[0])


def no_such_upload_error(
    name: str, own: Path, others: Sequence[Path] = (), field: str = "filenames"
) -> NoSuchUpload:
    """Return the error for a file that does not exist. The error lists the upload folder's
    files."""
    listed = [str(one) for one in others if not is_in_inbox(one)]
    others_note = f", or in {', '.join(listed)}" if listed else ""
    return NoSuchUpload(
        f"There is no file {name!r} in the upload folder {own}{others_note}.",
        "Only files in that folder can be uploaded (configuration: upload_dir). It contains: "
        f"{', '.join(_files_of(own)) or 'nothing'}.",
        field=field,
    )


def _outside_error(name: str, roots: Sequence[Path], field: str) -> Denied:
    listed = [str(root) for root in roots if not is_in_inbox(root)]
    more = " and the other allowed folders" if len(listed) > 1 else ""
    return Denied(
        f"Invalid path: {name!r} is outside the upload folder{more}.",
        f"Only files in {', '.join(listed)} can be uploaded (configuration: upload_dir, "
        "upload_roots).",
        field=field,
    )


def _exists(path: Path, *, folders: bool) -> bool:
    try:
        return path.is_file() or (folders and path.is_dir())
    except OSError:  # the operating system rejects the file name
        return False


def _files_of(root: Path) -> list[str]:
    """Return the names of the first few files in the folder."""
    if not root.is_dir():
        return []
    files = (
        p
        for p in sorted(root.iterdir())
        if real_path(p).is_relative_to(root) and _exists(p, folders=False)
    )
    return [file.name for file in itertools.islice(files, _MOST_LISTED)]
