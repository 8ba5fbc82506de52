"""Why a browser did not come up, in words that help."""

from __future__ import annotations

from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.process import BrowserProcess
from tabwarden.endpoints.profile_lock import living_holder, locked
from tabwarden.endpoints.remedy import browser_command
from tabwarden.errors import LaunchFailed

__all__ = ["launch_failed"]

_CLUES: tuple[tuple[str, str], ...] = (
    (
        "error while loading shared libraries",
        "Install the missing library, or a browser that brings its own: `{install}`.",
    ),
    (
        "requires the chromium snap",
        "This is only a pointer to a snap. Install a browser: `{install}`.",
    ),
    ("/snap/", "Browsers from snap see no temporary profile. Try `{install}`."),
    ("Missing X server", "There is no display: use headless, or start under xvfb-run."),
    ("cannot open display", "There is no display: use headless, or start under xvfb-run."),
    ("ozone_platform_x11", "There is no display: use headless, or start under xvfb-run."),
    (
        "without --no-sandbox is not supported",
        "As root Chrome has no sandbox: leave sandbox unset, or run as another user.",
    ),
    ("No usable sandbox", "Leave sandbox unset, or allow user namespaces on this system."),
    ("No space left on device", "Free space in the temporary folder (TMPDIR)."),
)

_NOISE = ("/crashpad/", "/dbus/", "dbus/bus.cc", "zygote")
"""What a dying Chrome says after the line that tells why."""

_PROFILE_IN_USE = 21
"""chrome::RESULT_CODE_PROFILE_IN_USE, chrome/common/chrome_result_codes.h."""


async def launch_failed(
    executable: Path, process: BrowserProcess, budget: Budget, kept_profile: Path | None
) -> LaunchFailed:
    """The error for a browser that exited or kept silent, with its last words.

    Waits a moment for them: the wire ends before the process does.
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
        what = f"{executable} did not answer within {budget.timeout_ms:.0f} ms: {last_line[:300]}"
    hint = next((hint for clue, hint in _CLUES if clue in words), "")
    hint = hint.replace("{install}", browser_command())
    return LaunchFailed(
        what.rstrip(".") + ".",
        hint
        or (
            "data.stderr has its last words."
            if exited
            else "Give it more time, or check that it is a browser; data.stderr has its last words."
        ),
        stderr=words,
        exit_status=process.exit_status,
        executable=str(executable),
    )


def _telling_line(words: str) -> str:
    lines = [line for line in words.splitlines() if line.strip()]
    fatal = [line for line in lines if ":FATAL:" in line]
    telling = [line for line in lines if not any(noise in line for noise in _NOISE)]
    return (fatal or telling or lines or ["it said nothing"])[-1]
