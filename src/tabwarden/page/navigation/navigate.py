"""Navigate: goto, back, forward and reload. Each waits for events and never sleeps."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from tabwarden.errors import BrowserGone, InvalidArgument
from tabwarden.page.call import (
    bring_to_front,
    checked_url,
    document_requests,
    is_covered,
    is_usable,
    load_failed,
    name_place,
    reason_of,
    refusal_recorded,
)
from tabwarden.page.navigation.arriving import Arrival
from tabwarden.page.navigation.not_loaded import error_page_shown, stayed
from tabwarden.page.navigation.timing import (
    ARRIVING_LOOK_MS,
    KNOWN_MS,
    LOAD_MS,
    LOOK_MS,
    QUIET_LOAD_MS,
    UNCOVERED_S,
)
from tabwarden.page.navigation.unload import Left, leaving
from tabwarden.page.task import Call, Done, card
from tabwarden.protocol import page
from tabwarden.supervisor.core.handlers import failing_route
from tabwarden.supervisor.core.state.inputs import LookAgain
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame, Tab
from tabwarden.supervisor.runtime import CommandRefused, Race
from tabwarden.telemetry.redaction import without_login

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]

LOADING_NOTE = "The page is usable but still loading."
_PART_NOTE = "The page is usable but still loading: a frame, an image or a font has not loaded."
_BUSY_NETWORK_NOTE = "The page is usable, but its network did not become idle."
_HUNG_NOTE = (
    "The previous page hung and could not be stopped, so a new tab replaced it. The new tab "
    "shows the new page and has no history."
)
_TRIES = 3
"""How many times to try a navigation if another navigation or a tab replacement interferes."""
_OVERTAKEN_NOTE = (
    "The page keeps navigating on its own, and that canceled this navigation. The tab shows the "
    "document that the page chose."
)
_ABORTED = "net::ERR_ABORTED"
_NO_BODY = "net::ERR_HTTP_RESPONSE_CODE_FAILURE"
"""The browser's error for an HTTP error response with an empty body. Some browsers show their own
error page for it."""
_LEAVING = Frame(frame_id="", parent_frame_id=None, session_id="")


async def load_url(call: Call, url: str, *, wait_until: WaitUntil = "load") -> Done:
    """Navigate, and wait until the page reaches ``wait_until``. If the page is still loading then,
    add a note.

    If the page keeps navigating itself and cancels this navigation, retry from an empty page.

    Raises:
        Denied: the network policy forbids the URL or a redirect.
        PageUnreachable, BadCertificate: the server can't be reached, or a network error occurred.
    """
    tab_id = call.tab.tab_id
    with refusal_recorded(call, url, "policy"):
        name_place(call.task, url)
    await _uncover(call)
    arrived = await _gone_to(call, url, wait_until)
    for _ in range(_TRIES - 1):
        if arrived is not None:
            break
        await call.race.until(lambda state: is_usable(state, tab_id))
        last, call = call.tab, call.on(call.task.tab(tab_id))
        restless = call.tab.target_id == last.target_id
        arrived = await _gone_to(call, url, wait_until, restless=restless)
    return arrived or Done(note=_OVERTAKEN_NOTE)


async def _uncover(call: Call) -> bool:
    """If a browser window covers the tab, leave the page, because that closes the window. A reload,
    or another page on the same site, closes only some kinds of windows. Return whether the tab left
    the page."""
    if not call.memory.is_covered:
        return False
    await _gone_to(call, "about:blank")
    call = call.on(call.task.tab(call.tab.tab_id))
    bring_to_front(call)
    until = time.monotonic() + UNCOVERED_S
    while await is_covered(call) and time.monotonic() < until:  # the window closes a moment later
        pass
    return True


async def _gone_to(
    call: Call, url: str, wait_until: WaitUntil = "load", *, restless: bool = False
) -> Done | None:
    """Navigate once. Return None if the page's own navigation canceled this navigation, or if the
    tab was replaced first."""
    async with leaving(call, url, restless=restless) as left:
        if _is_replaced(call.state, call.tab):
            return None
        failed_before = call.state.connections_failed
        before = call.state
        seen: set[str] = set()
        unobserve = call.task.supervisor.observe(
            lambda _, state: seen.add(state.document_in(call.tab.tab_id))
        )
        try:
            with document_requests(call, left.loader_id) as requests:
                done = await call.race.call(page.Navigate(url=url), call.tab.session_id)
            if done.error_text == _ABORTED:
                if seen - {left.loader_id, ""}:
                    return None
                is_download = bool(done.is_download)
                return await stayed(call, url, before, requests, is_download=is_download)
            if done.error_text and done.error_text != _NO_BODY:
                await error_page_shown(call, left.loader_id)
                error = reason_of(call.task, url, done.error_text, failed_before)
                raise load_failed(url, error, failing_route(call.state, url))
            if done.loader_id is None:  # the tab keeps its document: only the fragment differs
                return Done()
            arrived = await _replaced(call.race, call.tab, left, wait_until)
            if _is_replaced(call.state, call.tab):
                return arrived
            seen.add(call.state.document_in(call.tab.tab_id))
            return arrived if done.loader_id in seen else None
        except CommandRefused as refused:
            if _is_replaced(call.state, call.tab):
                return None
            raise InvalidArgument(
                f"The browser can't navigate to {without_login(url)[:500]!r}: {refused.error}.",
                "Give a full URL such as 'https://example.com/'.",
                field="url",
            ) from None
        finally:
            unobserve()


async def load_again(call: Call, *, ignore_cache: bool = False) -> Done:
    """Reload the page, optionally without the browser's cache. A crashed tab reopens its last
    URL."""
    was_covered = await _uncover(call)
    async with leaving(call, call.tab.url) as left:
        _refuse_if_replaced(call.state, call.tab)
        with document_requests(call, left.loader_id):
            # Reloading the history entry would load the page that hung, or the empty page.
            if left.emptied or was_covered:
                await call.race.call(page.Navigate(url=call.tab.url), call.tab.session_id)
            else:
                await call.race.call(page.Reload(ignore_cache=ignore_cache), call.tab.session_id)
            return await _replaced(call.race, call.tab, left)


async def back_or_forward(call: Call, step: int) -> Done:
    """Go ``step`` entries (-1 or 1) through the tab's history. Raise ``InvalidArgument`` if the
    history has no such entry."""
    history = await call.race.call(page.GetNavigationHistory(), call.tab.session_id)
    wanted = history.current_index + step
    if not 0 <= wanted < len(history.entries):
        raise InvalidArgument(
            f"There is no page to go {'back' if step < 0 else 'forward'} to.",
            f"The tab's history has {len(history.entries)} page(s).",
        )
    entry = history.entries[wanted]
    here = history.entries[history.current_index].url
    was_covered = await _uncover(call)
    async with leaving(call, entry.url) as left:
        _refuse_if_replaced(call.state, call.tab)
        before = call.state.top_frame(call.tab.tab_id)

        def has_moved(state: SupervisorState) -> bool:
            """Whether the tab moved within the same document, which can't be known in advance."""
            top = state.top_frame(call.tab.tab_id)
            if top is None or before is None or top.loader_id != left.loader_id:
                return False
            return top.moves != before.moves or here != top.url == entry.url

        with document_requests(call, left.loader_id):
            if was_covered and step > 0:  # loading the empty page has removed the later entries
                await call.race.call(page.Navigate(url=entry.url), call.tab.session_id)
            else:
                go = page.NavigateToHistoryEntry(entry_id=entry.id)
                await call.race.call(go, call.tab.session_id)
            return await _replaced(call.race, call.tab, left, or_else=has_moved)


