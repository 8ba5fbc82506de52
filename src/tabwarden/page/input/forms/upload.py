"""Put allowed files into a file input or an open file chooser."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.page.call import settle, target_of
from tabwarden.page.elements import ElementGone, element_of, healing
from tabwarden.page.input.forms.allowed_files import files_in, no_such_upload_error
from tabwarden.page.input.pointing import click, click_at
from tabwarden.page.task import (
    PYTHON_ONLY,
    Call,
    Done,
    OptionalRef,
    Ref,
    X,
    Y,
    card,
    stale,
)
from tabwarden.page.walker import WorldGone, call_walker, element
from tabwarden.protocol import dom, runtime
from tabwarden.protocol import input as input_
from tabwarden.results import Uploaded
from tabwarden.supervisor.core.prompts import FileChooser, answer_command
from tabwarden.supervisor.core.state.inputs import AnswerPrompt
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Race

_CHOOSER_MS = 2_000.0
"""How long after the click a file chooser may take to open."""
_CANCELLED = "function () { this.dispatchEvent(new Event('cancel', { bubbles: true })) }"
"""See https://html.spec.whatwg.org/multipage/input.html#file-upload-state-(type=file)."""
_EMPTY = """function () {
  this.value = '';
  for (const type of ['input', 'change']) this.dispatchEvent(new Event(type, { bubbles: true }));
}"""
_FOLDER_MS = 5_000.0
"""How long the browser may take to list a folder's files."""
_RECEIVED = """function () {
  return new Promise((resolve) => {
    for (const type of ['change', 'cancel'])  // "cancel" if the input already has these files
      this.addEventListener(type, () => resolve(), { once: true });
  });
}"""
_ACCEPTS = """function () {
  if (this.localName !== 'input' || this.type !== 'file') return '';
  return this.webkitdirectory ? 'folder' : 'files';
}"""


