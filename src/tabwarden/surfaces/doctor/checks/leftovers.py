"""Check for leftovers of programs that were killed."""

from __future__ import annotations

import shlex
import time

from tabwarden.endpoints.profiles import Leftover, find_leftovers
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.doctor.timing import REMOVAL_S


def check_leftovers(patient: Patient) -> list[Finding]:
    """Look for temporary profiles whose owner is gone, and for browsers that still use them."""
    _ = patient
    found = find_leftovers()
    if found:
        time.sleep(REMOVAL_S)
        still = {one.folder for one in found}
        found = [one for one in find_leftovers() if one.folder in still]
    if found:
        return [_told(one) for one in found]
    return [Finding(check="leftovers", status="ok", message="No leftover browsers or folders.")]


def _told(left: Leftover) -> Finding:
    if left.browser is not None:
        return Finding(
            check="leftovers",
            status="warning",
            message=f"A browser (process {left.browser.pid} on {left.browser.host}) is still "
            "running, but the program that started it is gone.",
            command=f"kill {left.browser.pid}",
            data={"folder": str(left.folder), "pid": left.browser.pid},
        )
    return Finding(
        check="leftovers",
        status="warning",
        message=f"{left.folder} is a leftover. The next browser launch removes it.",
        command=f"rm -r {shlex.quote(str(left.folder))}",
        data={"folder": str(left.folder)},
    )
