"""Whether the clock can be right: certificates and cookies are judged by it."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tabwarden import config
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["check_clock", "judged"]

_SLACK_S = 60.0
_MENDS = {
    "darwin": "sudo sntp -sS time.apple.com",
    "win32": "w32tm /resync",
}


def check_clock(patient: Patient) -> list[Finding]:
    """Compare the time with that of the files of this installation, which it can't be before."""
    _ = patient
    folder = Path(config.__file__).parent
    newest = max(one.stat().st_mtime for one in (folder, *folder.iterdir()))
    return [judged(time.time(), newest)]


def judged(now: float, installed: float) -> Finding:
    """What there is to say of the time ``now``, in seconds as ``time.time`` has them.

    Args:
        now: what the clock shows.
        installed: when something was written here, by the same clock.
    """
    shown = datetime.fromtimestamp(now, UTC).isoformat(" ", "seconds").removesuffix("+00:00")
    if now < installed - _SLACK_S:
        return Finding(
            check="clock",
            status="problem",
            message=f"The clock shows {shown} UTC, which is {installed - now:,.0f} s before "
            "Tabwarden was installed: certificates are refused and cookies expire wrongly.",
            command=_MENDS.get(sys.platform, "sudo timedatectl set-ntp true"),
        )
    return Finding(check="clock", status="ok", message=f"{shown} UTC")
