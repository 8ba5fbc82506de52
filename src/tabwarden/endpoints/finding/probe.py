"""Test which browsers work by starting each of them once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.endpoints.finding.discover import (
    ENVIRONMENT_VARIABLE,
    ONLY_INSTALLED,
    Candidate,
    candidates,
    ignored,
    only_installed,
    words_for_ignored,
)
from tabwarden.endpoints.finding.probe_cache import ProbeCache
from tabwarden.endpoints.launching import BrowserKind, LaunchOptions, start_browser
from tabwarden.endpoints.remedy import browser_command, package_command
from tabwarden.errors import LaunchFailed

PROBE_MS = 10_000.0
"""Limit for testing one of several browsers. On a cold disk or a busy computer, a browser may need
longer. The last browser to test therefore gets all of the remaining time.
"""

_NAMED_BY: Mapping[str, str] = {"argument": "executable", "environment": ENVIRONMENT_VARIABLE}
_FROM_VENDORS: Mapping[str, str] = {"edge": "Microsoft Edge", "brave": "Brave"}
"""The kinds of browser that ``browser_command`` can't install."""


class Probed(NamedTuple):
    """The result of testing a browser on this system."""

    candidate: Candidate
    product: str = ""
    """The name and version that the browser reports: "Chrome/156.0.8078.79"."""
    reason: str = ""
    """Why the browser does not work; "" if it does."""

    @property
    def works(self) -> bool:
        return not self.reason

    @property
    def path(self) -> Path:
        return self.candidate.path

    @property
    def version(self) -> str:
        """Only the version: "156.0.8078.79"."""
        return self.product.partition("/")[2]


async def probe(candidate: Candidate, budget: Budget, *, at_most_ms: float = PROBE_MS) -> Probed:
    """Start one browser, headless and with its own profile. Request its version, then close it.
    Output on standard error doesn't count as a failure.
    """
    own = budget.child(at_most_ms=at_most_ms)
    try:
        browser = await start_browser(
            candidate.path, LaunchOptions(), own, headless_shell=candidate.headless_only
        )
    except LaunchFailed as error:
        return Probed(candidate, reason=f"{error.message} {error.hint}".strip())
    await browser.end(own)
    return Probed(candidate, product=browser.product)


async def find_browsers(
    budget: Budget,
    *,
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    refresh: bool = False,
    cache: ProbeCache | None = None,
) -> list[Probed]:
    """Return all browsers on this system, in order of preference, each with its version or its
    error.

    Args:
        budget: limits all probes together; each probe has at most 10 s.
        executable: check only this executable.
        browser: check only this kind.
        refresh: ignore cached results.
        cache: replaces the user's cache.

    Raises:
        LaunchFailed: the executable that the caller or the environment names does not exist.
        Cancelled: the caller canceled.
    """
    cache = cache or ProbeCache()
    results = []
    for candidate in candidates(executable, browser):
        if refresh:
            cache.forget(candidate.path)
        results.append(await _known_or_probed(candidate, budget, cache))
    return results


async def choose(
    budget: Budget,
    *,
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    headless: bool = True,
    cache: ProbeCache | None = None,
) -> Probed:
    """Return the first browser that works, without starting the remaining browsers.

    If the caller or the environment names a browser, only that browser is tried.

    Raises:
        LaunchFailed: no browser works; ``data["tried"]`` lists the browsers, and the hint says what
            to do.
        Cancelled: the caller canceled.
    """
    known = candidates(executable, browser, headless=headless)
    if known and known[0].source == "environment":
        known = known[:1]
    left_out = ignored(browser, headless=headless) if executable is None else []
    if not known and not headless and candidates(browser=browser):
        raise _shows_no_window(left_out)
    return await first_that_works(known, budget, cache or ProbeCache(), left_out, browser)


def _shows_no_window(left_out: Sequence[Candidate]) -> LaunchFailed:
    if left_out:
        message = f"Only headless browsers are available. {words_for_ignored(left_out)}"
        hint = f"Launch headless, or unset `{ONLY_INSTALLED}`."
    else:
        message = "This system has only headless browsers, which can't show a window."
        package = "" if only_installed() else package_command()
        hint = "Launch headless, or install a browser that can show windows"
        hint += f": `{package}`." if package else "."
    return LaunchFailed(message, hint, tried=[])


async def first_that_works(
    known: Sequence[Candidate],
    budget: Budget,
    cache: ProbeCache,
    left_out: Sequence[Candidate] = (),
    browser: BrowserKind | None = None,
) -> Probed:
    """Return the first browser in ``known`` that works; see ``choose``."""
    tried = []
    for left, candidate in zip(range(len(known), 0, -1), known, strict=True):
        share_ms = max(PROBE_MS, budget.remaining_ms() / left)
        result = await _known_or_probed(candidate, budget, cache, share_ms)
        if result.works:
            return result
        tried.append(result)
    for refused in tried:  # the cached failures may be out of date, so the next call probes again
        cache.forget(refused.path)
    raise none_works(tried, left_out, browser)


def would_choose(found: Sequence[Probed]) -> Probed | None:
    """Return the browser in ``found`` that a launch would use; None if no browser works."""
    if found and found[0].candidate.source in _NAMED_BY:
        found = found[:1]
    return next((one for one in found if one.works), None)


def none_works(
    tried: Sequence[Probed],
    left_out: Sequence[Candidate] = (),
    browser: BrowserKind | None = None,
) -> LaunchFailed:
    """Build the error that reports that no browser works. Its hint says how to install one.

    Args:
        tried: the browsers that do not work, in the order of ``candidates``.
        left_out: what ``ignored`` returned.
        browser: the kind of browser that the caller requires.
    """
    data = [{"path": str(one.path), "reason": one.reason} for one in tried]
    field = _NAMED_BY.get(tried[0].candidate.source) if tried else None
    if field is not None:
        return LaunchFailed(
            f"The browser that `{field}` specifies does not work: {tried[0].reason}",
            f"Correct `{field}`, or omit it so that Tabwarden finds a browser. To install a "
            f"browser: `{browser_command()}`.",
            tried=data,
            field=field,
        )
    where = f": {tried[0].path}: {tried[0].reason}" if tried else " on this system."
    name = _FROM_VENDORS.get(browser or "")
    if name is not None:
        hint = f"Tabwarden can't install {name}: install it yourself, or omit `browser`"
    else:
        hint = f"Install one: `{browser_command(own=only_installed())}`"
    return LaunchFailed(
        f"Found no working {name or 'browser'}{where} {words_for_ignored(left_out)}".strip(),
        hint + (f", or unset `{ONLY_INSTALLED}`." if left_out else "."),
        tried=data,
    )


async def _known_or_probed(
    candidate: Candidate, budget: Budget, cache: ProbeCache, at_most_ms: float = PROBE_MS
) -> Probed:
    answer = cache.look_up(candidate.path)
    if answer is not None:
        return Probed(candidate, answer.product, answer.reason)
    budget.check()
    if budget.expired:
        return Probed(candidate, reason="no time was left to start it")
    result = await probe(candidate, budget, at_most_ms=at_most_ms)
    # A timeout says more about the caller's budget than about the browser.
    if result.works or not budget.expired:
        cache.store(candidate.path, result.product, result.reason)
    return result
