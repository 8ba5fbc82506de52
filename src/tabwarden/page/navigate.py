"""Navigation: goto, back, forward, reload; settled by events, never by sleeping."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

from tabwarden.errors import BrowserGone, Denied, EndpointUnreachable, InvalidArgument
from tabwarden.page.leave import Left, leaving
from tabwarden.page.line import quoted
from tabwarden.page.outgoing import name_place, reason_of
from tabwarden.page.ready import usable
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.protocol import page
from tabwarden.supervisor import CommandRefused, Frame, LookAgain, Race, SupervisorState, Tab

__all__ = ["WaitUntil", "back_or_forward", "checked_url", "goto", "reload"]

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]

_LOAD_MS = 10_000.0
"""How long ``load`` may take after DOM ready before the page counts as usable without it."""
_OPEN_SCHEMES = {"http", "https", "data", "blob", "about"}
_KNOWN_MS = 100.0
_LOOK_MS = 1_000.0
"""After so long without news it is looked whether the document is there; then after twice that."""
_HOST = re.compile(r"^(localhost|[\w-]+(\.[\w-]+)+|\[[0-9a-fA-F:]+\])(:\d{1,5})?([/?#].*)?$")
LOADING_NOTE = "The page is usable but still loading."
_BUSY_NETWORK_NOTE = "The page is usable, but its network did not come to rest."
_IN_PART_NOTE = "The page came only in part: its server broke off, or its loading was stopped."
_HUNG_NOTE = (
    "The page that was left hung, and nothing could stop it, so the tab was replaced: it stands at "
    "the new page, without its history."
)
_TRIES = 3
"""A tab that was replaced may be overtaken once more, by what its new target begins with."""
_OVERTAKEN_NOTE = (
    "The page navigates itself all the time, and overtook this: it stands where it went by itself."
)
_ABORTED = "net::ERR_ABORTED"
_LEAVING = Frame(frame_id="", parent_frame_id=None, session_id="")


def checked_url(url: str, *, allow_file_urls: bool = False) -> str:
    """The URL to navigate to; a bare host gets a scheme.

    Raises:
        InvalidArgument: not a URL.
        Denied: a scheme that policy forbids.
    """
    text = url.strip() if isinstance(url, str) else ""
    if _HOST.match(text):
        text = ("http://" if re.match(r"^(localhost|127\.|\[::1\])", text) else "https://") + text
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    scheme = parts.scheme.lower()
    if not scheme or (scheme in ("http", "https") and not host):
        raise InvalidArgument(
            f"{url!r} is not a URL that can be opened.",
            "Give a full URL such as 'https://example.com/'.",
            field="url",
        )
    if scheme == "about" and text.lower() not in ("about:blank", "about:srcdoc"):
        raise _denied(scheme)
    if scheme not in _OPEN_SCHEMES and not (scheme == "file" and allow_file_urls):
        raise _denied(scheme)
    return text


async def goto(
    task: Task, race: Race, tab: Tab, url: str, *, wait_until: WaitUntil = "load"
) -> Done:
    """Navigate and wait until the page has got so far; a note when it is usable but still loading.

    A page that navigates itself all the time may overtake this: it is then left by way of an empty
    one.

    Raises:
        Denied: the network policy refuses it, or where it redirects to.
        EndpointUnreachable: the server can't be reached, or answered with a network error.
    """
    tab_id = tab.tab_id
    name_place(task, url)
    arrived = await _gone_to(task, race, tab, url, wait_until)
    for _ in range(_TRIES - 1):
        if arrived is not None:
            break
        await race.until(lambda state: usable(state, tab_id))
        last, tab = tab, task.tab(tab_id)
        restless = tab.target_id == last.target_id
        arrived = await _gone_to(task, race, tab, url, wait_until, restless=restless)
    return arrived or Done(note=_OVERTAKEN_NOTE)


async def _gone_to(
    task: Task, race: Race, tab: Tab, url: str, wait_until: WaitUntil, *, restless: bool = False
) -> Done | None:
    """The same, once; None when another navigation of the page's overtook it, or the tab had to be
    replaced before it began."""
    async with leaving(task, race, tab, url, restless=restless) as left:
        if _is_replaced(task.state, tab):
            return None
        failed_before = task.state.connections_failed
        seen: set[str] = set()
        unobserve = task.supervisor.observe(
            lambda _, state: seen.add(state.document_in(tab.tab_id))
        )
        try:
            done = await race.call(page.Navigate(url=url), tab.session_id)
            if done.error_text:
                if done.error_text == _ABORTED and seen - {left.loader_id, ""}:
                    return None
                error = reason_of(task, url, done.error_text, failed_before)
                return Done(note=_failed(url, error))
            if done.loader_id is None:  # same document: a fragment
                return Done()
            arrived = await _replaced(race, tab, left, wait_until)
            if _is_replaced(task.state, tab):
                return arrived
            seen.add(task.state.document_in(tab.tab_id))
            return arrived if done.loader_id in seen else None
        except CommandRefused as refused:
            if _is_replaced(task.state, tab):
                return None
            raise InvalidArgument(
                f"The browser can't navigate to {url[:500]!r}: {refused.error}.",
                "Give a full URL such as 'https://example.com/'.",
                field="url",
            ) from None
        finally:
            unobserve()


async def reload(task: Task, race: Race, tab: Tab) -> Done:
    """Load the page again; revives a crashed tab at its last URL."""
    async with leaving(task, race, tab, tab.url) as left:
        _refuse_if_replaced(task.state, tab)
        if left.emptied:  # its entry in the history would bring back the page that hung
            await race.call(page.Navigate(url=tab.url), tab.session_id)
        else:
            await race.call(page.Reload(), tab.session_id)
        return await _replaced(race, tab, left)


async def back_or_forward(task: Task, race: Race, tab: Tab, step: int) -> Done:
    """Go ``step`` entries (-1 or 1) through the tab's history.

    Raises:
        InvalidArgument: there is no such entry.
    """
    history = await race.call(page.GetNavigationHistory(), tab.session_id)
    wanted = history.current_index + step
    if not 0 <= wanted < len(history.entries):
        raise InvalidArgument(
            f"There is nothing to go {'back' if step < 0 else 'forward'} to.",
            f"The history has {len(history.entries)} page(s).",
        )
    entry = history.entries[wanted]
    here = history.entries[history.current_index].url
    async with leaving(task, race, tab, entry.url) as left:
        _refuse_if_replaced(task.state, tab)
        before = task.state.top_frame(tab.tab_id)

        def moved(state: SupervisorState) -> bool:
            """Whether it went there within its document: nothing tells before which it will be."""
            top = state.top_frame(tab.tab_id)
            if top is None or before is None or top.loader_id != left.loader_id:
                return False
            return top.moves != before.moves or here != top.url == entry.url

        await race.call(page.NavigateToHistoryEntry(entry_id=entry.id), tab.session_id)
        return await _replaced(race, tab, left, or_moved=moved)


async def _replaced(
    race: Race,
    tab: Tab,
    left: Left,
    wait_until: WaitUntil = "load",
    *,
    or_moved: Callable[[SupervisorState], bool] = lambda _: False,
) -> Done:
    """Wait for another document than the one that was left in the top frame, loaded; or for
    ``or_moved``.

    It need not be the one that was asked for: a script may have redirected meanwhile.
    """

    def is_there(state: SupervisorState) -> bool:
        frame = _standing(state, tab)
        other = state.document_in(tab.tab_id) not in ("", left.loader_id)
        return other and (frame.is_parsed or (wait_until == "commit" and frame is not _LEAVING))

    pause_ms = _LOOK_MS
    while not await race.until(lambda s: is_there(s) or or_moved(s), at_most_ms=pause_ms):
        # A page that comes in as its target is made, or changes its renderer, may do so untold.
        race.supervisor.feed(LookAgain(tab.tab_id))
        pause_ms *= 2
    if or_moved(race.supervisor.state):
        return Done()
    if wait_until == "commit":
        # The browser process hears of it from the page's, a moment later than we do.
        await race.until(lambda state: _is_known(state, tab), at_most_ms=_KNOWN_MS)
    done = await race.until(
        lambda state: _has_got(_standing(state, tab), wait_until), at_most_ms=_share(race)
    )
    lifecycle = _standing(race.supervisor.state, tab).lifecycle
    if "stopped" in lifecycle and "load" not in lifecycle:
        return Done(note=_IN_PART_NOTE)
    if _is_replaced(race.supervisor.state, tab):
        return Done(note=_HUNG_NOTE)
    if not done:
        return Done(note=_BUSY_NETWORK_NOTE if wait_until == "networkidle" else LOADING_NOTE)
    return Done()


def _has_got(frame: Frame, wait_until: WaitUntil) -> bool:
    """Whether a document has got as far as it is waited for."""
    match wait_until:
        case "commit" | "domcontentloaded":
            return wait_until == "commit" or frame.is_parsed
        case "load":
            return frame.is_loaded
        case "networkidle":
            return bool(frame.lifecycle & {"networkIdle", "stopped"})


def _standing(state: SupervisorState, tab: Tab) -> Frame:
    """The tab's top frame; one without a document while it is on its way elsewhere."""
    frame = state.top_frame(tab.tab_id)
    return frame if frame is not None and not frame.navigating else _LEAVING


