"""Resources: the browser's state, the last screenshot, and the MCP App, which is the live view of a
client's task inside the chat (``ui://tabwarden/live``).

The app's page only reads. The data contains no link, no token, and no image while a person has
control, because a host may also let its model read resources.
"""

from __future__ import annotations

import asyncio
import base64
import json
from functools import cache
from importlib.resources import files
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.apps import APP_MIME_TYPE

from tabwarden.actions import Session
from tabwarden.browser import Browser
from tabwarden.page import Screenshot
from tabwarden.page.screencast import Picture, Subscription
from tabwarden.surfaces.mcp.state import SCREENSHOT, STATE, state_of

RESOURCES = (
    types.Resource(
        uri=STATE,
        name="state",
        title="Browser state",
        description="First as JSON: the tabs, the browser's health, and the waiting dialogs and "
        "prompts. Then as text: the state line at the end of every result.",
        mime_type="application/json",
    ),
    types.Resource(
        uri=SCREENSHOT,
        name="screenshot",
        title="The last screenshot",
        description="The last image from browser_screenshot, if any.",
    ),
)


def read(uri: str, session: Session, picture: Screenshot | None) -> types.ReadResourceResult:
    """Return a resource's contents. Raise MCPError for an unknown resource or missing content."""
    contents: list[types.TextResourceContents | types.BlobResourceContents]
    if uri == STATE:
        state = state_of(session)
        text = json.dumps(state, ensure_ascii=False)
        line = state["message"] or "[Browser: not open]"
        contents = [
            types.TextResourceContents(uri=uri, mime_type="application/json", text=text),
            types.TextResourceContents(uri=uri, mime_type="text/plain", text=line),
        ]
    elif uri == SCREENSHOT and picture is not None:
        blob = base64.b64encode(picture.data).decode("ascii")
        contents = [types.BlobResourceContents(uri=uri, mime_type=picture.media_type, blob=blob)]
    elif uri == SCREENSHOT:
        raise MCPError(
            types.INVALID_PARAMS,
            "There is no screenshot yet. To take one, call browser_screenshot.",
            {"uri": uri},
        )
    else:
        listed = ", ".join(str(resource.uri) for resource in RESOURCES)
        raise MCPError(
            types.INVALID_PARAMS,
            f"There is no resource {uri[:200]!r}. Resources: {listed}.",
            {"uri": uri[:200]},
        )
    return types.ReadResourceResult(contents=contents)


WATCHED_S = 5.0
"""How long the browser sends images after the last request from the app in the chat. The app sends
one request per second.
"""

APP = "ui://tabwarden/live"
LIVE = "tabwarden://live"
_WIDTH = 800
_FPS = 2.0


def app_resource() -> types.Resource:
    """Return the page's description. The page needs no other origins."""
    return types.Resource(
        uri=APP,
        name="live",
        title="Live view",
        description="A live view of the agent's page for the person in the chat.",
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
    return (files("tabwarden.surfaces.mcp") / "live.html").read_text("utf-8")


class _Watch:
    """The images from one browser, from now until ``end``."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.last: Picture | None = None
        self.is_outdated = False
        """Whether images were missed."""
        self._watching: Subscription | None = None
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
    """The current state and image of a client's task. The browser sends images only while somebody
    reads.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._watch: _Watch | None = None
        self._end: asyncio.TimerHandle | None = None

    def read(self) -> types.ReadResourceResult:
        """Return the state as JSON, with the last image. Never waits for the page."""
        text = json.dumps(self._now(), ensure_ascii=False)
        contents = types.TextResourceContents(uri=LIVE, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    def close(self) -> None:
        """Stop the images."""
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
        """Receive images from this browser until nobody has read them for a while."""
        known = self._watch
        if known is not None and (known.browser is not browser or known.is_outdated):
            self.close()
        watch = self._watch = self._watch or _Watch(browser)
        if self._end is not None:
            self._end.cancel()
        self._end = asyncio.get_running_loop().call_later(WATCHED_S, self.close)
        return watch
