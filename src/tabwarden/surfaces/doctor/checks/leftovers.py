"""What was left behind by those who were killed."""

from __future__ import annotations

import shlex
import time

from tabwarden.endpoints import Leftover, find_leftovers
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

__all__ = ["check_leftovers"]

_MOMENT_S = 1.0
"""A folder without an owner may be one that is being removed: what is left stays for longer."""


def check_leftovers(patient: Patient) -> list[Finding]:
    """Look for temporary profiles whose owner is gone, and browsers that still use them."""
    _ = patient
    found = find_leftovers()
    if found:
        time.sleep(_MOMENT_S)
        still = {one.folder for one in found}
        found = [one for one in find_leftovers() if one.folder in still]
    if found:
        return [_told(one) for one in found]
    return [Finding(check="leftovers", status="ok", message="Nothing was left behind.")]


def _told(left: Leftover) -> Finding:
    if left.browser is not None:
        return Finding(
            check="leftovers",
            status="warning",
            message=f"A browser (process {left.browser.pid} on {left.browser.host}) runs on, "
            "though whoever started it is gone.",
            command=f"kill {left.browser.pid}",
            data={"folder": str(left.folder), "pid": left.browser.pid},
        )
    return Finding(
        check="leftovers",
        status="warning",
        message=f"{left.folder} was left behind; the next browser that is launched removes it.",
        command=f"rm -r {shlex.quote(str(left.folder))}",
        data={"folder": str(left.folder)},
    )
