"""The download folder: a file that arrived gets its name, and overwrites nothing unasked."""

from __future__ import annotations

import errno
import itertools
import os
import re
from pathlib import Path

from pathvalidate import sanitize_filename

__all__ = ["name_download", "settle_file"]

_NAME_MAX = 150
_ENDING_MAX = 20
_TRICKS = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""What is drawn as nothing, or turns a name around: ``gpj.exe`` would be read as ``exe.jpg``."""
_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")
"""It is the name of a file, and comes from a browser that may be anybody's."""


def name_download(folder: Path, guid: str, suggested: str) -> Path:
    """Give the download its name; where it stands then, always directly in ``folder``.

    A name that is taken gets a number: ``report.pdf``, ``report (1).pdf``.

    Raises:
        OSError: the file is not there, or is none of the folder's, or it can't be written to.
    """
    if not _GUID.fullmatch(guid):
        raise OSError(errno.EINVAL, "the browser did not name a file of the folder")
    return settle_file(folder / guid, suggested)


def settle_file(arrived: Path, suggested: str, *, overwrite: bool = False) -> Path:
    """Rename a file within its folder to what of ``suggested`` is safe; where it stands then.

    Raises:
        OSError: as ``name_download``.
    """
    names = _names(suggested)
    if overwrite:
        return arrived.replace(arrived.parent / next(names))
    for candidate in names:
        wanted = arrived.parent / candidate
        try:
            os.link(arrived, wanted)  # fails where a name is taken, unlike rename
        except FileExistsError:
            continue
        except OSError:  # a file system without hard links
            if wanted.exists():
                continue
            arrived.rename(wanted)
            return wanted
        arrived.unlink()
        return wanted
    raise AssertionError("unreachable")


def _names(suggested: str) -> itertools.chain[str]:
    whole = suggested.encode("utf-8", "replace").decode()  # half a surrogate pair has no encoding
    last = whole.replace("\\", "/").rpartition("/")[2]
    cut = _cut(_TRICKS.sub("", last))
    name = sanitize_filename(cut, platform="universal", max_len=_NAME_MAX).lstrip(". ")
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem:
        stem, ending = name, ""
    stem = stem or "download"
    ending = f".{ending}" if ending else ""
    return itertools.chain(
        [f"{stem}{ending}"], (f"{stem} ({n}){ending}" for n in itertools.count(1))
    )


def _cut(name: str) -> str:
    """A name of no more bytes than it may have; its ending stays, as it says what the file is."""
    if len(name.encode()) <= _NAME_MAX:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending.encode()) > _ENDING_MAX:
        stem, dot, ending = name, "", ""
    room = _NAME_MAX - len(f"{dot}{ending}".encode())
    return f"{stem.encode()[:room].decode('utf-8', 'ignore').rstrip('. ')}{dot}{ending}"
