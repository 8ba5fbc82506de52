"""Whether Chromium's sandbox works for this user, and renderers have room to share memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tabwarden.endpoints import sandbox_is_impossible, shm_is_small
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["check_sandbox", "namespaces_fail"]

# A namespace of users, as Chromium's zygote asks for (CLONE_NEWUSER, sched.h). In a process of its
# own, as it can't be left again.
_TRY = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(0x10000000):
    sys.exit(os.strerror(ctypes.get_errno()))
"""
_SWITCHES = {
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "user/max_user_namespaces": ("0", "28633"),
}
"""What forbids namespaces: the value that does, and one that does not."""


def check_sandbox(patient: Patient) -> list[Finding]:
    """Try what the sandbox is made of."""
    if not sys.platform.startswith("linux"):
        words = "This system's sandbox needs nothing set up."
        return [Finding(check="sandbox", status="skipped", message=words)]
    if patient.config.browser.endpoint is not None:
        words = "browser.endpoint is set: no browser is launched here."
        return [Finding(check="sandbox", status="skipped", message=words)]
    return [_namespaces(), *_shared_memory()]


def namespaces_fail() -> str:
    """Why a user namespace can't be made here; "" when it can."""
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
    data = {"container": container, "root": os.geteuid() == 0}
    if os.geteuid() == 0:
        return Finding(
            check="sandbox",
            status="warning",
            message="This process runs as root: pages run without Chromium's sandbox.",
            command="docker run --user 1000 --security-opt seccomp=unconfined …"
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
        message=f"User namespaces are refused ({fails}): pages run without Chromium's sandbox, "
        "unless the browser's package brings a helper for it (chrome-sandbox).",
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
    if container:  # its seccomp profile forbids them
        return "docker run --security-opt seccomp=unconfined …"
    return "sudo sysctl -w user.max_user_namespaces=28633"


def _shared_memory() -> list[Finding]:
    if not shm_is_small():
        return []
    return [
        Finding(
            check="sandbox",
            status="warning",
            message="/dev/shm is smaller than 128 MB: browsers share memory by files in the "
            "temporary folder, which is slower.",
            command="docker run --shm-size=1g …"
            if is_container()
            else "sudo mount -o remount,size=1g /dev/shm",
        )
    ]


def is_container() -> str:
    """What kind of container this is; "" when none is known."""
    if Path("/.dockerenv").exists():
        return "docker"
    if Path("/run/.containerenv").exists():
        return "podman"
    return os.environ.get("container", "")  # noqa: SIM112 - systemd's name for it
