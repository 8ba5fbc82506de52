"""Uploads: files of one folder into a page's file input, or into the chooser that it opened."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabwarden.errors import Denied, InvalidArgument, NotInteractable, NotSupported
from tabwarden.page.element import element_of
from tabwarden.page.heal import Gone, healing
from tabwarden.page.mouse import click
from tabwarden.page.refs import Ref, stale
from tabwarden.page.result import Done
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, element
from tabwarden.protocol import Command, dom, runtime
from tabwarden.supervisor import (
    CloseChooser,
    CommandRefused,
    ExecutionContext,
    FileChooser,
    Race,
    SupervisorState,
    Tab,
)

__all__ = ["files_in", "upload"]

_CHOOSER_MS = 2_000.0
_MOST_TOLD = 20
_CANCELLED = "function () { this.dispatchEvent(new Event('cancel', { bubbles: true })) }"
"""https://html.spec.whatwg.org/multipage/input.html#file-upload-state-(type=file)"""
_EMPTY = """function () {
  this.value = '';
  for (const type of ['input', 'change']) this.dispatchEvent(new Event(type, { bubbles: true }));
}"""
_IS_FILE_INPUT = "function () { return this.localName === 'input' && this.type === 'file' }"


def files_in(folder: Path, filenames: Sequence[str]) -> list[str]:
    """The files of the upload folder that are meant, as absolute paths.

    Raises:
        InvalidArgument: one is not there; the error lists what is.
        Denied: a name leads out of the folder.
    """
    if isinstance(filenames, str) or not isinstance(filenames, Sequence):
        raise InvalidArgument("filenames is no list.", "Give a list of names.", field="filenames")
    root = folder.resolve()
    found = []
    for name in filenames:
        if not isinstance(name, str) or not name.strip() or "\0" in name:
            raise InvalidArgument(f"{name!r} is not a file's name.", field="filenames")
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise Denied(
                f"{name!r} lies outside the upload folder.",
                f"Only files in {root} may be uploaded (configuration: upload_dir).",
                field="filenames",
            )
        if not _is_file(path):
            raise InvalidArgument(
                f"There is no file {name!r} in the upload folder {root}.",
                f"It has: {', '.join(_there(root)) or 'nothing'}.",
                field="filenames",
            )
        found.append(str(path))
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _there(root: Path) -> list[str]:
    """Names of files that would be taken, the first of them."""
    if not root.is_dir():
        return []
    files = (p for p in sorted(root.iterdir()) if p.resolve().is_relative_to(root) and _is_file(p))
    return [file.name for file in itertools.islice(files, _MOST_TOLD)]


async def upload(
    task: Task,
    race: Race,
    tab: Tab,
    files: list[str],
    *,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Put files into the input ``ref``, into the chooser that a click on ``ref`` or at a point
    opens, or into the one that waits. No files: the input is emptied, the chooser declined.

    Raises:
        InvalidArgument: no chooser waits and no element is named; too many files.
        NotInteractable: the element opens no file chooser.
        NotSupported: a chooser that can't be answered (``showOpenFilePicker``).
    """
    if ref is not None:
        found = await element_of(task, race, tab, ref, hidden=True)
        found, (world, object_id) = await healing(
            task, race, found, lambda ref, world: _object(race, ref, world)
        )
        ref = found.ref
        asked = await race.call(
            runtime.CallFunctionOn(
                function_declaration=_IS_FILE_INPUT, object_id=object_id, return_by_value=True
            ),
            world.session_id,
        )
        if asked.result.value is True:
            command = (
                dom.SetFileInputFiles(files=files, object_id=object_id)
                if files  # none are no order to the browser
                else runtime.CallFunctionOn(function_declaration=_EMPTY, object_id=object_id)
            )
            await _give(race, command, world.session_id)
            return Done(_value(files), await settle(task, race, tab))
    if not files:
        return await _declined(task, race, tab, named=ref is not None or at is not None)
    before = task.state.next_chooser
    if ref is not None or at is not None:
        await click(task, race, tab, ref=ref, at=at)
    chooser = await _chooser(task, race, tab, before if ref or at else 0)
    if chooser.backend_node_id is None:
        task.supervisor.feed(CloseChooser(chooser.id))
        raise NotSupported(
            "The page asked for files with showOpenFilePicker, which can't be answered.",
            "Look for another way to upload in the page, such as a file input.",
        )
    if len(files) > 1 and not chooser.multiple:
        raise InvalidArgument(
            f"{chooser.id} takes one file, not {len(files)}.", "Give one.", field="filenames"
        )
    command = dom.SetFileInputFiles(files=files, backend_node_id=chooser.backend_node_id)
    await _give(race, command, chooser.session_id)
    task.supervisor.feed(CloseChooser(chooser.id))
    return Done(_value(files), await settle(task, race, tab))


async def _declined(task: Task, race: Race, tab: Tab, *, named: bool) -> Done:
    """What a person does who closes the chooser: what was chosen before stays."""
    waiting = [c for c in task.state.file_choosers if c.tab_id == tab.tab_id]
    if named or not waiting:
        raise InvalidArgument(
            "filenames names no file, and no file chooser waits to be declined.",
            "Give names; or empty a file input, by its ref.",
            field="filenames",
        )
    chooser = waiting[-1]
    task.supervisor.feed(CloseChooser(chooser.id))
    if chooser.backend_node_id is not None:
        asked = dom.ResolveNode(backend_node_id=chooser.backend_node_id)
        with suppress(CommandRefused):  # its input is gone: nobody is left to be told
            found = await race.call(asked, chooser.session_id)
            told = runtime.CallFunctionOn(
                function_declaration=_CANCELLED, object_id=found.object.object_id or ""
            )
            await race.call(told, chooser.session_id)
    return Done(_value([]), await settle(task, race, tab))


async def _object(race: Race, ref: Ref, world: ExecutionContext) -> tuple[ExecutionContext, str]:
    try:
        object_id = await element(race, world, ref.local_id)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced") from gone
    if object_id is None:
        raise Gone
    return world, object_id


async def _chooser(task: Task, race: Race, tab: Tab, first: int) -> FileChooser:
    """The chooser that waits in the tab; with ``first``, one that opened since."""

    def waiting(state: SupervisorState) -> list[FileChooser]:
        return [
            chooser
            for chooser in state.file_choosers
            if chooser.tab_id == tab.tab_id and int(chooser.id[2:]) >= first
        ]

    if first:
        await race.until(lambda state: bool(waiting(state)), at_most_ms=_CHOOSER_MS)
    found = waiting(task.state)
    if found:
        return found[-1]
    if first:
        raise NotInteractable(
            "The click opened no file chooser.",
            "Take a snapshot: the page may have shown something else first.",
        )
    raise InvalidArgument(
        "No file chooser waits.",
        "Name the file input, or the button that opens the chooser, by ref or x and y.",
        field="ref",
    )


async def _give(race: Race, command: Command[Any], session_id: str) -> None:
    try:
        await race.call(command, session_id)
    except CommandRefused as refused:
        raise NotInteractable(
            f"The browser did not take the files: {refused.error}.",
            "The input may be gone: take a new snapshot. A hosted browser can't read files of "
            "this machine.",
        ) from None


def _value(files: list[str]) -> dict[str, Any]:
    return {"files": [Path(file).name for file in files]}
