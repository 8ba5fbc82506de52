"""Upload: put files from the upload folder into a file input or an open file chooser."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabwarden.errors import Denied, InvalidArgument, NotInteractable, NotSupported
from tabwarden.page.call import settle
from tabwarden.page.elements import Gone, element_of, healing
from tabwarden.page.input.forms.timing import CHOOSER_MS
from tabwarden.page.input.pointing import click
from tabwarden.page.task import ActionSpec, Call, Done, Ref, stale
from tabwarden.page.walker import WorldGone, element
from tabwarden.plain_file import real_path
from tabwarden.protocol import Command, dom, runtime
from tabwarden.supervisor import (
    AnswerPrompt,
    CommandRefused,
    ExecutionContext,
    FileChooser,
    Race,
)

UPLOAD = ActionSpec(name="upload")

_MOST_TOLD = 20


class NoSuchUpload(InvalidArgument):
    """The upload folder has no file of this name."""


_CANCELLED = "function () { this.dispatchEvent(new Event('cancel', { bubbles: true })) }"
"""https://html.spec.whatwg.org/multipage/input.html#file-upload-state-(type=file)"""
_EMPTY = """function () {
  this.value = '';
  for (const type of ['input', 'change']) this.dispatchEvent(new Event(type, { bubbles: true }));
}"""
_IS_FILE_INPUT = "function () { return this.localName === 'input' && this.type === 'file' }"


def files_in(folder: Path, filenames: Sequence[str]) -> list[str]:
    """Return the absolute paths of files in the upload folder.

    Raises:
        InvalidArgument: a file does not exist; the error lists the existing files.
        Denied: a file is outside the folder.
    """
    if isinstance(filenames, str) or not isinstance(filenames, Sequence):
        raise InvalidArgument(
            "filenames must be a list.", "Give a list of names.", field="filenames"
        )
    return [file_in(folder, name, "filenames") for name in filenames]


def file_in(folder: Path, name: str, field: str) -> str:
    """Return the absolute path of one file in the upload folder; ``field`` is for errors, as in
    ``files_in``."""
    root = real_path(folder)
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise InvalidArgument(f"{name!r} is not a valid file name.", field=field)
    path = real_path(root / name)
    if not path.is_relative_to(root):
        raise Denied(
            f"Invalid path: {name!r} is outside the upload folder.",
            f"Only files in {root} may be used (configuration: upload_dir).",
            field=field,
        )
    if not _is_file(path):
        raise NoSuchUpload(
            f"There is no file {name!r} in the upload folder {root}.",
            f"It has: {', '.join(_there(root)) or 'nothing'}. Only files that are there, or in the "
            "folder that upload_dir of the configuration names, can be used.",
            field=field,
        )
    return str(path)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # an impossible file name
        return False


def _there(root: Path) -> list[str]:
    """Return the first few names of the files that may be uploaded."""
    if not root.is_dir():
        return []
    files = (p for p in sorted(root.iterdir()) if real_path(p).is_relative_to(root) and _is_file(p))
    return [file.name for file in itertools.islice(files, _MOST_TOLD)]


