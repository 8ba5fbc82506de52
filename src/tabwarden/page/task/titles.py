"""Get page titles from the browser process, because no event reports a new title."""

from __future__ import annotations

import time

import msgspec

from tabwarden.page.task.timing import BROWSER_TITLE_MS, PAGE_TITLE_MS, TITLE_DELAY_S
from tabwarden.protocol import runtime, target
from tabwarden.supervisor.core.handlers import is_address
from tabwarden.supervisor.core.state.inputs import LookAtTabs, TargetSeen
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CDPSupervisor, CommandRefused, Pending, Race


async def refresh_all(supervisor: CDPSupervisor, race: Race) -> None:
    """Get the URL and title of all tabs from the browser process in one round trip.

    If the browser process has no title for a page yet, ask the page. If the page doesn't reply,
    keep the old title.
    """
    request = race.start(target.GetTargets(), None)
    if not await race.answered(request, at_most_ms=BROWSER_TITLE_MS):
        return
    try:
        targets = await race.result(request)
    except CommandRefused:
        return
    untitled = []
    for info in targets.target_infos:
        tab = supervisor.state.tab_of_target(info.target_id)
        if tab is not None and is_address(info) and tab.status == "ready":
            command = runtime.Evaluate(expression="document.title", silent=True)
            untitled.append((info, tab, race.start(command, tab.session_id)))
        elif tab is not None:
            supervisor.feed(TargetSeen(info))
    until = time.monotonic() + PAGE_TITLE_MS / 1000
    for info, tab, title_request in untitled:
        left_ms = max(0.0, until - time.monotonic()) * 1000
        known = tab.title if info.url == tab.url else ""
        title = known
        if await race.answered(title_request, at_most_ms=left_ms):
            title = await _title(race, title_request)
        supervisor.feed(TargetSeen(msgspec.structs.replace(info, title=title or info.title)))


async def title_in_page(race: Race, tab: Tab) -> str:
    """Ask a page for its title. Return "" if the page has no title or does not reply at once."""
    request = race.start(runtime.Evaluate(expression="document.title", silent=True), tab.session_id)
    if not await race.answered(request, at_most_ms=PAGE_TITLE_MS):
        return ""
    return await _title(race, request)


async def _title(race: Race, request: Pending[runtime.EvaluateResult]) -> str:
    try:
        value = (await race.result(request)).result.value
    except CommandRefused:
        return ""
    return value if isinstance(value, str) else ""


class LateTitles:
    """Requests the titles a moment after an agent's script, because the script may have set one. No
    call waits for the titles, and many scripts share one request."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        self._is_due = False

    def soon(self) -> None:
        """Schedule a request. Thread-safe."""
        if self._is_due:
            return
        self._is_due = True
        self._supervisor.loop.call_soon_threadsafe(self._arm)

    def _arm(self) -> None:
        self._supervisor.loop.call_later(TITLE_DELAY_S, self._ask)

    def _ask(self) -> None:
        self._is_due = False
        if self._supervisor.state.health.status == "live":
            self._supervisor.feed(LookAtTabs())
