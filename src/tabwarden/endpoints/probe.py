"""Which of the browsers that are there work: each is really started, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.endpoints.discover import ENVIRONMENT_VARIABLE, Candidate, candidates
from tabwarden.endpoints.options import BrowserKind, LaunchOptions
from tabwarden.endpoints.probe_cache import ProbeCache
from tabwarden.endpoints.remedy import browser_command, package_command
from tabwarden.endpoints.start import start_browser
from tabwarden.errors import LaunchFailed

__all__ = [
    "Found",
    "choose",
    "find_browsers",
    "first_that_works",
    "none_works",
    "probe",
    "would_choose",
]

_PROBE_MS = 10_000.0
"""For a browser that there are others beside. The first start after a boot, from a disk that is
cold and on a machine that is busy, may take longer: the only one has all the time that is left."""
_NAMED_BY: Mapping[str, str] = {"argument": "executable", "environment": ENVIRONMENT_VARIABLE}


class Found(NamedTuple):
    """A browser on this system: it works, or ``reason`` says why not."""

    candidate: Candidate
    product: str = ""
    """What it calls itself: "Chrome/156.0.8078.79"."""
    reason: str = ""
    """Why it does not work; empty when it does."""

    @property
    def works(self) -> bool:
        """Whether it answered."""
        return not self.reason

    @property
    def path(self) -> Path:
        """The executable."""
        return self.candidate.path

    @property
    def version(self) -> str:
        """The version alone: "156.0.8078.79"."""
        return self.product.partition("/")[2]


async def probe(candidate: Candidate, budget: Budget, *, at_most_ms: float = _PROBE_MS) -> Found:
    """Start one browser (headless, a profile of its own), ask its version, end it.

    What it writes to its standard error meanwhile does not count against it.

    Raises:
        Cancelled: the caller gave up.
    """
    own = budget.child(at_most_ms=at_most_ms)
    try:
        browser = await start_browser(
            candidate.path, LaunchOptions(), own, headless_shell=candidate.headless_only
        )
    except LaunchFailed as error:
        return Found(candidate, reason=f"{error.message} {error.hint}".strip())
    await browser.end(own)
    return Found(candidate, product=browser.product)


async def find_browsers(
    budget: Budget,
    *,
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    refresh: bool = False,
    cache: ProbeCache | None = None,
) -> list[Found]:
    """All browsers of this system, best first, each with its version or why it does not work.

    Args:
        budget: for all probes together; each has 10 s at most.
        executable: look at this one only.
        browser: only this kind.
        refresh: ask again, whatever the cache holds.
        cache: instead of the user's.

    Raises:
        LaunchFailed: the executable that is named (also by the environment) does not exist.
        Cancelled: the caller gave up.
    """
    cache = cache or ProbeCache()
    found = []
    for candidate in candidates(executable, browser):
        if refresh:
            cache.forget(candidate.path)
        found.append(await _known_or_probed(candidate, budget, cache))
    return found


async def choose(
    budget: Budget,
    *,
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    headless: bool = True,
    cache: ProbeCache | None = None,
) -> Found:
    """The first browser that works. Those behind it are not started.

    A browser that the caller or the environment names is that or none.

    Raises:
        LaunchFailed: none works; ``data["tried"]`` lists them, the hint names the way out.
        Cancelled: the caller gave up.
    """
    known = candidates(executable, browser, headless=headless)
    if known and known[0].source == "environment":
        known = known[:1]
    if not known and not headless and candidates(browser=browser):
        raise LaunchFailed(
            "Only headless browsers were found on this system: they have no window to show.",
            "Use headless, or install a browser with windows"
            + (f": `{package_command()}`." if package_command() else "."),
            tried=[],
        )
    return await first_that_works(known, budget, cache or ProbeCache())


async def first_that_works(known: Sequence[Candidate], budget: Budget, cache: ProbeCache) -> Found:
    """The first of ``known`` that works; see ``choose``."""
    tried = []
    for left, candidate in zip(range(len(known), 0, -1), known, strict=True):
        share_ms = max(_PROBE_MS, budget.remaining_ms() / left)
        found = await _known_or_probed(candidate, budget, cache, share_ms)
        if found.works:
            return found
        tried.append(found)
    for refused in tried:  # "no browser" is never said on the word of a cache alone
        cache.forget(refused.path)
    raise none_works(tried)


def would_choose(found: Sequence[Found]) -> Found | None:
    """Which of these (``find_browsers``) a launch takes: the named one, else the first to work."""
    if found and found[0].candidate.source in _NAMED_BY:
        found = found[:1]
    return next((one for one in found if one.works), None)


def none_works(tried: Sequence[Found]) -> LaunchFailed:
    """The error for browsers none of which works, with the one command for this system."""
    data = [{"path": str(one.path), "reason": one.reason} for one in tried]
    field = _NAMED_BY.get(tried[0].candidate.source) if tried else None
    if field is not None:
        return LaunchFailed(
            f"The browser that {field} names does not work: {tried[0].reason}",
            f"Correct {field}, or leave it out to use one that is found. To install one: "
            f"`{browser_command()}`.",
            tried=data,
            field=field,
        )
    return LaunchFailed(
        "No browser that works was found"
        + (f": {tried[0].path}: {tried[0].reason}" if tried else " on this system."),
        f"Install one: `{browser_command()}`.",
        tried=data,
    )


async def _known_or_probed(
    candidate: Candidate, budget: Budget, cache: ProbeCache, at_most_ms: float = _PROBE_MS
) -> Found:
    answer = cache.look_up(candidate.path)
    if answer is not None:
        return Found(candidate, answer.product, answer.reason)
    budget.check()
    if budget.expired:
        return Found(candidate, reason="there was no time left to start it")
    found = await probe(candidate, budget, at_most_ms=at_most_ms)
    # Out of time says more about the caller's budget than about the browser.
    if found.works or not budget.expired:
        cache.store(candidate.path, found.product, found.reason)
    return found
