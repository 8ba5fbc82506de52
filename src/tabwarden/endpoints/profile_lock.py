"""Whose profile is it: Chrome's lock on a profile folder, and folders it will not debug."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path
from typing import NamedTuple

from tabwarden.errors import InvalidArgument, LaunchFailed

__all__ = ["Holder", "check_profile", "default_profiles", "living_holder", "parse_lock"]


class Holder(NamedTuple):
    """Who holds a profile, as Chrome wrote it; ``pid`` 0 where the system does not tell."""

    host: str
    pid: int


def parse_lock(target: str) -> Holder | None:
    """Read the target of Chrome's ``SingletonLock`` symlink: ``<host>-<pid>``.

    Source: chrome/browser/process_singleton_posix.cc; seen here as ``vm-9443``.
    """
    host, dash, pid = target.rpartition("-")
    if not dash or not host or not pid.isascii() or not pid.isdigit():
        return None
    return Holder(host, int(pid))


def living_holder(profile: Path) -> Holder | None:
    """Who uses ``profile`` now; None when nobody does or only a dead lock is left.

    A lock of another host counts as held: from here nobody can tell.
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
    """Refuse a profile folder that Chrome would refuse, with the way out.

    Raises:
        InvalidArgument: it is a file, or a browser's default profile.
        LaunchFailed: another browser uses it.
    """
    if profile.exists() and not profile.is_dir():
        raise InvalidArgument(
            f"user_data_dir {profile} is not a folder.", "Name a folder.", field="user_data_dir"
        )
    known = {path.resolve() for path in default_profiles()}
    if profile.resolve() in known or profile.resolve().parent in known:
        raise InvalidArgument(
            f"user_data_dir {profile} is a browser's default profile; since version 136 Chrome "
            "and its kin ignore debugging there.",
            "Use a folder of its own (copy the profile there to keep its logins), or attach to a "
            "running browser with endpoint.",
            field="user_data_dir",
        )
    holder = living_holder(profile)
    if holder is not None:
        raise locked(profile, holder)


def locked(profile: Path, holder: Holder | None) -> LaunchFailed:
    """The error for a profile in use."""
    where = f" (process {holder.pid} on {holder.host})" if holder and holder.pid else ""
    foreign = holder is not None and holder.host != socket.gethostname()
    return LaunchFailed(
        f"Another browser uses the profile {profile}{where}, and a profile serves one at a time.",
        f"If no browser runs on {holder.host} any more, remove {profile / 'SingletonLock'}."
        if foreign and holder is not None
        else "Close that browser, choose another user_data_dir, or leave it out for a temporary "
        "profile.",
        profile=str(profile),
        holder=holder._asdict() if holder else None,
    )


def default_profiles() -> list[Path]:
    """Where Chrome, Edge and Brave keep the profile that they refuse to be debugged on.

    Chromium is not among them: version 156 was seen to accept its own.
    """
    home = Path.home()
    if sys.platform == "darwin":
        base = home / "Library/Application Support"
        names = ["Google/Chrome", "Google/Chrome Beta", "Microsoft Edge"]
        return [base / name for name in [*names, "BraveSoftware/Brave-Browser"]]
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(home / "AppData/Local")))
        names = ["Google/Chrome", "Google/Chrome Beta", "Microsoft/Edge"]
        return [base / name / "User Data" for name in [*names, "BraveSoftware/Brave-Browser"]]
    base = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    names = ["google-chrome", "google-chrome-beta", "google-chrome-unstable", "microsoft-edge"]
    return [base / name for name in [*names, "BraveSoftware/Brave-Browser"]]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's: alive
        return True
    return True


def _socket_is_dead(profile: Path) -> bool:
    """Whether nobody listens any more where the lock's holder did: its pid is another's now."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(0.5)
        try:
            probe.connect(str(profile / "SingletonSocket"))
        except OSError as error:
            return error.errno in {errno.ECONNREFUSED, errno.ENOENT}
    return False


def _windows_holder(profile: Path) -> Holder | None:
    """On Windows the holder keeps ``lockfile`` open and unshared."""
    try:
        os.close(os.open(profile / "lockfile", os.O_RDWR))
    except FileNotFoundError:
        return None
    except PermissionError:
        return Holder(socket.gethostname(), 0)
    return None
