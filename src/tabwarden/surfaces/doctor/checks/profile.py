"""Check that no browser is using the permanent profile."""

from __future__ import annotations

import os
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path

from tabwarden.config import profile_folder
from tabwarden.endpoints.profiles import check_profile
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient


def check_user_data_dir(patient: Patient) -> list[Finding]:
    profile = profile_folder(patient.config.browser, None, None)
    key = "profile" if patient.config.browser.profile else "user_data_dir"
    if profile is None:
        words = "browser.user_data_dir and browser.profile are not set, so each browser gets a new "
        words += "profile."
        return [Finding(check="profile", status="skipped", message=words)]
    try:
        check_profile(profile)
    except InvalidArgument as error:
        return [_problem(error.message, f"tabwarden config unset browser.{key}", {})]
    except LaunchFailed as error:
        holder = error.data["holder"]
        pid, host = int(holder["pid"]), str(holder["host"])
        if host != socket.gethostname():
            mend = f"rm {shlex.quote(str(profile / 'SingletonLock'))}"
            return [_problem(f"{error.message} {error.hint}", mend, holder)]
        program = program_of(pid)
        by = f" The process is {program}." if program else ""
        mend = f"kill {pid}" if pid else f"tabwarden config unset browser.{key}"
        return [_problem(f"{error.message}{by}", mend, {**holder, "program": program})]
    unlocked = next(_users_of(profile), None)
    if unlocked is not None:
        program = program_of(unlocked)
        return [
            Finding(
                check="profile",
                status="warning",
                message=f"{program} (process {unlocked}) uses {profile} without a lock. Only one "
                "browser at a time can use a profile.",
                command=f"kill {unlocked}",
                data={"pid": unlocked, "program": program},
            )
        ]
    words = f"{profile} is free." if profile.exists() else f"{profile} will be created."
    return [Finding(check="profile", status="ok", message=words)]


def program_of(pid: int) -> str:
    """Return the name of a process's program; "" if the system doesn't provide it."""
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


def _problem(message: str, command: str, data: dict[str, object]) -> Finding:
    return Finding(check="profile", status="problem", message=message, command=command, data=data)
