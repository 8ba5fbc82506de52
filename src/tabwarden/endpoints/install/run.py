"""Try the install methods in turn until a browser works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import (
    ProbeCache,
    Probed,
    browsers_folder,
    choose,
    only_installed,
)
from tabwarden.endpoints.install.apt import AptChromium
from tabwarden.endpoints.install.axe import INSTALL_MS
from tabwarden.endpoints.install.chrome_for_testing import ChromeForTesting
from tabwarden.endpoints.install.from_file import FromFile
from tabwarden.endpoints.install.npm import NpmChromium
from tabwarden.endpoints.install.place import FolderMethod
from tabwarden.endpoints.install.report import (
    InstallFailed,
    InstallMethod,
    InstallReport,
    Outcome,
    Progress,
    Try,
    silent,
)
from tabwarden.endpoints.launching import BrowserKind
from tabwarden.endpoints.remedy import package_command
from tabwarden.errors import LaunchFailed

_ANOTHER_WAY = (
    "Allow one of these downloads, or install from a file: `tabwarden browsers install "
    "--from-file <zip, tar or executable>`"
)


def default_methods() -> list[InstallMethod]:
    """Return Chrome for Testing, the npm registry's Chromium and apt, in that order."""
    return [FolderMethod(ChromeForTesting()), FolderMethod(NpmChromium()), AptChromium()]


async def install(
    budget: Budget | None = None,
    *,
    progress: Progress = silent,
    tried: Callable[[Try], None] | None = None,
    from_file: str | Path | None = None,
    methods: Sequence[InstallMethod] | None = None,
    folder: Path | None = None,
) -> InstallReport:
    """Install a browser on this system.

    Args:
        budget: limits all methods together; 15 minutes by default.
        progress: called with each progress report.
        tried: called with the result of each method as soon as the method has finished.
        from_file: use only this zip, tar or executable.
        methods: replaces ``default_methods()``.
        folder: the folder for browsers; replaces the user's data folder.

    Raises:
        LaunchFailed: no method worked; ``data["tries"]`` lists the methods and their reasons.
        Cancelled: the caller canceled.
    """
    budget = budget or Budget(INSTALL_MS)
    if from_file is not None:
        methods = [FolderMethod(FromFile(Path(from_file)), name=str(from_file))]
    tries: list[Try] = []

    def note(method: InstallMethod, outcome: Outcome, reason: str = "") -> None:
        tries.append(Try(method.name, outcome, reason))
        if tried is not None:
            tried(tries[-1])

    for method in default_methods() if methods is None else methods:
        budget.check()
        refusal = "no time was left" if budget.expired else method.refusal()
        if refusal is not None:
            note(method, "skipped", refusal)
            continue
        progress(f"try {method.name}", 0, None)
        try:
            probed, present = await method.bring(folder or browsers_folder(), progress, budget)
        except InstallFailed as error:
            note(method, "failed", str(error))
            continue
        note(method, "present" if present else "installed")
        ProbeCache().store(probed.path, probed.product, probed.reason)
        return InstallReport(tuple(tries), probed)
    package = "" if only_installed() else package_command()
    raise LaunchFailed(
        "No browser could be installed: "
        + "; ".join(f"{one.way}: {one.reason[:200].rstrip('.')}" for one in tries)
        + ".",
        "Specify a zip or tar that contains a browser for this system, or a browser's executable."
        if from_file is not None
        else _ANOTHER_WAY + (f", or `{package}`." if package else "."),
        tries=msgspec.to_builtins(tries),
    )


async def find_or_install(
    budget: Budget | None = None,
    *,
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    progress: Progress = silent,
    tried: Callable[[Try], None] | None = None,
    from_file: str | Path | None = None,
    methods: Sequence[InstallMethod] | None = None,
    folder: Path | None = None,
) -> Probed:
    """Return a working browser: an existing one (``choose``), else a newly installed one.

    Raises:
        LaunchFailed: no browser works and Tabwarden can't install one, or the browser that the
            caller or the environment names does not work.
        Cancelled: the caller canceled.
    """
    budget = budget or Budget(INSTALL_MS)
    try:
        return await choose(budget, executable=executable, browser=browser)
    except LaunchFailed as error:
        if "field" in error.data or browser not in (None, "chrome", "chromium"):
            raise
    report = await install(
        budget, progress=progress, tried=tried, from_file=from_file, methods=methods, folder=folder
    )
    return report.found
