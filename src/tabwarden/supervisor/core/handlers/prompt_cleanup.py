"""Remove all waiting prompts of a frame or a session that is gone."""

from __future__ import annotations

from tabwarden.supervisor.core.handlers import network
from tabwarden.supervisor.core.handlers.dialogs import drop_frame_dialogs
from tabwarden.supervisor.core.prompts import PROMPT_KINDS
from tabwarden.supervisor.core.state.transition import Turn


def drop_frame(turn: Turn, frame_id: str, arrived: str | None = None) -> None:
    """Remove a frame's prompts after its document is gone; ``arrived`` is the next document's
    URL.
    """
    drop_frame_dialogs(turn, frame_id, arrived)
    for kind in PROMPT_KINDS.values():
        kind.drop(turn, lambda prompt: prompt.frame_id == frame_id)


def drop_session(turn: Turn, session_id: str) -> None:
    """Remove a session's prompts. Its dialogs stay until their target is gone, because the target
    may have another session.
    """
    for kind in PROMPT_KINDS.values():
        kind.drop(turn, lambda prompt: prompt.session_id == session_id)
    network.log.drop_session(turn, session_id)
    network.routes.drop_session(turn, session_id)