def _is_replaced(state: SupervisorState, tab: Tab) -> bool:
    """Whether a tab hung while it was left, and has another target since."""
    now = state.tabs.get(tab.tab_id)
    return now is not None and now.target_id != tab.target_id


def _refuse_if_replaced(state: SupervisorState, tab: Tab) -> None:
    """A page that had hung on its way elsewhere: what was asked for was for another tab."""
    if _is_replaced(state, tab):
        raise BrowserGone(
            f"Tab {tab.tab_id} was hung and has been replaced by a new one, without its history.",
            "Take a new snapshot, and go on from there.",
            reason="the tab was replaced",
            tab_id=tab.tab_id,
        )


def _is_known(state: SupervisorState, tab: Tab) -> bool:
    """Whether the browser process knows what document stands in the tab."""
    known = state.tabs.get(tab.tab_id, tab).url
    return known.partition("#")[0] == _url(state, tab).partition("#")[0]


def _url(state: SupervisorState, tab: Tab) -> str:
    frame = state.top_frame(tab.tab_id)
    return frame.url if frame is not None else ""


def _share(race: Race) -> float:
    return min(_LOAD_MS, race.budget.remaining_ms() * 0.5)


def _failed(url: str, error_text: str) -> str:
    if error_text == _ABORTED:
        return (
            "The page was not left: the navigation became a download, had no content, or was "
            "kept back by the page."
        )
    raise EndpointUnreachable(
        f"{quoted(url[:500])} could not be opened: {error_text}.",
        "Check the address; the server may be down. The tab shows the browser's error page.",
        url=url,
        error_text=error_text,
    )


def _denied(scheme: str) -> Denied:
    return Denied(
        f"{scheme}: URLs may not be opened.",
        "Use http(s); file: needs allow_file_urls in the configuration.",
        field="url",
    )