async def upload(
    call: Call,
    files: list[str],
    *,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Put files into a file input or a file chooser.

    An empty list clears the input or cancels the chooser. If ``ref`` is not a file input, or if the
    caller gives ``at``, a click there opens the chooser. Otherwise the chooser must be open.

    Raises:
        InvalidArgument: no chooser is open and the caller named no element, or gave too many files.
        NotInteractable: the click opened no file chooser.
        NotSupported: the page used ``showOpenFilePicker``, which Tabwarden can't answer.
    """
    if ref is not None:
        found = await element_of(call, ref, hidden=True)
        found, (world, object_id) = await healing(
            call, found, lambda ref, world: _object(call.race, ref, world)
        )
        ref = found.ref
        asked = await call.race.call(
            runtime.CallFunctionOn(
                function_declaration=_IS_FILE_INPUT, object_id=object_id, return_by_value=True
            ),
            world.session_id,
        )
        if asked.result.value is True:
            there = await placed(call, files)
            command = (
                dom.SetFileInputFiles(files=there, object_id=object_id)
                if files  # with an empty list, this would not clear the input
                else runtime.CallFunctionOn(function_declaration=_EMPTY, object_id=object_id)
            )
            await _give(call.race, command, world.session_id)
            return Done(_value(files), await settle(call))
    if not files:
        return await _declined(call, named=ref is not None or at is not None)
    before = _waiting(call)
    if ref is not None or at is not None:
        await click(call, ref=ref, at=at)
    chooser = await _chooser(call, before if ref or at else None)
    if chooser.backend_node_id is None:
        call.task.supervisor.feed(AnswerPrompt(chooser.id))
        raise NotSupported(
            "The page asked for files with showOpenFilePicker, which Tabwarden can't answer.",
            "Look for another way to upload in the page, such as a file input.",
        )
    if len(files) > 1 and not chooser.multiple:
        raise InvalidArgument(
            f"{chooser.id} accepts one file, not {len(files)}.", "Give one.", field="filenames"
        )
    there = await placed(call, files)
    command = dom.SetFileInputFiles(files=there, backend_node_id=chooser.backend_node_id)
    await _give(call.race, command, chooser.session_id)
    call.task.supervisor.feed(AnswerPrompt(chooser.id))
    call.task.control.answered(chooser.id)
    return Done(_value(files), await settle(call))


async def _declined(call: Call, *, named: bool) -> Done:
    """Cancel the chooser as a person would. The input keeps files that were chosen earlier."""
    waiting = _waiting(call)
    if named or not waiting:
        raise InvalidArgument(
            "filenames is empty, which cancels a file chooser, but no file chooser is open.",
            "Give file names. To clear a file input, give its ref and no names.",
            field="filenames",
        )
    chooser = waiting[-1]
    call.task.supervisor.feed(AnswerPrompt(chooser.id))
    call.task.control.answered(chooser.id)
    if chooser.backend_node_id is not None:
        asked = dom.ResolveNode(backend_node_id=chooser.backend_node_id)
        with suppress(CommandRefused):  # the input is gone and needs no event
            found = await call.race.call(asked, chooser.session_id)
            told = runtime.CallFunctionOn(
                function_declaration=_CANCELLED, object_id=found.object.object_id or ""
            )
            await call.race.call(told, chooser.session_id)
    return Done(_value([]), await settle(call))


async def _object(race: Race, ref: Ref, world: ExecutionContext) -> tuple[ExecutionContext, str]:
    try:
        object_id = await element(race, world, ref.local_id)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced") from gone
    if object_id is None:
        raise Gone
    return world, object_id


def _waiting(call: Call) -> list[FileChooser]:
    choosers = call.state.prompts_of(FileChooser)
    return [chooser for chooser in choosers if chooser.tab_id == call.tab.tab_id]


async def _chooser(call: Call, before: list[FileChooser] | None) -> FileChooser:
    """Return the tab's open chooser. With ``before``, wait for one that is not in that list."""

    def found() -> list[FileChooser]:
        return [chooser for chooser in _waiting(call) if chooser not in (before or ())]

    if before is not None:
        await call.race.until(lambda _: bool(found()), at_most_ms=CHOOSER_MS)
    if found():
        return found()[-1]
    if before is not None:
        raise NotInteractable(
            "The click did not open a file chooser.",
            "Take a snapshot: the page may have shown something else first.",
        )
    raise InvalidArgument(
        "No file chooser is open.",
        "Name the file input, or the button that opens the chooser, by ref or x and y.",
        field="ref",
    )


async def placed(call: Call, files: list[str]) -> list[str]:
    """Return the files' paths on the browser's machine; copy the files there first if needed."""
    opened = call.task.supervisor.opened
    if opened is None or opened.files is None or not files:
        return files
    there = []
    for file in files:
        copying = asyncio.ensure_future(opened.files.put(Path(file)))
        with call.race.doing(f"copying {Path(file).name!r} to the browser's machine"):
            await call.race.finished(copying)
        try:
            there.append(copying.result())
        except OSError as error:
            raise NotInteractable(
                f"{Path(file).name!r} could not be copied to the browser's machine: {error}.",
                "Try again.",
            ) from None
    return there


async def _give(race: Race, command: Command[Any], session_id: str) -> None:
    try:
        await race.call(command, session_id)
    except CommandRefused as refused:
        raise NotInteractable(
            f"The browser rejected the files: {refused.error}.",
            "The input may be gone: take a new snapshot. A hosted browser can't read files "
            "on this machine.",
        ) from None


def _value(files: list[str]) -> dict[str, Any]:
    return {"files": [Path(file).name for file in files]}
