"""Backstage: an empty page of ours, at any origin, beside the agent's tabs.

It stands in the tab's browser context, so what it stores is what the site's own pages find. Nothing
is asked of a site: every request of it is answered here, and service workers are passed by. The
agent is told of no tab, and its pages see nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib import resources
from typing import Any

from tabwarden.errors import NotSupported
from tabwarden.page.errand import errand
from tabwarden.page.task import Task
from tabwarden.protocol import emulation, fetch, network, page, runtime
from tabwarden.supervisor import CommandRefused, Race, Tab

__all__ = ["Backstage", "backstage"]

_HELD_MS = 5_000.0
_PAGE = base64.b64encode(b"<!doctype html><title>Tabwarden</title><link rel=icon href=data:,>")
_HEADERS = [
    fetch.HeaderEntry(name="Content-Type", value="text/html; charset=utf-8"),
    fetch.HeaderEntry(name="Cache-Control", value="no-store"),
    fetch.HeaderEntry(name="Content-Security-Policy", value="default-src 'none'; img-src data:"),
]


class Backstage:
    """The page; ``await at(origin)``, then ``await do(...)`` there."""

    def __init__(self, race: Race, session_id: str) -> None:
        self._race = race
        self._session_id = session_id

    async def at(self, origin: str) -> bool:
        """Stand at an origin; False where the browser goes elsewhere instead (HSTS)."""
        race, url = self._race, f"{origin}/"
        gone = race.start(page.Navigate(url=url), self._session_id)
        held = await race.event(fetch.RequestPaused, self._session_id, at_most_ms=_HELD_MS)
        if held is None or not held.request.url.startswith(url):
            race.start(page.StopLoading(), self._session_id)
            return False
        race.start(
            fetch.FulfillRequest(
                request_id=held.request_id,
                response_code=200,
                response_headers=_HEADERS,
                body=_PAGE.decode(),
            ),
            self._session_id,
        )
        return not (await race.result(gone)).error_text

    async def do(self, function: str, *arguments: Any) -> dict[str, Any]:
        """Call one of ``js/backstage.js``; what it gives."""
        passed = ", ".join(json.dumps(argument) for argument in arguments)
        command = runtime.Evaluate(
            expression=f"{_script()}.{function}({passed})",
            await_promise=True,
            return_by_value=True,
            user_gesture=True,
            silent=True,
        )
        done = await self._race.call(command, self._session_id)
        told = done.result.value
        return told if isinstance(told, dict) else {"error": "it did not run"}


@asynccontextmanager
async def backstage(task: Task, race: Race, tab: Tab) -> AsyncIterator[Backstage]:
    """Such a page, in a tab's browser context; closed at the end, however that comes.

    Raises:
        NotSupported: the browser opens none.
    """
    async with errand(task, race, tab.browser_context_id) as session_id:
        try:
            await _set_up(race, session_id)
        except CommandRefused as refused:
            raise NotSupported(
                f"The browser refused a page of ours: {refused.error.message}."
            ) from None
        yield Backstage(race, session_id)


async def _set_up(race: Race, session_id: str) -> None:
    asked = [
        race.start(command, session_id)
        for command in (
            network.Enable(max_post_data_size=0),
            network.SetBypassServiceWorker(bypass=True),
            fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*")]),
            emulation.SetFocusEmulationEnabled(enabled=True),
        )
    ]
    for one in asked:
        await race.result(one)


@cache
def _script() -> str:
    return (resources.files("tabwarden.page") / "js" / "backstage.js").read_text("utf-8").strip()
