"""The origins that a task has visited: whose storage is part of a login."""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor.turn import Turn

__all__ = ["ORIGINS_KEPT", "visited"]

ORIGINS_KEPT = 100


def visited(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """A frame committed a document."""
    origin = event.frame.security_origin
    known = turn.state.origins
    if session_id not in turn.state.sessions or (known and known[-1] == origin):
        return
    if not origin.startswith(("http://", "https://")):
        return
    others = [one for one in known if one != origin]
    turn.change(origins=(*others[1 - ORIGINS_KEPT :], origin))
