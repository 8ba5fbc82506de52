"""Explain why a browser did not start."""

from __future__ import annotations

from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.launching.process import BrowserProcess
from tabwarden.endpoints.profiles import living_holder, locked
from tabwarden.endpoints.remedy import browser_command
from tabwarden.errors import LaunchFailed

_CLUES: tuple[tuple[str, str], ...] = (
    (
        "error while loading shared libraries",
        "Install the missing library, or install a browser that includes it: `{install}`.",
    ),
    (
        "requires the chromium snap",
        "This file only starts a snap, which is not installed. Install a browser: `{install}`.",
    ),
    ("/snap/", "A snap browser can't read temporary profiles. Try `{install}`."),
    ("Missing X server", "There is no display: launch headless, or run under xvfb-run."),
    ("cannot open display", "There is no display: launch headless, or run under xvfb-run."),
    ("ozone_platform_x11", "There is no display: launch headless, or run under xvfb-run."),
    (
        "without --no-sandbox is not supported",
        "Chrome can't use its sandbox as root: omit `sandbox`, or run as another user.",
    ),
    ("No usable sandbox", "Omit `sandbox`, or allow user namespaces on this system."),
    ("No space left on device", "Free up space in the temporary folder (TMPDIR)."),
)

_NOISE = ("/crashpad/", "/dbus/", "dbus/bus.cc", "zygote")
"""Lines that Chrome prints after the line that describes the cause of the failure."""

_PROFILE_IN_USE = 21
"""chrome::RESULT_CODE_PROFILE_IN_USE, chrome/common/chrome_result_codes.h."""


async def launch_failed(
    executable: Path, process: BrowserProcess, budget: Budget, kept_profile: Path | None
) -> LaunchFailed:
    """Return the error for a browser that exited or never responded. Include the end of its output.

    Waits briefly for the output, because the wire closes before the process has written everything.
    """
    exited = await process.wait(min(0.5, budget.remaining_s()))
    words = process.stderr_tail()
    if exited:
        words = await process.wait_last_words(min(0.5, budget.remaining_s()))
    if exited and kept_profile is not None:
        holder = living_holder(kept_profile)
        handed_over = process.exit_status == 0 and "existing browser session" in words
        if holder is not None or handed_over or process.exit_status == _PROFILE_IN_USE:
            return locked(kept_profile, holder)
    last_line = _telling_line(words)
    if exited:
        what = f"{executable} exited with status {process.exit_status}: {last_line[:300]}"
    else:
        what = f"{executable} did not respond within {budget.timeout_ms:.0f} ms: {last_line[:300]}"
    hint = next((hint for clue, hint in _CLUES if clue in words), "")
    hint = hint.replace("{install}", browser_command())
    return LaunchFailed(
        what.rstrip(".") + ".",
        hint
        or (
            "`data.stderr` contains the end of the browser's output."
            if exited
            else "Allow more time, or check that this file is a browser. `data.stderr` contains "
            "the end of the program's output."
        ),
        stderr=words,
        exit_status=process.exit_status,
        executable=str(executable),
    )


def _telling_line(words: str) -> str:
    lines = [line for line in words.splitlines() if line.strip()]
    fatal = [line for line in lines if ":FATAL:" in line]
    telling = [line for line in lines if not any(noise in line for noise in _NOISE)]
    return (fatal or telling or lines or ["it printed nothing"])[-1]
