"""Check that the clock is plausible, because certificates and cookies depend on the time."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tabwarden import config
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.doctor.timing import CLOCK_SLACK_S

_MENDS = {
    "darwin": "sudo sntp -sS time.apple.com",
    "win32": "w32tm /resync",
}


def check_clock(patient: Patient) -> list[Finding]:
    """Check that the current time is not before the installed files' modification times."""
    _ = patient
    folder = Path(config.__file__).parent
    newest = max(one.stat().st_mtime for one in (folder, *folder.iterdir()))
    return [judged(time.time(), newest)]


def judged(now: float, installed: float) -> Finding:
    """Compare the clock's time with the time of installation (both as in ``time.time``)."""
    shown = datetime.fromtimestamp(now, UTC).isoformat(" ", "seconds").removesuffix("+00:00")
    if now < installed - CLOCK_SLACK_S:
        return Finding(
            check="clock",
            status="problem",
            message=f"The clock shows {shown} UTC, {installed - now:,.0f} s before Tabwarden was "
            "installed. A wrong clock breaks certificates and cookies.",
            command=_MENDS.get(sys.platform, "sudo timedatectl set-ntp true"),
        )
    return Finding(check="clock", status="ok", message=f"{shown} UTC")
