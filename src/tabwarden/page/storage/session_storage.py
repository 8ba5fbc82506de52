"""Read the tabs' sessionStorage, and restore it before a page's first script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tabwarden.page.storage.timing import TAB_ANSWERS_MS
from tabwarden.page.task import Call
from tabwarden.protocol import dom_storage, page
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CommandRefused

_PUT_BACK = """\
(([origin, items]) => {
  if (location.origin !== origin || self !== top) return;
  try {
    for (const { name, value } of items)
      if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value);
  } catch {}
})"""


async def read(call: Call) -> dict[str, list[dict[str, str]]]:
    """Return the sessionStorage of each origin that a tab shows. If several tabs show an origin,
    use the storage in the active tab. Skip tabs that do not respond."""
    state = call.state
    tabs = sorted(state.tabs.values(), key=lambda tab: tab.tab_id != state.active_tab_id)
    requests = {}
    for tab in tabs:
        origin = _origin_of(state, tab.tab_id)
        if origin.startswith(("http://", "https://")) and origin not in requests and tab.session_id:
            place = dom_storage.StorageId(security_origin=origin, is_local_storage=False)
            command = dom_storage.GetDOMStorageItems(storage_id=place)
            requests[origin] = call.race.start(command, tab.session_id)
    items = {}
    for origin, pending in requests.items():
        try:
            if not await call.race.answered(pending, at_most_ms=TAB_ANSWERS_MS):
                continue  # the tab hangs
            entries = (await call.race.result(pending)).entries
        except CommandRefused:  # the page went to another site
            continue
        items[origin] = [{"name": name, "value": value} for name, value in sorted(entries)]
    return items


async def put_back(call: Call, items: Mapping[str, list[dict[str, Any]]]) -> None:
    """Restore a tab's sessionStorage for each origin when the tab first shows a page of that
    origin.

    Only the origin's pages can write this storage. So for each origin, a script runs before the
    page's own scripts until the tab has visited the origin.
    """
    session, tab_id, supervisor = call.tab.session_id, call.tab.tab_id, call.task.supervisor
    added = {}
    for origin, entries in items.items():
        source = f"{_PUT_BACK}({json.dumps([origin, entries])})"
        command = page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=True)
        added[origin] = call.race.start(command, session)
    waiting = {
        origin: (await call.race.result(pending)).identifier for origin, pending in added.items()
    }
    if not waiting:
        return

    def been(_: tuple[Notice, ...], state: SupervisorState) -> None:
        tab = state.tabs.get(tab_id)
        if tab is None or tab.session_id != session:
            forget()
            return
        script = waiting.pop(_origin_of(state, tab_id), None)
        if script is not None:
            command = page.RemoveScriptToEvaluateOnNewDocument(identifier=script)
            supervisor.send(command, session)
        if not waiting:
            forget()

    forget = supervisor.observe(been)


def _origin_of(state: SupervisorState, tab_id: str) -> str:
    frame = state.frames.get(state.top_frame_id(tab_id) or "")
    return frame.origin if frame is not None else ""
