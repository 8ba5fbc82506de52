"""Check that files and folders exist, are writable, and are protected from other users."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from tabwarden.config import (
    BrowserConfig,
    download_folder,
    profiles_folder,
    state_folder,
    upload_folder,
)
from tabwarden.config.document import parse_document, read_text
from tabwarden.config.schema import holds_secret
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.doctor.checks.disk import existing
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.guard.bearer import token_file

_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def check_files(patient: Patient) -> list[Finding]:
    found = [
        *_configuration(patient.file),
        *_token(token_file()),
        *_folders(patient.config.browser),
    ]
    return found or [
        Finding(check="files", status="ok", message="Files and folders have the right permissions.")
    ]


def _configuration(file: Path) -> Iterator[Finding]:
    if not os.path.isfile(file):
        return
    quoted, mode = shlex.quote(str(file)), file.stat().st_mode
    if not os.access(file, os.R_OK):
        yield _finding("problem", f"{file} can't be read.", f"chmod u+r {quoted}")
        return
    if _others(mode, _OTHERS_WRITE):
        words = f"Other users can write {file} and so decide which programs run as you."
        yield _finding("problem", words, f"chmod go-w {quoted}")
    try:
        secret = holds_secret(parse_document(read_text(file) or "", file).values)
    except InvalidArgument:
        secret = True  # the file can't be parsed, so assume that it holds secrets
    if secret and _others(mode, _OTHERS_READ):
        yield _finding(
            "problem", f"{file} holds secrets, and other users can read it.", f"chmod 600 {quoted}"
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
            f"Other users can read the server's token {file} and use your browsers with it. "
            "Remove the file: tabwarden serve creates a new token when it restarts."
        )
        yield _finding("problem", words, f"rm -f {quoted}")


def _folders(config: BrowserConfig) -> Iterator[Finding]:
    uploads = upload_folder(config)
    if config.upload_dir is not None and not os.path.isdir(uploads):
        words = f"browser.upload_dir {uploads} is not a folder, so uploads do not work."
        yield _finding("warning", words, f"mkdir -p {shlex.quote(str(uploads))}")
    for folder, purpose in (
        (download_folder(config), "downloads"),
        (state_folder(config), "storage states"),
        (profiles_folder(config), "profiles"),
    ):
        held = existing(folder)
        if not os.path.isdir(held) or not os.access(held, os.W_OK | os.X_OK):
            yield _unwritable(folder, purpose)
    profiles = profiles_folder(config)
    named = sorted(profiles.iterdir()) if os.access(profiles, os.R_OK | os.X_OK) else []
    for logins in (state_folder(config), *named):
        if os.path.isdir(logins) and _others(logins.stat().st_mode, _OTHERS_READ | stat.S_IXOTH):
            words = f"{logins} holds logins, and other users can read it."
            yield _finding("warning", words, f"chmod 700 {shlex.quote(str(logins))}")
    if config.restore is not None:
        yield from _restored(state_folder(config) / f"{config.restore}.json")


def _restored(file: Path) -> Iterator[Finding]:
    quoted = shlex.quote(str(file))
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        words = f"This user can't read and write {file}, so browser.restore keeps no logins."
        yield _finding("problem", words, f'sudo chown "$USER" {quoted}')


def _others(mode: int, bits: int) -> bool:
    # Windows has no permission bits. The user's own folder protects the file there.
    return os.name != "nt" and bool(mode & bits)


def _unwritable(folder: Path, purpose: str) -> Finding:
    held = existing(folder)
    if not os.path.isdir(held):
        words = f"{held} is not a folder, but {purpose} belong in {folder}."
        return _finding(
            "problem", words, f"mv {shlex.quote(str(held))} {shlex.quote(f'{held}.old')}"
        )
    words = f"This user can't write {held}, but {purpose} belong in {folder}."
    return _finding("problem", words, f'sudo chown "$USER" {shlex.quote(str(held))}')


def _finding(status: Status, message: str, command: str) -> Finding:
    return Finding(check="files", status=status, message=message, command=command)
