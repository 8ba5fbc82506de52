"""Launch a browser of this system."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.endpoints.discover import candidates
from tabwarden.endpoints.launched import LaunchedBrowser
from tabwarden.endpoints.options import LaunchOptions
from tabwarden.endpoints.probe import choose
from tabwarden.endpoints.probe_cache import ProbeCache
from tabwarden.endpoints.scratch import sweep_leftovers_once
from tabwarden.endpoints.start import start_browser
from tabwarden.errors import LaunchFailed

__all__ = ["launch"]


async def launch(options: LaunchOptions, budget: Budget) -> LaunchedBrowser:
    """Start a browser and get a wire to it.

    Args:
        options: what to start, and how; see ``LaunchOptions``.
        budget: for all of it: finding a browser, starting it, its first answer.

    Returns:
        The running browser. However this process ends, the browser and its temporary profile
        go with it.

    Raises:
        LaunchFailed: no browser, or it did not come up; ``data["stderr"]`` has its last words.
        InvalidArgument: an option is wrong.
        Cancelled: the caller gave up. Nothing is left in any of these cases.
    """
    options = options.checked()
    sweep_leftovers_once()
    if options.executable is not None:
        candidate = candidates(options.executable)[0]
    else:
        found = await choose(budget, browser=options.browser, headless=options.headless)
        candidate = found.candidate
    try:
        return await start_browser(
            candidate.path, options, budget, headless_shell=candidate.headless_only
        )
    except LaunchFailed:
        # What worked once may not any more; the next one looks for itself.
        ProbeCache().forget(candidate.path)
        raise
