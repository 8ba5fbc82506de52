"""File choosers. They are intercepted before the browser shows them; ``browser_upload`` sets their
files.
"""

from __future__ import annotations

from tabwarden.hints import Next
from tabwarden.protocol import page
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.transition import Turn


class FileChooser(Prompt, frozen=True, kw_only=True):
    """A page requested files. The page's scripts continue to run."""

    multiple: bool
    backend_node_id: int | None
    """The file input; None for ``showOpenFilePicker``."""
    answerable: bool


class FileChooserOpened(Notice, frozen=True, kw_only=True):
    """A page opened a file chooser; ``upload`` sets its files."""

    chooser: FileChooser


class FileChooserClosed(Notice, frozen=True, kw_only=True):
    """A file chooser has received files or was canceled, or its document is gone."""

    chooser_id: str


def opened(turn: Turn, event: page.FileChooserOpened, session_id: str | None) -> None:
    session = turn.state.session(session_id)
    if session is None:
        return
    if event.frame_id is not None:  # a frame shows only one chooser at a time
        FILE_CHOOSER.drop(turn, lambda chooser: chooser.frame_id == event.frame_id)
    FILE_CHOOSER.open(
        turn,
        session,
        frame_id=event.frame_id,
        multiple=event.mode == "selectMultiple",
        backend_node_id=event.backend_node_id,
        answerable=event.backend_node_id is not None,
    )


FILE_CHOOSER: PromptKind[FileChooser] = PromptKind(
    prompt=FileChooser,
    letter="f",
    noun="File chooser",
    step=Next("upload", filenames=["..."]),
    asks=lambda shown, _: " for files" if shown["multiple"] else " for one file",
    hides=frozenset({"backend_node_id"}),
    answer=lambda turn, chooser, _: FILE_CHOOSER.drop(turn, lambda one: one is chooser),
    opened=lambda one: FileChooserOpened(tab_id=one.tab_id, chooser=one),
    closed=lambda one: FileChooserClosed(tab_id=one.tab_id, chooser_id=one.id),
    events=((page.FileChooserOpened, opened),),
    set_up=(page.SetInterceptFileChooserDialog(enabled=True),),
)
