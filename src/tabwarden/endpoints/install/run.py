"""Try one way after the other until a browser works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.discover import browsers_folder
from tabwarden.endpoints.install.apt import AptChromium
from tabwarden.endpoints.install.chrome_for_testing import ChromeForTesting
from tabwarden.endpoints.install.from_file import FromFile
from tabwarden.endpoints.install.npm import NpmChromium
from tabwarden.endpoints.install.place import FolderWay
from tabwarden.endpoints.install.report import (
    InstallReport,
    Outcome,
    Progress,
    Try,
    Way,
    WayFailed,
    silent,
)
from tabwarden.endpoints.options import BrowserKind
from tabwarden.endpoints.probe import Found, choose
from tabwarden.endpoints.probe_cache import ProbeCache
from tabwarden.endpoints.remedy import package_command
from tabwarden.errors import LaunchFailed

__all__ = ["default_ways", "ensure", "install"]

_DEFAULT_MS = 15 * 60_000.0
_ANOTHER_WAY = (
    "Allow one of these downloads, or bring a browser: "
    "`tabwarden browsers install --from-file <zip, tar or executable>`"
)


def default_ways() -> list[Way]:
    """Chrome for Testing, the npm registry's Chromium, the system's packages: in this order."""
    return [FolderWay(ChromeForTesting()), FolderWay(NpmChromium()), AptChromium()]


async def install(
    budget: Budget | None = None,
    *,
    progress: Progress = silent,
    tried: Callable[[Try], None] | None = None,
    from_file: str | Path | None = None,
    ways: Sequence[Way] | None = None,
    folder: Path | None = None,
) -> InstallReport:
    """Bring a browser onto this system.

    Args:
        budget: for all ways together; 15 minutes when None.
        progress: told what is going on.
        tried: told how each way went, as soon as it is known.
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
        ways = [FolderWay(FromFile(Path(from_file)), name=str(from_file))]
    tries: list[Try] = []

    def note(way: Way, outcome: Outcome, reason: str = "") -> None:
        tries.append(Try(way.name, outcome, reason))
        if tried is not None:
            tried(tries[-1])

    for way in default_ways() if ways is None else ways:
        budget.check()
        refusal = "there was no time left" if budget.expired else way.refusal()
        if refusal is not None:
            note(way, "skipped", refusal)
            continue
        progress(f"try {way.name}", 0, None)
        try:
            found, present = await way.bring(folder or browsers_folder(), progress, budget)
        except WayFailed as error:
            note(way, "failed", str(error))
            continue
        note(way, "present" if present else "installed")
        ProbeCache().store(found.path, found.product, found.reason)
        return InstallReport(tuple(tries), found)
    raise LaunchFailed(
        "No browser could be installed: "
        + "; ".join(f"{one.way}: {one.reason[:200].rstrip('.')}" for one in tries)
        + ".",
        "Name a zip or tar that holds a browser for this system, or its executable."
        if from_file is not None
        else _ANOTHER_WAY + (f", or `{package_command()}`." if package_command() else "."),
        tries=msgspec.to_builtins(tries),
    )


async def ensure(
    budget: Budget | None = None,
    *,
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    progress: Progress = silent,
    tried: Callable[[Try], None] | None = None,
    from_file: str | Path | None = None,
    ways: Sequence[Way] | None = None,
    folder: Path | None = None,
) -> Found:
    """A browser that works: one that is there (``choose``), else one that is installed now.

    Raises:
        LaunchFailed: none is there and none can be installed, or the one that the caller or the
            environment names does not work.
        Cancelled: the caller gave up.
    """
    budget = budget or Budget(_DEFAULT_MS)
    try:
        return await choose(budget, executable=executable, browser=browser)
    except LaunchFailed as error:
        if "field" in error.data or browser not in (None, "chrome", "chromium"):
            raise
    report = await install(
        budget, progress=progress, tried=tried, from_file=from_file, ways=ways, folder=folder
    )
    return report.found