async def _replaced(
    race: Race,
    tab: Tab,
    left: Left,
    wait_until: WaitUntil = "load",
    *,
    or_else: Callable[[SupervisorState], bool] = lambda _: False,
) -> Done:
    """Wait for a new document to load in the top frame, or for ``or_else``. The new document may
    differ from the requested one, because a script may have redirected the tab."""

    def has_come(state: SupervisorState) -> bool:
        other = state.document_in(tab.tab_id) not in ("", left.loader_id)
        return other and _standing(state, tab) is not _LEAVING

    def is_there(state: SupervisorState) -> bool:
        return has_come(state) and (wait_until == "commit" or _standing(state, tab).is_parsed)

    arrival = Arrival(race, tab)
    pause_ms, late_at = LOOK_MS, time.monotonic() + _share(race) / 1000
    while not await race.until(lambda s: is_there(s) or or_else(s), at_most_ms=pause_ms):
        # The browser may send no event about a page in a new target or a new renderer.
        race.supervisor.feed(LookAgain(tab.tab_id))
        if has_come(race.supervisor.state):
            left_s = late_at - time.monotonic()
            if note := await arrival.note(is_late=left_s <= 0):
                return Done(note=note)
            pause_ms = min(ARRIVING_LOOK_MS, max(left_s * 1000, LOOK_MS))
        else:
            pause_ms *= 2
    if or_else(race.supervisor.state):
        return Done()
    if wait_until == "commit":
        # The browser process learns of the new page a moment later than we do.
        await race.until(lambda state: _is_known(state, tab), at_most_ms=KNOWN_MS)
    return await _loaded(race, tab, wait_until)


