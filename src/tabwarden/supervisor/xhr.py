"""The request channel: dialogs that wait in a synchronous request of the page's own.

Where the debugger is not on, ``js/dialogs.js`` sends a request to a host that does not exist; we
hold it (``Fetch.requestPaused``) until the dialog is answered. Nobody who dismisses native dialogs
sees it, and a navigation under it wedges nothing (FINDINGS 5), but the page can't be read behind
it, and a page's ``connect-src`` or ``sync-xhr`` policy sends it on to the native function.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import fetch
from tabwarden.supervisor import dialogs
from tabwarden.supervisor.policy import Bridge
from tabwarden.supervisor.turn import Turn

__all__ = ["asked", "pattern"]


class _Request(msgspec.Struct, frozen=True):
    key: str
    type: str
    message: str
    initial: str
    url: str


def pattern(bridge: Bridge) -> fetch.RequestPattern:
    """What makes the browser hold the bridge's requests."""
    return fetch.RequestPattern(url_pattern=f"{bridge.url}*", resource_type="XHR")


def asked(turn: Turn, event: fetch.RequestPaused, session_id: str) -> bool:
    """A request is held; whether it was the bridge's."""
    bridge = turn.state.policy.bridge
    session = turn.state.sessions.get(session_id)
    if bridge is None or session is None or not event.request.url.startswith(bridge.url):
        return False
    try:
        request = msgspec.json.decode(event.request.post_data or "", type=_Request)
    except msgspec.DecodeError:
        request = None
    if request is None or request.key != bridge.key:
        # A page that saw the address in its timings. Our answers carry the key, so it gets none.
        turn.send(_unknown_host(event.request_id), session_id)
        return True
    dialogs.open_dialog(
        turn,
        session,
        kind=request.type,
        message=request.message,
        default_prompt=request.initial,
        frame_id=event.frame_id,
        url=request.url,
        channel="xhr",
        held_by=event.request_id,
    )
    return True


def _unknown_host(request_id: str) -> fetch.FailRequest:
    """What a request to a host that does not exist gets without us."""
    return fetch.FailRequest(request_id=request_id, error_reason="NameNotResolved")
