"""A hidden, empty page that Tabwarden can open at any origin.

The page is in the tab's browser context, so it has the same storage as the site's pages. Tabwarden
answers all of its requests and bypasses service workers, so no request reaches the site. Neither
the agent nor its pages can see the hidden page.
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
from tabwarden.page.call import hidden_target
from tabwarden.page.storage.timing import REQUEST_PAUSED_MS
from tabwarden.page.task import Call
from tabwarden.protocol import emulation, fetch, network, page, runtime
from tabwarden.supervisor.runtime import CommandRefused, Race

_PAGE = base64.b64encode(b"<!doctype html><title>Tabwarden</title><link rel=icon href=data:,>")
_HEADERS = [
    fetch.HeaderEntry(name="Content-Type", value="text/html; charset=utf-8"),
    fetch.HeaderEntry(name="Cache-Control", value="no-store"),
    fetch.HeaderEntry(name="Content-Security-Policy", value="default-src 'none'; img-src data:"),
]


class Backstage:
    """The hidden page. Call ``await at(origin)`` first, then ``await do(...)``."""

    def __init__(self, race: Race, session_id: str) -> None:
        self._race = race
        self._session_id = session_id

    async def at(self, origin: str) -> bool:
        """Go to an origin. Return False if the browser goes to another origin because of HSTS."""
        race, url = self._race, f"{origin}/"
        navigation = race.start(page.Navigate(url=url), self._session_id)
        paused = await race.event(
            fetch.RequestPaused, self._session_id, at_most_ms=REQUEST_PAUSED_MS
        )
        if paused is None or not paused.request.url.startswith(url):
            race.start(page.StopLoading(), self._session_id)
            return False
        race.start(
            fetch.FulfillRequest(
                request_id=paused.request_id,
                response_code=200,
                response_headers=_HEADERS,
                body=_PAGE.decode(),
            ),
            self._session_id,
        )
        return not (await race.result(navigation)).error_text

    async def do(
        self, function: str, *arguments: Any, script: str = "origin_page.js"
    ) -> dict[str, Any]:
        """Call a function in a script and return its result."""
        passed = ", ".join(json.dumps(argument) for argument in arguments)
        command = runtime.Evaluate(
            expression=f"{_text_of(script)}.{function}({passed})",
            await_promise=True,
            return_by_value=True,
            user_gesture=True,
            silent=True,
        )
        done = await self._race.call(command, self._session_id)
        value = done.result.value
        return value if isinstance(value, dict) else {"error": "the script did not run"}


@asynccontextmanager
async def backstage(call: Call) -> AsyncIterator[Backstage]:
    """Open an origin page in a tab's browser context. Close the page when the block ends."""
    async with hidden_target(call, call.tab.browser_context_id) as session_id:
        try:
            await _set_up(call.race, session_id)
        except CommandRefused as refused:
            raise NotSupported(
                f"The browser refused to set up a helper page: {refused.error.message}."
            ) from None
        yield Backstage(call.race, session_id)


async def _set_up(race: Race, session_id: str) -> None:
    requests = [
        race.start(command, session_id)
        for command in (
            network.Enable(max_post_data_size=0),
            network.SetBypassServiceWorker(bypass=True),
            fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*")]),
            emulation.SetFocusEmulationEnabled(enabled=True),
        )
    ]
    for one in requests:
        await race.result(one)


@cache
def _text_of(script: str) -> str:
    return (resources.files("tabwarden.page.storage") / script).read_text("utf-8").strip()
