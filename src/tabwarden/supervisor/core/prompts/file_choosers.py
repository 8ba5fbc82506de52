"""File choosers. They are intercepted before the browser shows them; ``browser_upload`` sets their
files.

Chromium rejects the calls of the File System Access API that it intercepts, and reports them
afterwards, so our script keeps those calls waiting instead (``in_page.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.hints import Next
from tabwarden.protocol import page, runtime
from tabwarden.supervisor.core.prompts.in_page import PagePrompt, Report, follow, send_answer
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Turn


class FileChooser(PagePrompt, frozen=True, kw_only=True):
    """A page requested files. The page's scripts continue to run."""

    multiple: bool
    accept: str = ""
    """The types of files that the page wants: ".csv, .txt"; "" if unknown."""
    is_folder: bool = False
    """Whether the page requested a folder (``showDirectoryPicker``)."""
    backend_node_id: int | None = None
    """The file input; None for a call of the File System Access API."""


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
    if event.backend_node_id is None:
        text = "files, with the File System Access API: only the tab's top document may get them"
        turn.note(session.tab_id, "declined", "", text)
        return
    if event.frame_id is not None:  # a frame shows only one chooser at a time
        FILE_CHOOSER.drop(turn, lambda chooser: chooser.frame_id == event.frame_id)
    FILE_CHOOSER.open(
        turn,
        session,
        frame_id=event.frame_id,
        multiple=event.mode == "selectMultiple",
        backend_node_id=event.backend_node_id,
    )


def _reported(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    follow(turn, event, session_id, FILE_CHOOSER, _facts)


def _facts(_: SupervisorState, report: Report) -> Mapping[str, Any] | None:
    if report.type not in ("open", "directory"):
        return None
    return {
        "multiple": report.multiple,
        "accept": report.accept,
        "is_folder": report.type == "directory",
    }


def answered(turn: Turn, chooser: FileChooser, _: None) -> None:
    """Remove a chooser that got its files or was canceled. A call that still waits is canceled."""
    FILE_CHOOSER.drop(turn, lambda one: one is chooser)
    if chooser.number:
        send_answer(turn, chooser, "")


def _asks(prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
    what = "a folder" if prompt["is_folder"] else "files" if prompt["multiple"] else "one file"
    accept = f" of type {quote(prompt['accept'])}" if prompt["accept"] else ""
    return f" for {what}{accept}"


FILE_CHOOSER: PromptKind[FileChooser] = PromptKind(
    prompt=FileChooser,
    letter="f",
    noun="File chooser",
    step=Next("upload", filenames=["..."]),
    asks=_asks,
    hides=frozenset({"backend_node_id", "number"}),
    answer=answered,
    opened=lambda one: FileChooserOpened(tab_id=one.tab_id, chooser=one),
    closed=lambda one: FileChooserClosed(tab_id=one.tab_id, chooser_id=one.id),
    events=((page.FileChooserOpened, opened), (runtime.BindingCalled, _reported)),
    set_up=(page.SetInterceptFileChooserDialog(enabled=True),),
)
