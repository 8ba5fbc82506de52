"""The folders that the API serves. A tenant's configuration names its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

import msgspec

from tabwarden.config import BrowserConfig, download_folder, output_folder, upload_folder
from tabwarden.recording import trace_folder


class ServedFolder(msgspec.Struct, frozen=True, kw_only=True):
    """One folder, as clients know it."""

    name: str
    """Its part of the route."""
    word: str
    """What errors call it: ``download`` for the folder that ``download_dir`` sets."""
    of: Callable[[BrowserConfig], Path]
    """Returns where it is."""


def _screenshots(config: BrowserConfig) -> Path:
    return download_folder(config) / "screenshots"


FOLDERS: Mapping[str, ServedFolder] = {
    one.name: one
    for one in (
        ServedFolder(name="uploads", word="upload", of=upload_folder),
        ServedFolder(name="downloads", word="download", of=download_folder),
        ServedFolder(name="screenshots", word="download", of=_screenshots),
        ServedFolder(name="outputs", word="output", of=output_folder),
        ServedFolder(name="traces", word="trace", of=trace_folder),
    )
}
"""By name. The folder of storage states is not among them: its files are logins."""


def route_to(config: BrowserConfig, path: str | None) -> str | None:
    """Return the route that gets a file; None if the file is in no folder that has one.

    Args:
        config: the configuration of the file's task.
        path: where the file is; None if that is unknown.
    """
    if path is None:
        return None
    file = Path(path)
    for folder in FOLDERS.values():
        if folder.name != "uploads" and folder.of(config).resolve() == file.parent:
            return f"/files/{folder.name}/{quote(file.name)}"
    return None
