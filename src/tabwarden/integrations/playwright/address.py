"""Find the address of a browser that Playwright controls, and a Playwright page's target.

Playwright does not report a browser's debugging port. But it reports the browser's process id, and
the process's arguments contain the port, or the profile folder to which the browser wrote the port.
(The browser refuses ``Browser.getBrowserCommandLine`` if Playwright launched it.)
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from tabwarden.budget import Budget
from tabwarden.errors import NotSupported
from tabwarden.integrations.playwright.asking import settled

_targets: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
"""The targets of Playwright's pages. A page keeps its target until it closes."""
_PORT = re.compile(r"--remote-debugging-port=(\d+)")
_PROFILE = "--user-data-dir="
_PS_S = 5
_OPEN_A_PORT = (
    "Launch it with args=['--remote-debugging-port=0'], or pass its address: "
    "supervise(page, endpoint='http://host:port')."
)


async def target_of(page: Any, budget: Budget) -> dict[str, Any]:
    """Return the ``Target.TargetInfo`` of a Playwright page. The browser process replies, so this
    works even if the page hangs.

    The session stays open until the page closes, because Playwright would wait for the page to
    detach it.
    """
    known = _targets.get(page)
    if known is None:
        session = await settled(page.context.new_cdp_session(page), budget)
        reply = await settled(session.send("Target.getTargetInfo"), budget)
        known = _targets[page] = reply["targetInfo"]
    return known


async def created_contexts(browser: Any, budget: Budget) -> list[str]:
    """Return the ids of the browser's contexts, except the default context."""
    session = await settled(browser.new_browser_cdp_session(), budget)
    try:
        reply = await settled(session.send("Target.getBrowserContexts"), budget)
    finally:
        await settled(session.detach(), budget)
    ids: list[str] = reply["browserContextIds"]
    return ids


async def address_of(browser: Any, budget: Budget) -> str:
    """Return the URL of the browser's debugging port on this computer.

    Raises:
        NotSupported: the browser has no port, or its process is not on this computer.
    """
    session = await settled(browser.new_browser_cdp_session(), budget)
    try:
        reply = await settled(session.send("SystemInfo.getProcessInfo"), budget)
    finally:
        await settled(session.detach(), budget)
    pid = next((one["id"] for one in reply["processInfo"] if one["type"] == "browser"), 0)
    arguments = _arguments(pid)
    port = next((match[1] for one in arguments if (match := _PORT.fullmatch(one))), None)
    if not arguments:
        raise NotSupported(
            "Tabwarden can't find the debugging port of this Playwright browser: it can't read the "
            f"arguments of the browser's process ({pid}) on this computer.",
            "Pass the browser's address: supervise(page, endpoint='http://host:port').",
        )
    if port == "0":
        port = _written_port(arguments)
    if port is None:
        raise NotSupported(
            "This Playwright browser has no debugging port, so Tabwarden can't connect to it.",
            _OPEN_A_PORT,
        )
    return f"http://127.0.0.1:{port}"


def _written_port(arguments: list[str]) -> str | None:
    """Return the port that the browser chose, from its ``DevToolsActivePort`` file."""
    profile = next((one for one in arguments if one.startswith(_PROFILE)), None)
    if profile is None:
        return None
    try:
        return (Path(profile.removeprefix(_PROFILE)) / "DevToolsActivePort").read_text().split()[0]
    except (OSError, ValueError, IndexError):
        return None


def _arguments(pid: int) -> list[str]:
    """Return a process's arguments; an empty list if they can't be read."""
    try:
        if sys.platform == "linux":
            return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split("\0")
        if sys.platform == "win32":
            return []
        command = ["ps", "-ww", "-o", "args=", "-p", str(pid)]
        completed = subprocess.run(
            command, capture_output=True, text=True, timeout=_PS_S, check=False
        )
        # `ps` doesn't quote arguments. Each switch of a browser begins with two hyphens.
        return re.split(r" (?=--)", completed.stdout.strip())
    except (OSError, subprocess.SubprocessError):
        return []
