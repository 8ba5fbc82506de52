"""Check that Chromium's sandbox works for this user, and that renderers have shared memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tabwarden.endpoints.launching import sandbox_is_impossible, shm_is_small
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

# Create a user namespace the way Chromium's zygote does (CLONE_NEWUSER, sched.h). This script runs
# in its own process, because a process can't leave a namespace.
_TRY = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(0x10000000):
    sys.exit(os.strerror(ctypes.get_errno()))
"""
_SECCOMP = "--security-opt seccomp=deploy/docker/chrome.json"
"""Docker's own rules forbid user namespaces. This file of Tabwarden's source allows them, and what
else Chromium needs; ``unconfined`` would allow everything."""
_SWITCHES = {
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "user/max_user_namespaces": ("0", "28633"),
}
"""System settings that can forbid user namespaces: (value that forbids, value that allows)."""
_WHERE = " In a container it needs the rules in deploy/docker/chrome.json of Tabwarden's source."


def check_sandbox(patient: Patient) -> list[Finding]:
    if not sys.platform.startswith("linux"):
        words = "The sandbox needs no setup on this system."
        return [Finding(check="sandbox", status="skipped", message=words)]
    if patient.config.browser.endpoint is not None:
        words = "browser.endpoint is set, so Tabwarden launches no browser here."
        return [Finding(check="sandbox", status="skipped", message=words)]
    return [_namespaces(), *_shared_memory()]


def namespaces_fail() -> str:
    """Return the reason why this user can't create a user namespace; "" if the user can."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _TRY],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    return done.stderr.strip()[-200:] if done.returncode else ""


def _namespaces() -> Finding:
    certain = sandbox_is_impossible()
    container = is_container()
    where = _WHERE if container else ""
    data = {"container": container, "root": os.geteuid() == 0}
    if os.geteuid() == 0:
        return Finding(
            check="sandbox",
            status="warning",
            message=f"This process runs as root: pages run without Chromium's sandbox.{where}",
            command=f"docker run --user 1000 {_SECCOMP} …"
            if container
            else "sudo -u A_USER tabwarden …",
            data=data,
        )
    fails = certain or namespaces_fail()
    if not fails:
        return Finding(
            check="sandbox", status="ok", message="Chromium's sandbox can work.", data=data
        )
    return Finding(
        check="sandbox",
        status="warning",
        message=f"The system refuses user namespaces ({fails}). Pages run without Chromium's "
        f"sandbox unless the browser's package has its own helper (chrome-sandbox).{where}",
        command=_mend(container),
        data=data,
    )


def _mend(container: str) -> str:
    for name, (forbids, allows) in _SWITCHES.items():
        try:
            value = Path("/proc/sys", name).read_text("ascii").strip()
        except OSError:
            continue
        if value == forbids:
            return f"sudo sysctl -w {name.replace('/', '.')}={allows}"
    if container:  # the container's seccomp profile forbids them
        return f"docker run {_SECCOMP} …"
    return "sudo sysctl -w user.max_user_namespaces=28633"


def _shared_memory() -> list[Finding]:
    if not shm_is_small():
        return []
    return [
        Finding(
            check="sandbox",
            status="warning",
            message="/dev/shm is smaller than 128 MB, so browsers share memory through files in "
            "the temporary folder. That is slower.",
            command="docker run --shm-size=1g …"
            if is_container()
            else "sudo mount -o remount,size=1g /dev/shm",
        )
    ]


def is_container() -> str:
    """Return the kind of container that this process runs in; "" if none is detected."""
    if Path("/.dockerenv").exists():
        return "docker"
    if Path("/run/.containerenv").exists():
        return "podman"
    return os.environ.get("container", "")  # noqa: SIM112 - systemd's name for it
