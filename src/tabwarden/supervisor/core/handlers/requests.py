"""Requests that the browser intercepts for us (the ``Fetch`` domain).

The browser intercepts the dialog bridge's own requests, and all document requests. A document's
server may ask for a password (``Fetch.authRequired`` arrives only for intercepted requests), and
the network policy may refuse the document. Each document request is continued or refused at once.
"""

from __future__ import annotations

from tabwarden.protocol import fetch
from tabwarden.supervisor.core.handlers import outgoing, xhr
from tabwarden.supervisor.core.state import Bridge, Turn

_DOCUMENTS = fetch.RequestPattern(url_pattern="*", resource_type="Document")


def set_up(bridge: Bridge | None, *, asks_us: bool) -> fetch.Enable:
    """Return the command that makes the browser intercept a target's requests, and ask us
    (``asks_us``) for passwords."""
    patterns = [_DOCUMENTS]
    if bridge is not None:
        patterns.append(xhr.pattern(bridge))
    return fetch.Enable(patterns=patterns, handle_auth_requests=asks_us)


def paused(turn: Turn, event: fetch.RequestPaused, session_id: str | None) -> None:
    """A request was intercepted. If it is a helper page's, the action that opened the page handles
    it."""
    if session_id in turn.state.backstage_sessions:
        return
    if session_id is not None and xhr.asked(turn, event, session_id):
        return
    if outgoing.refused(turn, event):
        failed = fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
        turn.send(failed, session_id)
        return
    turn.send(fetch.ContinueRequest(request_id=event.request_id), session_id)


EVENTS = ((fetch.RequestPaused, paused),)
