"""Named profiles: permanent profiles in one folder, each with a name."""

from __future__ import annotations

import shutil
import socket
import tempfile
from pathlib import Path
from typing import NamedTuple

from tabwarden.endpoints.profiles.lock import CLAIM, Holder, ProfileClaim, claimed_by, living_holder
from tabwarden.errors import InvalidArgument, LaunchFailed


class NamedProfile(NamedTuple):
    """A profile in the folder of named profiles."""

    name: str
    path: Path
    size: int
    """The size in bytes."""
    last_used: float | None
    """When a browser last opened the profile, in seconds since 1970; None if never."""
    holder: Holder | None
    """The process that uses the profile now, or None."""


def named_profiles(folder: Path) -> list[NamedProfile]:
    """Return the profiles in a folder, sorted by name; an empty result if the folder is missing."""
    try:
        there = sorted(folder.iterdir())
    except OSError:
        return []
    return [_described(path) for path in there if _is_profile(path)]


def remove_profile(folder: Path, name: str) -> int:
    """Remove a profile, including its login cookies. Return its size in bytes.

    Raises:
        InvalidArgument: no profile has this name, or its files can't be removed.
        LaunchFailed: a browser is using the profile.
    """
    path = folder / name
    if not _is_profile(path):
        names = ", ".join(one.name for one in named_profiles(folder)) or "none"
        raise InvalidArgument(
            f"There is no profile {name!r} in {folder}.", f"Profiles: {names}.", field="name"
        )
    if (holder := living_holder(path)) is not None:
        raise _in_use(name, holder)
    try:
        claim = ProfileClaim.on(path)
    except LaunchFailed:
        raise _in_use(name, claimed_by(path)) from None
    size = _size(path)
    try:
        aside = Path(tempfile.mkdtemp(prefix=".removed-", dir=folder))
        path.rename(aside / name)  # so that no browser opens a partly removed profile
        claim.end()
        shutil.rmtree(aside)
    except OSError as error:
        raise InvalidArgument(
            f"The profile {name!r} can't be removed: {error.strerror} ({error.filename}).",
            "Remove its folder yourself.",
            field="name",
        ) from None
    finally:
        claim.end()
    return size


def _is_profile(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not path.name.startswith(".")


def _described(path: Path) -> NamedProfile:
    try:
        last_used = (path / CLAIM).stat().st_mtime
    except OSError:
        last_used = None
    holder = living_holder(path) or claimed_by(path)
    return NamedProfile(path.name, path, _size(path), last_used, holder)


def _size(path: Path) -> int:
    total = 0
    for file in path.rglob("*"):
        try:
            total += file.lstat().st_size
        except OSError:  # a browser is using the profile
            continue
    return total


def _in_use(name: str, holder: Holder | None) -> LaunchFailed:
    where = f" (process {holder.pid} on {holder.host})" if holder and holder.pid else ""
    here = holder is None or holder.host == socket.gethostname()
    return LaunchFailed(
        f"A browser is using the profile {name!r}{where}, so it can't be removed.",
        "Close that browser first." if here else "Close that browser on its computer first.",
        field="name",
        holder=holder._asdict() if holder else None,
    )
