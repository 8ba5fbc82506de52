"""Remove the files that killed processes left in the configured folders."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

from tabwarden.config import BrowserConfig, download_folder, output_folder, upload_folder
from tabwarden.endpoints.profiles import sweep_hidden_leftovers
from tabwarden.files.download_folder import remove_abandoned
from tabwarden.recording import trace_folder

_swept: set[Path] = set()


def sweep_once(config: BrowserConfig) -> None:
    """In the background, remove incomplete files, and recordings of processes that have exited. Do
    this once per process for each folder."""
    files = (config.record_har, config.record_video)
    folders = {
        download_folder(config),
        upload_folder(config),
        output_folder(config),
        trace_folder(config),
        *([config.record] if config.record is not None else []),
        *(one.parent for one in files if one is not None),
    }
    fresh = folders - _swept
    _swept.update(fresh)
    if fresh:
        threading.Thread(target=_sweep, args=(fresh,), name="tabwarden-sweep", daemon=True).start()


def _sweep(folders: set[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            remove_abandoned(folder)
            sweep_hidden_leftovers(folder)
