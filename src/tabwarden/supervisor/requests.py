"""Requests that the browser holds for us (the ``Fetch`` domain).

Held are the dialog bridge's own requests, and documents, because a document's server may ask for
a password (``Fetch.authRequired`` is only told of requests that were held before), and because
the network policy may refuse it. Each document is let go, or refused, at once.
"""

from __future__ import annotations

from tabwarden.protocol import fetch
from tabwarden.supervisor import outgoing, xhr
from tabwarden.supervisor.policy import Policy
from tabwarden.supervisor.turn import Turn

__all__ = ["paused", "set_up"]

_DOCUMENTS = fetch.RequestPattern(url_pattern="*", resource_type="Document")


def set_up(policy: Policy) -> fetch.Enable:
    """What makes the browser hold requests of a target."""
    patterns = [_DOCUMENTS]
    if policy.bridge is not None:
        patterns.append(xhr.pattern(policy.bridge))
    return fetch.Enable(patterns=patterns, handle_auth_requests=True)


def paused(turn: Turn, event: fetch.RequestPaused, session_id: str | None) -> None:
    """A request is held; those of our own pages are for the action that opened them."""
    if session_id in turn.state.backstage_sessions:
        return
    if session_id is not None and xhr.asked(turn, event, session_id):
        return
    if outgoing.refused(turn, event):
        failed = fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
        turn.send(failed, session_id)
        return
    turn.send(fetch.ContinueRequest(request_id=event.request_id), session_id)
