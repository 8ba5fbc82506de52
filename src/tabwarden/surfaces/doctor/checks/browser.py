"""Check that a browser starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import (
    ProbeCache,
    ProbeOutcome,
    choose,
    ignored,
    only_installed,
    words_for_ignored,
)
from tabwarden.endpoints.remedy import browser_command
from tabwarden.errors import LaunchFailed
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

_MENDS = {
    "executable": "tabwarden config unset browser.executable",
    "TABWARDEN_CHROME": "unset TABWARDEN_CHROME",
    "TABWARDEN_ONLY_INSTALLED": "unset TABWARDEN_ONLY_INSTALLED",
}


class Forgetful(ProbeCache):
    """A cache that stores nothing, so that the doctor always starts the browser."""

    def look_up(self, path: Path) -> ProbeOutcome | None:
        return None

    def store(self, path: Path, product: str, reason: str) -> None:
        """See ``ProbeCache``."""

    def forget(self, path: Path) -> None:
        """See ``ProbeCache``."""


async def check_browser(patient: Patient, budget: Budget) -> list[Finding]:
    """Start the browser that a launch would use, read its version, and close it."""
    config = patient.config.browser
    attaches = config.endpoint is not None
    if not config.headless and _has_no_display() and not attaches:
        return [
            Finding(
                check="browser",
                status="problem",
                message="browser.headless is off, but this system has no display for a window.",
                command="tabwarden config set browser.headless true",
            )
        ]
    try:
        found = await choose(
            budget.child(headroom_ms=500),
            executable=config.executable,
            headless=config.headless,
            cache=Forgetful(),
        )
    except LaunchFailed as error:
        return [
            Finding(
                check="browser",
                # With an endpoint, Tabwarden launches no browser, so this is only a warning.
                status="warning" if attaches else "problem",
                message=error.message,
                command=_MENDS.get(str(error.data.get("field")))
                or browser_command(own=only_installed()),
                data={key: error.data[key] for key in ("tried", "field") if key in error.data},
            )
        ]
    left_out = words_for_ignored(ignored()) if config.executable is None else ""
    return [
        Finding(
            check="browser",
            status="ok",
            message=f"{found.product} starts: {found.path}" + (left_out and f". {left_out}"),
            data={"product": found.product, "path": str(found.path)},
        )
    ]


def _has_no_display() -> bool:
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not shown
