"""The origins that a task has visited, or was logged in at: whose storage is part of a login."""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor.turn import Turn

__all__ = ["ORIGINS_KEPT", "keep", "visited"]

ORIGINS_KEPT = 100


def visited(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """A frame committed a document."""
    origin = event.frame.security_origin
    if session_id in turn.state.sessions and origin.startswith(("http://", "https://")):
        keep(turn, origin)


def keep(turn: Turn, origin: str) -> None:
    """Remember an origin as the latest; the oldest is forgotten."""
    known = turn.state.origins
    if known and known[-1] == origin:
        return
    others = [one for one in known if one != origin]
    turn.change(origins=(*others[1 - ORIGINS_KEPT :], origin))
