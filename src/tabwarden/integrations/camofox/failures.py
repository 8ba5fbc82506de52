"""Convert a Camofox server's failures to our errors, without I/O."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    EndpointUnreachable,
    FrameNotFound,
    InvalidArgument,
    JsError,
    NotInteractable,
    PageUnreachable,
    StaleRef,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.hints import MORE_TIME, Hint, Next

__all__ = ["PageStatus", "TabLost", "error_of"]

_REPLIED = re.compile(r"returned HTTP (\d{3})$")
_TELL_CHARS = 500
_NEW_TAB = Hint("Open another tab", Next("navigate", url="..."), ".")
_LOOK = "Take a snapshot: the page may have changed."


class TabLost(BrowserGone):
    """The server no longer has the tab: the server closed it or restarted."""


class PageStatus(PageUnreachable):
    """The page loaded with an HTTP status of 500 or above."""

    @property
    def status(self) -> int:
        return int(self.data["status"])


def error_of(url: str, path: str, status: int, said: Mapping[str, Any]) -> TabwardenError:
    """Return our error for a response whose status is not 2xx.

    Args:
        url, path: the server's address, and the route.
        status, said: the HTTP status, and the JSON of the response.
    """
    why = " ".join(str(said.get("error", "")).split())[:_TELL_CHARS]
    code = str(said.get("code") or "")
    error = _of_tab(path, status, code, why) or _of_page(path, status, code, why)
    return error or _of_server(url, status, why)


def _of_tab(path: str, status: int, code: str, why: str) -> TabwardenError | None:
    if code == "page_crashed":
        return TargetCrashed("The page crashed, and the server closed its tab.", _NEW_TAB)
    if why == "Frame not found":
        return FrameNotFound("The frame does not exist (any more).", "Take a snapshot.")
    if status in (404, 410) and "/tabs/" in path and (code or why.startswith("Tab")):
        reason = (code or "the server does not know it").replace("_", " ")
        return TabLost(f"The server has closed this tab: {reason}.", _NEW_TAB, reason=reason)
    return None


def _of_page(path: str, status: int, code: str, why: str) -> TabwardenError | None:
    if code == "stale_refs":
        return StaleRef("The element is gone.", "Take a new snapshot and use its refs.")
    if status == 408:
        return BudgetExceeded("The script did not finish in time.")
    if status in (409, 422):
        return NotInteractable(f"The server could not perform the action: {why}.", _LOOK)
    replied = _REPLIED.search(why) if code == "destination_unavailable" else None
    if replied is not None:
        return PageStatus(f"The page's server replied {replied[1]}.", status=int(replied[1]))
    if status == 502 or "net::ERR" in why or "NS_ERROR" in why:
        return PageUnreachable(f"The page can't be loaded: {why}.", "Check the URL.")
    if status != 500:
        return None
    if path.endswith("/evaluate"):
        return JsError(why.removeprefix("page.evaluate: ") or "The script failed.")
    if "imeout" in why or "timed out" in why:
        hint = Hint("Take a snapshot, try again, or ", MORE_TIME, ".")
        return NotInteractable(f"The server stopped trying: {why}.", hint)
    return None


def _of_server(url: str, status: int, why: str) -> TabwardenError:
    if status == 400:
        return InvalidArgument(f"The Camofox server refused the request: {why}.")
    message = f"The Camofox server failed with HTTP {status}: {why or 'no reason given'}."
    hint = "See the server's log."
    if status in (401, 403):
        message = f"The Camofox server at {url} refused the key."
        hint = "Set CAMOFOX_ACCESS_KEY to the server's key."
    elif status == 429 or "aximum" in why or "concurrency limit" in why:
        message = f"The Camofox server is full: {why}."
        hint = "Close a session there, or try again later."
    elif status == 503:
        message = f"The Camofox server is temporarily unavailable: {why or status}."
        hint = "Try again: it restarts its browser automatically."
    return EndpointUnreachable(message, hint, status=status)
