"""Check that the disk has room for profiles and downloads."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tabwarden.config import download_folder
from tabwarden.endpoints.profiles import scratch_base
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient

_MEGA = 1_000_000
_TIGHT, _LITTLE = 100 * _MEGA, 500 * _MEGA
"""A new profile takes about 20 MB after one page. Its cache grows to hundreds of megabytes."""


def check_disk(patient: Patient) -> list[Finding]:
    temporary, downloads = scratch_base(), existing(download_folder(patient.config.browser))
    found = [_room(temporary, "temporary profiles", "export TMPDIR=/a/folder/with/room")]
    if downloads.stat().st_dev != temporary.stat().st_dev:
        mend = "tabwarden config set browser.download_dir /a/folder/with/room"
        found.append(_room(downloads, "downloads", mend))
    return found


def existing(folder: Path) -> Path:
    """Return the folder, or its nearest existing parent."""
    return next((one for one in (folder, *folder.parents) if os.path.exists(one)), Path("/"))


def _room(folder: Path, purpose: str, mend: str) -> Finding:
    free = shutil.disk_usage(folder).free
    status: Status = "problem" if free < _TIGHT else "warning" if free < _LITTLE else "ok"
    words = f"{free / _MEGA:,.0f} MB free for {purpose} in {folder}"
    if hasattr(os, "statvfs"):
        status_of = os.statvfs(folder)
        if status_of.f_files and not status_of.f_favail:
            status, words = "problem", f"{folder} has no free inodes for {purpose}"
    return Finding(
        check="disk",
        status=status,
        message=f"{words[0].upper()}{words[1:]}.",
        command="" if status == "ok" else mend,
        data={"folder": str(folder), "free_bytes": free},
    )
