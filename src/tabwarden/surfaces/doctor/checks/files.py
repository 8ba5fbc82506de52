"""Check permissions, disk space, the profile's user, and leftovers of killed programs."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from tabwarden.config import (
    BrowserConfig,
    download_folder,
    profile_folder,
    profiles_folder,
    state_folder,
    upload_folder,
)
from tabwarden.config.document import parse_document, read_text
from tabwarden.config.schema import holds_secret
from tabwarden.endpoints.profiles import Leftover, check_profile, find_leftovers, scratch_base
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.surfaces.doctor.finding import (
    Finding,
    Patient,
    Status,
    ok,
    problem,
    skipped,
    warning,
)
from tabwarden.surfaces.guard.listening import token_file

_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def check_files(patient: Patient) -> list[Finding]:
    found = [
        *_configuration(patient.file),
        *_token(token_file()),
        *_folders(patient.config.browser),
    ]
    return found or [ok("Files and folders have the right permissions.")]


def _configuration(file: Path) -> Iterator[Finding]:
    if not os.path.isfile(file):
        return
    quoted, mode = shlex.quote(str(file)), file.stat().st_mode
    if not os.access(file, os.R_OK):
        yield problem(f"{file} can't be read.", f"chmod u+r {quoted}")
        return
    if _others(mode, _OTHERS_WRITE):
        words = f"Other users can write {file}, so they can run programs as you."
        yield problem(words, f"chmod go-w {quoted}")
    try:
        secret = holds_secret(parse_document(read_text(file) or "", file).values)
    except InvalidArgument:
        secret = True  # the file can't be parsed, so assume that it contains secrets
    if secret and _others(mode, _OTHERS_READ):
        yield problem(
            f"{file} contains secrets, and other users can read it.", f"chmod 600 {quoted}"
        )


def _token(file: Path) -> Iterator[Finding]:
    if not os.access(existing(file.parent), os.W_OK | os.X_OK):
        yield _unwritable(file.parent, "the server's token")
    if not os.path.isfile(file):
        return
    quoted = shlex.quote(str(file))
    if not os.access(file, os.R_OK):
        yield problem(f"The server's token file {file} can't be read.", f"rm -f {quoted}")
    elif _others(file.stat().st_mode, _OTHERS_READ | _OTHERS_WRITE):
        words = (
            f"Other users can read the server's token file {file}, and use your browsers with the "
            "token. Remove the file. tabwarden serve creates a new token when it restarts."
        )
        yield problem(words, f"rm -f {quoted}")


def _folders(config: BrowserConfig) -> Iterator[Finding]:
    uploads = upload_folder(config)
    if config.upload_dir is not None and not os.path.isdir(uploads):
        words = f"browser.upload_dir {uploads} is not a folder, so uploads do not work."
        yield warning(words, f"mkdir -p {shlex.quote(str(uploads))}")
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
            words = f"{logins} contains logins, and other users can read it."
            yield warning(words, f"chmod 700 {shlex.quote(str(logins))}")
    if config.restore is not None:
        yield from _restored(state_folder(config) / f"{config.restore}.json")


def _restored(file: Path) -> Iterator[Finding]:
    quoted = shlex.quote(str(file))
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        words = f"This user can't read and write {file}, so browser.restore does not work."
        yield problem(words, f'sudo chown "$USER" {quoted}')


def _others(mode: int, bits: int) -> bool:
    # Windows has no permission bits. The user's own folder protects the file there.
    return os.name != "nt" and bool(mode & bits)


def _unwritable(folder: Path, purpose: str) -> Finding:
    held = existing(folder)
    if not os.path.isdir(held):
        words = f"{held} is not a folder, so {purpose} can't be stored in {folder}."
        return problem(words, f"mv {shlex.quote(str(held))} {shlex.quote(f'{held}.old')}")
    words = f"This user can't write to {held}, so {purpose} can't be stored in {folder}."
    return problem(words, f'sudo chown "$USER" {shlex.quote(str(held))}')


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
        status=status,
        message=f"{words[0].upper()}{words[1:]}.",
        command="" if status == "ok" else mend,
        data={"folder": str(folder), "free_bytes": free},
    )


def check_user_data_dir(patient: Patient) -> list[Finding]:
    profile = profile_folder(patient.config.browser, None, None)
    key = "profile" if patient.config.browser.profile else "user_data_dir"
    if profile is None:
        words = "browser.user_data_dir and browser.profile are not set, so each browser uses a new "
        words += "profile."
        return [skipped(words)]
    try:
        check_profile(profile)
    except InvalidArgument as error:
        return [problem(error.message, f"tabwarden config unset browser.{key}")]
    except LaunchFailed as error:
        holder = error.data["holder"]
        pid, host = int(holder["pid"]), str(holder["host"])
        if host != socket.gethostname():
            mend = f"rm {shlex.quote(str(profile / 'SingletonLock'))}"
            return [problem(f"{error.message} {error.hint}", mend, **holder)]
        program = program_of(pid)
        by = f" The process is {program}." if program else ""
        mend = f"kill {pid}" if pid else f"tabwarden config unset browser.{key}"
        return [problem(f"{error.message}{by}", mend, **holder, program=program)]
    unlocked = next(_users_of(profile), None)
    if unlocked is not None:
        program = program_of(unlocked)
        return [
            warning(
                f"{program} (process {unlocked}) is using {profile} without a lock. Only one "
                "browser at a time can use a profile.",
                f"kill {unlocked}",
                pid=unlocked,
                program=program,
            )
        ]
    words = f"No browser is using {profile}." if profile.exists() else f"{profile} will be created."
    return [ok(words)]


def program_of(pid: int) -> str:
    """Return the name of a process's program; "" if the system doesn't report it."""
    try:
        return Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _users_of(profile: Path) -> Iterator[int]:
    """Yield the main processes of the browsers that use a profile.

    This searches the arguments of all processes, because headless shells don't lock a profile.
    """
    # Only a browser's child processes have --type.
    wanted = os.fsencode(f"--user-data-dir={profile}")
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if wanted in arguments and not any(one.startswith(b"--type=") for one in arguments):
            yield int(process.name)


REMOVAL_S = 1.0
"""How long to wait before reporting a folder without an owner, because the folder may be about to
be removed.
"""


def check_leftovers(_: Patient) -> list[Finding]:
    """Look for temporary profiles whose owner has exited, and for browsers that still use them."""
    found = find_leftovers()
    if found:
        time.sleep(REMOVAL_S)
        still = {one.folder for one in found}
        found = [one for one in find_leftovers() if one.folder in still]
    if found:
        return [_finding_for(one) for one in found]
    return [ok("There are no leftover browsers or folders.")]


def _finding_for(left: Leftover) -> Finding:
    if left.browser is not None:
        return warning(
            f"A browser (process {left.browser.pid} on {left.browser.host}) is still running, but "
            "the program that started it has ended.",
            f"kill {left.browser.pid}",
            folder=str(left.folder),
            pid=left.browser.pid,
        )
    return warning(
        f"{left.folder} is a leftover. The next browser launch removes it.",
        f"rm -r {shlex.quote(str(left.folder))}",
        folder=str(left.folder),
    )
