"""Whether files and folders are there, writable by this user, and no others' to read or change."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from tabwarden.config import BrowserConfig
from tabwarden.config.document import parse_document, read_text
from tabwarden.config.schema import holds_secret
from tabwarden.errors import InvalidArgument
from tabwarden.policy import download_folder, state_folder, upload_folder
from tabwarden.surfaces.doctor.checks.disk import existing
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.guard.bearer import token_file

__all__ = ["check_files"]

_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def check_files(patient: Patient) -> list[Finding]:
    """Look at the configuration, the server's token, and the folders."""
    found = [
        *_configuration(patient.file),
        *_token(token_file()),
        *_folders(patient.config.browser),
    ]
    return found or [
        Finding(check="files", status="ok", message="Files and folders are as they should be.")
    ]


def _configuration(file: Path) -> Iterator[Finding]:
    if not os.path.isfile(file):
        return
    quoted, mode = shlex.quote(str(file)), file.stat().st_mode
    if not os.access(file, os.R_OK):
        yield _finding("problem", f"{file} can't be read.", f"chmod u+r {quoted}")
        return
    if _others(mode, _OTHERS_WRITE):
        words = f"Others can write {file}, and so choose what is started as you."
        yield _finding("problem", words, f"chmod go-w {quoted}")
    try:
        secret = holds_secret(parse_document(read_text(file) or "", file).values)
    except InvalidArgument:
        secret = True  # as far as anybody can tell
    if secret and _others(mode, _OTHERS_READ):
        yield _finding(
            "problem", f"{file} holds secrets, and others can read it.", f"chmod 600 {quoted}"
        )


def _token(file: Path) -> Iterator[Finding]:
    if not os.access(existing(file.parent), os.W_OK | os.X_OK):
        yield _unwritable(file.parent, "the server's token")
    if not os.path.isfile(file):
        return
    quoted = shlex.quote(str(file))
    if not os.access(file, os.R_OK):
        yield _finding("problem", f"The server's token {file} can't be read.", f"rm -f {quoted}")
    elif _others(file.stat().st_mode, _OTHERS_READ | _OTHERS_WRITE):
        words = (
            f"Others can read the server's token {file}, and whoever did can use your browsers. "
            "Removed, a new one is made when tabwarden serve starts again."
        )
        yield _finding("problem", words, f"rm -f {quoted}")


def _folders(config: BrowserConfig) -> Iterator[Finding]:
    uploads = upload_folder(config)
    if config.upload_dir is not None and not os.path.isdir(uploads):
        words = f"browser.upload_dir {uploads} is no folder: nothing can be uploaded."
        yield _finding("warning", words, f"mkdir -p {shlex.quote(str(uploads))}")
    for folder, purpose in (
        (download_folder(config), "downloads"),
        (state_folder(config), "storage states"),
    ):
        held = existing(folder)
        if not os.path.isdir(held) or not os.access(held, os.W_OK | os.X_OK):
            yield _unwritable(folder, purpose)
    states = state_folder(config)
    if os.path.isdir(states) and _others(states.stat().st_mode, _OTHERS_READ | stat.S_IXOTH):
        words = f"{states} holds logins, and others can read it."
        yield _finding("warning", words, f"chmod 700 {shlex.quote(str(states))}")


def _others(mode: int, bits: int) -> bool:
    # Windows has no such bits: there the user's own folder is what protects it.
    return os.name != "nt" and bool(mode & bits)


def _unwritable(folder: Path, purpose: str) -> Finding:
    held = existing(folder)
    if not os.path.isdir(held):
        words = f"{held} is no folder, and {purpose} belong in {folder}."
        return _finding(
            "problem", words, f"mv {shlex.quote(str(held))} {shlex.quote(f'{held}.old')}"
        )
    words = f"{held} can't be written by this user, and {purpose} belong in {folder}."
    return _finding("problem", words, f'sudo chown "$USER" {shlex.quote(str(held))}')


def _finding(status: Status, message: str, command: str) -> Finding:
    return Finding(check="files", status=status, message=message, command=command)
