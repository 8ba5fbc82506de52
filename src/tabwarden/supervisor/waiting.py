"""What waits in a frame or on a session, of whatever kind, is over with it."""

from __future__ import annotations

from tabwarden.supervisor import auth, choosers, network
from tabwarden.supervisor.dialogs import drop_frame_dialogs
from tabwarden.supervisor.turn import Turn

__all__ = ["drop_frame", "drop_session"]


def drop_frame(turn: Turn, frame_id: str, arrived: str | None = None) -> None:
    """A frame's document is gone; ``arrived`` is the URL of the one that took its place."""
    drop_frame_dialogs(turn, frame_id, arrived)
    choosers.drop_frame(turn, frame_id)
    auth.drop_frame(turn, frame_id)


def drop_session(turn: Turn, session_id: str) -> None:
    """A session is gone. Dialogs go with their target, which may have another session."""
    choosers.drop_session(turn, session_id)
    auth.drop_session(turn, session_id)
    network.drop_session(turn, session_id)
