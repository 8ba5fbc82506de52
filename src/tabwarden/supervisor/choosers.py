"""File choosers: intercepted before the browser shows one, and answered by ``browser_upload``."""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor.notices import FileChooserClosed, FileChooserOpened
from tabwarden.supervisor.prompts import FileChooser
from tabwarden.supervisor.turn import Turn

__all__ = ["INTERCEPT", "close", "drop_frame", "drop_session", "opened"]

INTERCEPT = page.SetInterceptFileChooserDialog(enabled=True)


def opened(turn: Turn, event: page.FileChooserOpened, session_id: str | None) -> None:
    """A page asks for files."""
    session = turn.state.session(session_id)
    if session is None:
        return
    if event.frame_id is not None:  # a frame shows one chooser at a time
        drop_frame(turn, event.frame_id)
    number = turn.state.next_chooser
    chooser = FileChooser(
        id=f"f-{number}",
        tab_id=session.tab_id,
        session_id=session.session_id,
        frame_id=event.frame_id,
        multiple=event.mode == "selectMultiple",
        backend_node_id=event.backend_node_id,
        opened_at=turn.now.wall,
    )
    turn.change(next_chooser=number + 1, file_choosers=(*turn.state.file_choosers, chooser))
    turn.notify(FileChooserOpened(tab_id=session.tab_id, chooser=chooser))


def close(turn: Turn, chooser_id: str) -> None:
    """A chooser was answered, or given up."""
    _drop(turn, [c for c in turn.state.file_choosers if c.id == chooser_id])


def drop_frame(turn: Turn, frame_id: str) -> None:
    """The document that asked is gone."""
    _drop(turn, [c for c in turn.state.file_choosers if c.frame_id == frame_id])


def drop_session(turn: Turn, session_id: str) -> None:
    """A session is gone."""
    _drop(turn, [c for c in turn.state.file_choosers if c.session_id == session_id])


def _drop(turn: Turn, over: list[FileChooser]) -> None:
    if not over:
        return
    turn.change(file_choosers=tuple(c for c in turn.state.file_choosers if c not in over))
    for chooser in over:
        turn.notify(FileChooserClosed(tab_id=chooser.tab_id, chooser_id=chooser.id))