async def _loaded(race: Race, tab: Tab, wait_until: WaitUntil) -> Done:
    """Wait until a parsed document reaches ``wait_until``."""

    def has_got(state: SupervisorState) -> bool:
        return _has_got(_standing(state, tab), wait_until)

    share_ms = _share(race)
    done = await race.until(has_got, at_most_ms=min(QUIET_LOAD_MS, share_ms))
    is_quiet = "networkAlmostIdle" in _standing(race.supervisor.state, tab).lifecycle
    if not done and not (is_quiet and wait_until == "load"):
        done = await race.until(has_got, at_most_ms=max(0, share_ms - QUIET_LOAD_MS))
    if _is_replaced(race.supervisor.state, tab):
        return Done(note=_HUNG_NOTE)
    if not done:
        late = _PART_NOTE if is_quiet else LOADING_NOTE
        return Done(note=_BUSY_NETWORK_NOTE if wait_until == "networkidle" else late)
    return Done()


def _has_got(frame: Frame, wait_until: WaitUntil) -> bool:
    match wait_until:
        case "commit" | "domcontentloaded":
            return wait_until == "commit" or frame.is_parsed
        case "load":
            return frame.is_loaded
        case "networkidle":
            return bool(frame.lifecycle & {"networkIdle", "stopped"})


def _standing(state: SupervisorState, tab: Tab) -> Frame:
    """Return the tab's top frame, or ``_LEAVING`` while the tab is navigating."""
    frame = state.top_frame(tab.tab_id)
    return frame if frame is not None and not frame.navigating else _LEAVING


def _is_replaced(state: SupervisorState, tab: Tab) -> bool:
    """Whether the tab hung while leaving its page and now has another target."""
    now = state.tabs.get(tab.tab_id)
    return now is not None and now.target_id != tab.target_id


def _refuse_if_replaced(state: SupervisorState, tab: Tab) -> None:
    """Raise an error if the tab hung and was replaced, because the request was for the old page."""
    if _is_replaced(state, tab):
        raise BrowserGone(
            f"Tab {tab.tab_id} hung, and a new tab without its history replaced it.",
            "Take a new snapshot and continue.",
            reason="the tab was replaced",
            tab_id=tab.tab_id,
        )


def _is_known(state: SupervisorState, tab: Tab) -> bool:
    """Whether the browser process already knows which document the tab shows."""
    known = state.tabs.get(tab.tab_id, tab).url
    return known.partition("#")[0] == _url(state, tab).partition("#")[0]


def _url(state: SupervisorState, tab: Tab) -> str:
    frame = state.top_frame(tab.tab_id)
    return frame.url if frame is not None else ""


def _share(race: Race) -> float:
    return min(LOAD_MS, race.budget.remaining_ms() * 0.5)


@card(
    "back",
    about="Go back one page in this tab's history.",
    permission="act",
    group="pages",
    revives=True,
)
async def back(call: Call) -> Done:
    """Go back in the tab's history.

    Raises:
        InvalidArgument: the history has no earlier page.
        DialogPending: a dialog blocks the page.
        BudgetExceeded: the page did not load in time.
    """
    return await back_or_forward(call, -1)


@card(
    "forward",
    about="Go forward one page in this tab's history.",
    permission="act",
    group="pages",
    revives=True,
)
async def forward(call: Call) -> Done:
    """Go forward in the tab's history.

    Raises:
        InvalidArgument: the history has no later page.
        DialogPending: a dialog blocks the page.
        BudgetExceeded: the page did not load in time.
    """
    return await back_or_forward(call, 1)


@card(
    "reload",
    about="Reload the page, or restore a crashed tab.",
    permission="act",
    group="pages",
    revives=True,
)
async def reload(call: Call) -> Done:
    """Reload the page. This also restores a crashed tab.

    Raises:
        DialogPending: a dialog blocks the page.
        BudgetExceeded: the page did not load in time.
    """
    return await load_again(call)


@card(
    "goto",
    about="Open a URL and wait until it has loaded. If no browser is open, open one.",
    permission="act",
    group="core",
    opens_browser=True,
    revives=True,
    opens=True,
    varies={("wait_until", early): {"draws": False} for early in ("commit", "domcontentloaded")},
)
async def goto(
    call: Call,
    url: Annotated[str, Field(description="The URL (default scheme: https).")],
    *,
    wait_until: Annotated[
        WaitUntil,
        Field(description="Loading state to wait for."),
    ] = "load",
) -> Done:
    """Open a URL and wait until the page has loaded.

    Args:
        url: http(s), data or about:blank; a bare host gets https.
        wait_until: how far the page must have loaded: ``commit`` (the new document exists),
            ``load``, ...
        tab_id: which tab; by default the active tab, or a new one if no tab is open.

    Raises:
        InvalidArgument: ``url`` is not a URL. Denied: the policy forbids its scheme.
        PageUnreachable: no server answers. BadCertificate: the browser does not trust it.
    """
    with refusal_recorded(call, url, "unsupported"):
        wanted = checked_url(url, allow_file_urls=call.task.config.allow_file_urls)
    return await load_url(call, wanted, wait_until=wait_until)
