"""The endpoint ``auto:launch``, a browser with a profile that is only for debugging.

Nothing is copied into the profile: the user logs in there once, and stays logged in. The browser
does not belong to us. It stays open after we leave, and the next task finds it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import platformdirs

from tabwarden.budget import Budget
from tabwarden.endpoints.attaching import open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.endpoint import OpenedEndpoint, UrlEndpoint
from tabwarden.endpoints.finding import (
    DEBUGGING_PORT,
    Candidate,
    Offer,
    choose,
    offer_at,
    offer_in,
)
from tabwarden.endpoints.launching import (
    needed_by_browser,
    sandbox_is_impossible,
    shm_is_small,
)
from tabwarden.endpoints.profiles import living_holder, locked
from tabwarden.errors import LaunchFailed
from tabwarden.files.private_folder import make_private_folder
from tabwarden.files.secret_file import open_private

if TYPE_CHECKING:
    from tabwarden.endpoints.own_chrome.auto import ContextMode

POLL_S = 0.05
"""The pause between checks for the debugging port of a browser that we launched. A start takes
about a second.
"""

if sys.platform == "win32":
    _DETACHED: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    _DETACHED: dict[str, Any] = {"start_new_session": True}

_LOG = "tabwarden-launch.log"
_LOG_END = 2000


class DebugChromeEndpoint:
    """A debug browser that is already running, or that is launched and left running.

    Args:
        context: which browser context a task uses by default.
    """

    capabilities: ClassVar[Capabilities] = UrlEndpoint.capabilities

    def __init__(self, context: ContextMode = "window") -> None:
        self.context = context

    @property
    def key(self) -> str:
        return "auto:launch"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """See ``Endpoint.open``.

        Raises:
            LaunchFailed: the browser did not start, or its profile is in use without debugging.
        """
        profile = debug_profile()
        offer = await _running(profile, budget) or await _launched(profile, budget)
        attached = await open_endpoint(offer.ws_url, budget)
        return OpenedEndpoint(attached.wire, attached.product, here=True)


def debug_profile() -> Path:
    """Return the folder with the debug browser's profile."""
    return platformdirs.user_data_path("tabwarden", appauthor=False) / "debug-chrome"


async def _running(profile: Path, budget: Budget) -> Offer | None:
    """Find our debug browser, or any browser on the default debugging port."""
    own = await offer_in(profile, "launch", budget)
    if own is not None and own.answer == "offers":
        return own
    usual = await offer_at(DEBUGGING_PORT, budget)
    return usual if usual.answer == "offers" else None


async def _launched(profile: Path, budget: Budget) -> Offer:
    holder = living_holder(profile)
    if holder is not None:
        raise locked(profile, holder)
    headless = not _has_screen()
    browser = (await choose(budget, headless=headless)).candidate
    usual_is_free = (await offer_at(DEBUGGING_PORT, budget)).answer == "silent"
    port = DEBUGGING_PORT if usual_is_free else 0
    try:
        process = _start(browser, profile, port, headless=headless)
    except OSError as error:
        raise LaunchFailed(
            f"The debug browser {browser.path} could not be started: {error}.",
            f"Check that {profile} is writable and that the file is a browser.",
            executable=str(browser.path),
        ) from error
    try:
        offer = await _offered(process, browser, profile, port, budget)
    except BaseException:
        process.kill()
        await asyncio.to_thread(process.wait)
        raise
    # The browser may outlive this process. If it exits first, its process must be reaped.
    threading.Thread(target=process.wait, name="tabwarden-debug-chrome", daemon=True).start()
    return offer


def _start(
    browser: Candidate, profile: Path, port: int, *, headless: bool
) -> subprocess.Popen[bytes]:
    """Start the browser as a person would, so that it does not exit with this process."""
    make_private_folder(profile)
    (profile / "DevToolsActivePort").unlink(missing_ok=True)  # from an earlier run
    command = [
        str(browser.path),
        f"--remote-debugging-port={port}",
        f"--user-data-dir={profile}",
        "--no-first-run",
        "--no-default-browser-check",
    ]
    if headless:
        command.append("--headless" if browser.headless_only else "--headless=new")
    if sandbox_is_impossible() is not None:
        command.append("--no-sandbox")
    if shm_is_small():
        command.append("--disable-dev-shm-usage")
    with open_private(profile / _LOG, "wb") as log:
        return subprocess.Popen(
            [*command, "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=needed_by_browser(os.environ, proxied=False),
            **_DETACHED,
        )


async def _offered(
    process: subprocess.Popen[bytes],
    browser: Candidate,
    profile: Path,
    port: int,
    budget: Budget,
) -> Offer:
    """Wait until the browser's debugging port responds. The browser writes ``DevToolsActivePort``
    only for port 0.
    """
    while True:
        budget.check()
        checking = offer_at(port, budget) if port else offer_in(profile, "launch", budget)
        offer = await checking
        if offer is not None and offer.answer == "offers":
            return offer
        status = process.poll()
        if status is not None and (holder := living_holder(profile)) is not None:
            raise locked(profile, holder)  # another process was faster
        if status is not None or budget.expired:
            what = (
                f"did not open its debugging port within {budget.timeout_ms:g} ms"
                if status is None
                else f"exited with status {status}"
            )
            raise LaunchFailed(
                f"The debug browser {browser.path} {what}.",
                f"The browser's output is in {profile / _LOG}.",
                executable=str(browser.path),
                stderr=(profile / _LOG).read_bytes()[-_LOG_END:].decode(errors="replace"),
            )
        await asyncio.sleep(POLL_S)


def _has_screen() -> bool:
    """Whether a window could be shown. Without a screen, the browser runs headless."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
