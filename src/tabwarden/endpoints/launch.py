"""Launch a browser on this system."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import ProbeCache, candidates, choose
from tabwarden.endpoints.launching import LaunchedBrowser, LaunchOptions, start_browser
from tabwarden.endpoints.profiles import sweep_leftovers_once
from tabwarden.errors import LaunchFailed


async def launch(options: LaunchOptions, budget: Budget) -> LaunchedBrowser:
    """Start a browser and open a wire to it.

    Args:
        options: which browser to start, and how.
        budget: limits the whole launch: finding and starting the browser, and its first reply.

    Returns:
        The running browser. When this process exits, even if it is killed, the browser exits and
        its temporary profile is removed.

    Raises:
        LaunchFailed: no browser works, or the browser did not start. ``data["stderr"]`` contains
            the last part of the browser's standard error.
        InvalidArgument: an option is invalid.
        Cancelled: the caller canceled.

    After any of these errors, no process or file remains.
    """
    options = options.checked()
    sweep_leftovers_once()
    if options.executable is not None:
        candidate = candidates(options.executable)[0]
    else:
        probed = await choose(budget, browser=options.browser, headless=options.headless)
        candidate = probed.candidate
    try:
        return await start_browser(
            candidate.path, options, budget, headless_shell=candidate.headless_only
        )
    except LaunchFailed:
        # A browser that worked before may fail now; the next launch probes it again.
        ProbeCache().forget(candidate.path)
        raise