async def give_files(
    call: Call,
    files: list[str],
    *,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Put files into a file input or a file chooser.

    An empty list clears the input or cancels the chooser. If ``ref`` is not a file input, a click
    on its element opens the chooser. With ``at``, a click on that point opens the chooser. Without
    ``ref`` and ``at``, the chooser must already be open.

    Raises:
        InvalidArgument: no chooser is open and there is no ``ref`` or ``at``, or there are too many
            files.
        NotInteractable: the click opened no file chooser.
    """
    if ref is not None:
        target = await element_of(call, ref, hidden=True)
        target, (world, object_id) = await healing(
            call, target, lambda ref, world: _object(call.race, ref, world)
        )
        ref = target.ref
        if kind := await _accepted_kind(call.race, object_id, world.session_id):
            _check_kind(files, kind)
            paths = await copy_to_browser(call, files)
            if files:
                await _send_files(call.race, paths, kind, object_id, world.session_id)
            else:  # an empty list would not clear the input in SetFileInputFiles
                empty = runtime.CallFunctionOn(function_declaration=_EMPTY, object_id=object_id)
                await call.race.call(empty, world.session_id)
            return Done(_value(files), await settle(call))
    if not files:
        return await _cancel_chooser(call, has_target=ref is not None or at is not None)
    earlier = _open_choosers(call)
    if ref is not None or at is not None:
        await (click(call, ref) if at is None else click_at(call, at))
    chooser = await _wait_for_chooser(call, earlier if ref or at else None)
    if len(files) > 1 and not chooser.multiple:
        raise InvalidArgument(
            f"{chooser.id} accepts one file, not {len(files)}.", "Give one file.", field="filenames"
        )
    if chooser.backend_node_id is None:
        _check_kind(files, "folder" if chooser.is_folder else "files")
        await _drop_handles(call, chooser, await copy_to_browser(call, files))
        return Done(_value(files), await settle(call))
    resolving = dom.ResolveNode(backend_node_id=chooser.backend_node_id)
    object_id = (await call.race.call(resolving, chooser.session_id)).object.object_id or ""
    kind = await _accepted_kind(call.race, object_id, chooser.session_id)
    _check_kind(files, kind)
    paths = await copy_to_browser(call, files)
    await _send_files(call.race, paths, kind, object_id, chooser.session_id)
    call.task.supervisor.feed(AnswerPrompt(chooser.id))
    call.task.control.note_answer(chooser.id)
    return Done(_value(files), await settle(call))


async def _drop_handles(call: Call, chooser: FileChooser, paths: list[str]) -> None:
    """Give files to a call of the File System Access API. Only a drop creates the handles that the
    page needs; our script in the page hides the drop from the page's listeners."""
    frame_id = chooser.frame_id or ""
    world = await call.task.worlds.of(call.race, frame_id)
    spot = await call_walker(call.race, world, "openSpot")
    await call.race.call(
        answer_command(call.state, world, chooser.number, "drop"), world.session_id
    )
    data = input_.DragData(items=[], files=paths, drag_operations_mask=1)
    for kind in ("dragEnter", "dragOver", "drop"):
        event = input_.DispatchDragEvent(type=kind, x=spot["x"], y=spot["y"], data=data)
        await call.race.call(event, call.tab.session_id)

    def is_over(_: SupervisorState) -> bool:
        return all(one.id != chooser.id for one in call.state.prompts)

    if not await call.race.until(is_over, at_most_ms=_CHOOSER_MS):
        raise NotInteractable(
            f"The page did not receive the files for {chooser.id}.",
            "Take a snapshot and try again, or cancel the file chooser.",
        )
    call.task.control.note_answer(chooser.id)


async def _accepted_kind(race: Race, object_id: str, session_id: str) -> str:
    """Return ``files`` or ``folder`` for a file input, depending on what it accepts; "" for any
    other element."""
    command = runtime.CallFunctionOn(
        function_declaration=_ACCEPTS, object_id=object_id, return_by_value=True
    )
    return str((await race.call(command, session_id)).result.value)


def _check_kind(files: list[str], kind: str) -> None:
    """Raise ``InvalidArgument`` if the input accepts a folder but the caller gave files, or vice
    versa.

    Without this check, the browser would give the page no file, or treat the folder as a file.
    """
    folders = [file for file in files if os.path.isdir(file)]
    if kind == "folder" and files:
        if folders != files or len(files) > 1:
            raise InvalidArgument(
                "This input accepts one folder, not files.",
                "Give the name of a folder. The page then gets all files in the folder.",
                field="filenames",
            )
        if not any(names for _, _, names in os.walk(files[0])):
            raise InvalidArgument(
                f"The folder {Path(files[0]).name!r} has no files.", field="filenames"
            )
    elif folders:
        folder = Path(folders[0])
        error = no_such_upload_error(folder.name, folder.parent)
        error.message = f"{folder.name!r} is a folder, but this input accepts files."
        raise error


async def _cancel_chooser(call: Call, *, has_target: bool) -> Done:
    """Cancel the chooser as a person would. The file input keeps its earlier files."""
    choosers = _open_choosers(call)
    if has_target or not choosers:
        raise InvalidArgument(
            "filenames is empty, which cancels a file chooser, but no file chooser is open.",
            "Give file names. To clear a file input, give its ref and an empty list.",
            field="filenames",
        )
    chooser = choosers[-1]
    call.task.supervisor.feed(AnswerPrompt(chooser.id))
    call.task.control.note_answer(chooser.id)
    if chooser.backend_node_id is not None:
        command = dom.ResolveNode(backend_node_id=chooser.backend_node_id)
        with suppress(CommandRefused):  # the input no longer exists and needs no event
            input_node = await call.race.call(command, chooser.session_id)
            cancel = runtime.CallFunctionOn(
                function_declaration=_CANCELLED, object_id=input_node.object.object_id or ""
            )
            await call.race.call(cancel, chooser.session_id)
    return Done(_value([]), await settle(call))


async def _object(race: Race, ref: Ref, world: ExecutionContext) -> tuple[ExecutionContext, str]:
    try:
        object_id = await element(race, world, ref.local_id)
    except WorldGone as error:
        raise stale(ref, "its document was replaced") from error
    if object_id is None:
        raise ElementGone
    return world, object_id


def _open_choosers(call: Call) -> list[FileChooser]:
    choosers = call.state.prompts_of(FileChooser)
    return [chooser for chooser in choosers if chooser.tab_id == call.tab.tab_id]


async def _wait_for_chooser(call: Call, earlier: list[FileChooser] | None) -> FileChooser:
    """Return the tab's open chooser. With ``earlier``, wait for a chooser that is not in that
    list."""

    def new_choosers() -> list[FileChooser]:
        return [chooser for chooser in _open_choosers(call) if chooser not in (earlier or ())]

    if earlier is not None:
        await call.race.until(lambda _: bool(new_choosers()), at_most_ms=_CHOOSER_MS)
    if new_choosers():
        return new_choosers()[-1]
    if earlier is not None:
        raise NotInteractable(
            "The click did not open a file chooser.",
            "Take a snapshot: the page may have opened something else, such as a menu.",
        )
    raise InvalidArgument(
        "No file chooser is open.",
        "Give the ref, or x and y, of the file input or of the button that opens the chooser.",
        field="ref",
    )


async def copy_to_browser(call: Call, files: list[str]) -> list[str]:
    """Return the files' paths on the browser's computer. Copy the files there first if needed."""
    browser = call.task.supervisor.opened
    if browser is None or browser.files is None or not files:
        return files
    paths = []
    for file in files:
        copying = asyncio.ensure_future(browser.files.put(Path(file)))
        with call.race.doing(f"copying {Path(file).name!r} to the browser's machine"):
            await call.race.finished(copying)
        try:
            paths.append(copying.result())
        except OSError as error:
            raise NotInteractable(
                f"{Path(file).name!r} could not be copied to the browser's machine: {error}.",
                "Try again.",
            ) from None
    return paths


async def _send_files(
    race: Race, paths: list[str], kind: str, object_id: str, session_id: str
) -> None:
    """Put the files into the input. Return when the page has them.

    For a folder, ``DOM.setFileInputFiles`` answers before Chromium has listed the files
    (measured with Chromium 153), so wait for the input's event.
    """
    received = None
    if kind == "folder":
        waiting = runtime.CallFunctionOn(
            function_declaration=_RECEIVED, object_id=object_id, await_promise=True
        )
        received = race.start(waiting, session_id)
    try:
        await race.call(dom.SetFileInputFiles(files=paths, object_id=object_id), session_id)
    except CommandRefused as refused:
        raise NotInteractable(
            f"The browser rejected the files: {refused.error}.",
            "The input may no longer exist: take a new snapshot. A hosted browser can't read "
            "files on this machine.",
        ) from None
    if received is not None and not await race.answered(received, at_most_ms=_FOLDER_MS):
        raise NotInteractable(
            f"The browser has not listed the folder's files within {_FOLDER_MS / 1000:g} s.",
            "Read the page: the files may arrive later. Or upload a folder with fewer files.",
        )


def _value(files: list[str]) -> dict[str, Any]:
    return {"files": [Path(file).name for file in files]}


@card(
    "upload",
    about="Upload files to the open file chooser (default), to a file input, or to the chooser "
    "that opens when ref is clicked.",
    permission="files",
    group="pages",
    gives=Uploaded,
)
async def upload(
    call: Call,
    filenames: Annotated[
        Sequence[str],
        Field(
            description="File names in the upload folder. [] cancels the file chooser or clears "
            "the file input."
        ),
    ],
    ref: OptionalRef = None,
    *,
    x: X = None,
    y: Y = None,
    roots: Annotated[Sequence[str | Path], PYTHON_ONLY] = (),
) -> Done:
    """Upload files to a page: to the file input ``ref``, or to the file chooser that a click on
    ``ref`` or on a point opens. Without ``ref`` or a point, upload them to the file chooser
    that is already open.

    Args:
        filenames: names in the upload folder (``upload_dir`` of the configuration), or paths of
            files in the folders that ``upload_roots`` allows; for an input that accepts
            folders, the name of a folder. An empty list cancels the open chooser, or clears the
            file input ``ref``.
        ref: a file input, or an element that opens a file chooser.
        x, y: a point in the viewport, in CSS pixels.
        roots: more folders whose files this call may upload. For programs that have checked the
            files; models and HTTP clients can't use it.

    Raises:
        Denied: a name leads outside the folder.
        InvalidArgument: a file does not exist, there are too many, or no chooser is open.
        NotInteractable: the element does not open a file chooser.
    """
    folders = (*call.task.upload_folders, *map(Path, roots))
    files = files_in(folders, filenames, takes_folders=True)
    at = None if ref is None and x is None and y is None else target_of(ref, x, y)
    return await give_files(call, files, ref=ref, at=at)
