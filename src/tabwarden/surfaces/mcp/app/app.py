"""The resource with the page of the MCP App, and the resource that the page reads each second."""

from __future__ import annotations

import asyncio
import base64
import json
from functools import cache
from importlib import resources
from typing import Any

import mcp_types as types
from mcp.server.apps import APP_MIME_TYPE

from tabwarden.actions import Session
from tabwarden.browser import Browser
from tabwarden.page.screencast import Picture, Watching
from tabwarden.surfaces.mcp.timing import WATCHED_S

APP = "ui://tabwarden/live"
LIVE = "tabwarden://live"
_WIDTH = 800
_FPS = 2.0


def app_resource() -> types.Resource:
    """Describe the page. It needs no other origin, so it asks for none."""
    return types.Resource(
        uri=APP,
        name="live",
        title="Live view",
        description="The agent's page, for the person in the chat.",
        mime_type=APP_MIME_TYPE,
        _meta={"ui": {"prefersBorder": True}},
    )


def app_meta() -> dict[str, Any]:
    """Return the ``_meta`` of the tool whose calls show the live view."""
    return {"ui": {"resourceUri": APP, "visibility": ["model"]}}


def read_app() -> types.ReadResourceResult:
    page = types.TextResourceContents(
        uri=APP, mime_type=APP_MIME_TYPE, text=_page(), _meta={"ui": {"prefersBorder": True}}
    )
    return types.ReadResourceResult(contents=[page])


@cache
def _page() -> str:
    return (resources.files("tabwarden.surfaces.mcp.app") / "live.html").read_text("utf-8")


class _Watch:
    """The pictures of one browser, from now until ``end``."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.last: Picture | None = None
        self.is_outdated = False
        """Whether it missed pictures."""
        self._watching: Watching | None = None
        browser.inside.engine.loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:  # on the engine's thread, like the other two
        casts = self.browser.inside.task.screencasts if self.browser.is_open else None
        if casts is not None:
            self._watching = casts.watch(self._got, max_width=_WIDTH, fps=_FPS)

    def _got(self, picture: Picture) -> None:
        if self.browser.control.is_closed_to_caller():
            self.is_outdated = True
        else:
            self.last = picture

    def _finish(self) -> None:
        if self._watching is not None and self.browser.is_open:
            self.browser.inside.task.screencasts.unwatch(self._watching)

    def end(self) -> None:
        self.browser.inside.engine.loop.call_soon_threadsafe(self._finish)


class LiveNow:
    """What a client's task shows now. The browser sends pictures only while somebody reads."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._watch: _Watch | None = None
        self._end: asyncio.TimerHandle | None = None

    def read(self) -> types.ReadResourceResult:
        """Return the state as JSON, with the last picture. Never waits for the page."""
        text = json.dumps(self._now(), ensure_ascii=False)
        contents = types.TextResourceContents(uri=LIVE, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    def close(self) -> None:
        """Stop the pictures."""
        watch, self._watch = self._watch, None
        if self._end is not None:
            self._end.cancel()
        if watch is not None:
            watch.end()

    def _now(self) -> dict[str, Any]:
        browser = self._session.current
        if browser is None or not browser.can_hand_off:
            self.close()
            return {"open": False}
        state, control = browser.state, browser.control
        picture = None
        if not control.is_closed_to_caller():  # a page may show the password that a person types
            picture = self._watched(browser).last
        tab = next((tab for tab in state.tabs if tab.tab_id == state.active_tab_id), None)
        now: dict[str, Any] = {
            "open": True,
            "title": tab.title if tab else "",
            "url": tab.url if tab else "",
            "holder": control.holder.name if control.holder else None,
            "asks": control.waiting_handoffs[-1].reason if control.waiting_handoffs else None,
        }
        if picture is not None and tab is not None and picture.tab_id == tab.tab_id:
            data = base64.b64encode(picture.data).decode("ascii")
            now["picture"] = f"data:image/jpeg;base64,{data}"
        return now

    def _watched(self, browser: Browser) -> _Watch:
        """Get pictures from this browser until nobody has read for a while."""
        known = self._watch
        if known is not None and (known.browser is not browser or known.is_outdated):
            self.close()
        watch = self._watch = self._watch or _Watch(browser)
        if self._end is not None:
            self._end.cancel()
        self._end = asyncio.get_running_loop().call_later(WATCHED_S, self.close)
        return watch
