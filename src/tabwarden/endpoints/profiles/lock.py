"""Find the process that uses a profile, lock profiles, and reject profiles that Chrome refuses to
debug.

We need our own lock on a permanent profile because headless shells don't lock profiles, and two
browsers on one profile would overwrite each other's cookies. The operating system releases our lock
when our process exits.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path
from typing import NamedTuple

from tabwarden.digits import whole_number
from tabwarden.endpoints.profiles.default_folders import default_folders
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.files.locks import try_lock
from tabwarden.files.plain_file import check_plain_file


class Holder(NamedTuple):
    """The process that uses a profile, according to Chrome; ``pid`` is 0 if unknown."""

    host: str
    pid: int


def parse_lock(target: str) -> Holder | None:
    """Parse the target of Chrome's ``SingletonLock`` symlink: ``<host>-<pid>``.

    Source: chrome/browser/process_singleton_posix.cc. Example: ``vm-9443``.
    """
    host, dash, pid = target.rpartition("-")
    number = whole_number(pid)
    if not dash or not host or number is None:
        return None
    return Holder(host, number)


def living_holder(profile: Path) -> Holder | None:
    """Return the process that has locked ``profile``; None if no running process has locked it.

    A lock from another host counts as in use, because we can't check it from here.
    """
    if sys.platform == "win32":
        return _windows_holder(profile)
    try:
        holder = parse_lock(os.readlink(profile / "SingletonLock"))
    except OSError:
        return None
    if holder is None or holder.host != socket.gethostname():
        return holder
    return holder if _alive(holder.pid) and not _socket_is_dead(profile) else None


def check_profile(profile: Path) -> None:
    """Raise an error for a profile folder that Chrome would reject.

    Raises:
        InvalidArgument: ``profile`` is a file, or a browser's default profile.
        LaunchFailed: another browser is using the profile.
    """
    if profile.exists() and not profile.is_dir():
        raise InvalidArgument(
            f"user_data_dir {profile} is not a folder.", "Specify a folder.", field="user_data_dir"
        )
    known = {os.path.realpath(path) for path in default_profiles()}
    real = os.path.realpath(profile)  # Path.resolve raises RuntimeError for a loop of links
    if real in known or os.path.dirname(real) in known:
        raise InvalidArgument(
            f"user_data_dir {profile} is a browser's default profile. Since version 136, Chromium "
            "browsers do not allow debugging there.",
            "Use a different folder, or work in the running browser itself: `tabwarden connect`.",
            field="user_data_dir",
        )
    holder = living_holder(profile)
    if holder is not None:
        raise locked(profile, holder)


def locked(profile: Path, holder: Holder | None) -> LaunchFailed:
    """Return the error for a profile that is in use."""
    where = f" (process {holder.pid} on {holder.host})" if holder and holder.pid else ""
    foreign = holder is not None and holder.host != socket.gethostname()
    return LaunchFailed(
        f"Another browser is using the profile {profile}{where}. Only one browser at a time can "
        "use a profile.",
        f"If no browser is running on {holder.host}, remove {profile / 'SingletonLock'}."
        if foreign and holder is not None
        else "Close that browser, choose another profile or user_data_dir, or omit it to use a "
        "temporary profile.",
        profile=str(profile),
        holder=holder._asdict() if holder else None,
    )


def default_profiles() -> list[Path]:
    """Return the default profiles of Chrome, Edge and Brave, which can't be debugged.

    Chromium is not included, because version 156 could debug its default profile.
    """
    return [one.path for one in default_folders() if not one.name.startswith("chromium")]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # the process is alive, but belongs to another user
        return True
    return True


def _socket_is_dead(profile: Path) -> bool:
    """Whether no process listens on the socket of the lock's owner.

    If so, the owner has exited, and another process now has its process ID.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(0.5)
        try:
            probe.connect(str(profile / "SingletonSocket"))
        except OSError as error:
            return error.errno in {errno.ECONNREFUSED, errno.ENOENT}
    return False


def _windows_holder(profile: Path) -> Holder | None:
    """Find a profile's user on Windows, where Chrome keeps ``lockfile`` open for exclusive use."""
    try:
        os.close(os.open(profile / "lockfile", os.O_RDWR))
    except FileNotFoundError:
        return None
    except PermissionError:
        return Holder(socket.gethostname(), 0)
    return None


CLAIM = "tabwarden.lock"
"""The file that we lock. It contains our host name and process ID, as Chrome's ``SingletonLock``
does for Chrome. Its modification time is when the profile was last opened.
"""


def claimed_by(profile: Path) -> Holder | None:
    """Return the process that has our lock on a profile; None if no process has it."""
    try:
        fd = os.open(profile / CLAIM, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if try_lock(fd) else _holder_in(fd)
    finally:
        os.close(fd)


def _holder_in(fd: int) -> Holder:
    return parse_lock(os.read(fd, 1000).decode("utf-8", "replace")) or Holder(
        socket.gethostname(), 0
    )


class ProfileClaim:
    """A lock on a profile. ``end`` releases the lock."""

    def __init__(self, fd: int) -> None:
        self._fd: int | None = fd

    @classmethod
    def on(cls, profile: Path) -> ProfileClaim:
        """Lock an existing profile folder.

        Raises:
            LaunchFailed: another task has the lock. InvalidArgument: the folder is not writable.
        """
        no_links = getattr(os, "O_NOFOLLOW", 0)
        try:
            if (profile / CLAIM).exists():
                check_plain_file(profile / CLAIM)
            fd = os.open(profile / CLAIM, os.O_CREAT | os.O_RDWR | no_links, 0o600)
        except OSError as error:
            raise InvalidArgument(
                f"user_data_dir {profile} cannot be used: {error.strerror}.",
                "Specify a writable folder.",
                field="user_data_dir",
            ) from error
        if not try_lock(fd):
            holder = _holder_in(fd)
            os.close(fd)
            raise locked(profile, holder)
        os.ftruncate(fd, 0)
        os.write(fd, f"{socket.gethostname()}-{os.getpid()}".encode())
        return cls(fd)

    def end(self) -> None:
        """Release the lock. Call this method after the browser has exited. Safe to call twice."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
