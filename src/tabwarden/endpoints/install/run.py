"""Try one way after the other until a browser works."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.discover import browsers_folder
from tabwarden.endpoints.install.apt import AptChromium
from tabwarden.endpoints.install.chrome_for_testing import ChromeForTesting
from tabwarden.endpoints.install.from_file import FromFile
from tabwarden.endpoints.install.npm import NpmChromium
from tabwarden.endpoints.install.place import FolderWay
from tabwarden.endpoints.install.report import InstallReport, Progress, Try, Way, WayFailed, silent
from tabwarden.endpoints.options import BrowserKind
from tabwarden.endpoints.probe import Found, choose
from tabwarden.endpoints.probe_cache import ProbeCache
from tabwarden.errors import LaunchFailed

__all__ = ["default_ways", "ensure", "install"]

_DEFAULT_MS = 15 * 60_000.0


def default_ways() -> list[Way]:
    """Chrome for Testing, the npm registry's Chromium, the system's packages: in this order."""
    return [FolderWay(ChromeForTesting()), FolderWay(NpmChromium()), AptChromium()]


async def install(
    budget: Budget | None = None,
    *,
    progress: Progress = silent,
    from_file: str | Path | None = None,
    ways: Sequence[Way] | None = None,
    folder: Path | None = None,
) -> InstallReport:
    """Bring a browser onto this system.

    Args:
        budget: for all ways together; 15 minutes when None.
        progress: told what is going on.
        from_file: a zip, tar or executable to use, and nothing else.
        ways: instead of ``default_ways()``.
        folder: where browsers are kept, instead of the user's data folder.

    Returns:
        What was tried, in order, and the browser that works: it was started once.

    Raises:
        LaunchFailed: no way worked; ``data["tries"]`` has each with its reason.
        Cancelled: the caller gave up.
    """
    budget = budget or Budget(_DEFAULT_MS)
    if from_file is not None:
        ways = [FolderWay(FromFile(Path(from_file)))]
    tries: list[Try] = []
    for way in default_ways() if ways is None else ways:
        budget.check()
        refusal = "there was no time left" if budget.expired else way.refusal()
        if refusal is not None:
            tries.append(Try(way.name, "skipped", refusal))
            continue
        progress(f"try {way.name}", 0, None)
        try:
            found, present = await way.bring(folder or browsers_folder(), progress, budget)
        except WayFailed as error:
            tries.append(Try(way.name, "failed", str(error)))
            continue
        tries.append(Try(way.name, "present" if present else "installed"))
        ProbeCache().store(found.path, found.product, found.reason)
        return InstallReport(tuple(tries), found)
    raise LaunchFailed(
        "No browser could be installed: "
        + "; ".join(f"{one.way}: {one.reason[:200].rstrip('.')}" for one in tries)
        + ".",
        "Allow one of these downloads, or bring a browser: "
        "`tabwarden browsers install --from-file <zip, tar or executable>`.",
        tries=msgspec.to_builtins(tries),
    )


async def ensure(
    budget: Budget | None = None,
    *,
    browser: BrowserKind | None = None,
    progress: Progress = silent,
) -> Found:
    """A browser that works: one that is there (``choose``), else one that is installed now.

    Raises:
        LaunchFailed: none is there and none can be installed, or the one that the environment
            names does not work.
        Cancelled: the caller gave up.
    """
    budget = budget or Budget(_DEFAULT_MS)
    try:
        return await choose(budget, browser=browser)
    except LaunchFailed as error:
        if "field" in error.data or browser not in (None, "chrome", "chromium"):
            raise
    return (await install(budget, progress=progress)).found
