"""Transfer the caller's files between the client and the daemon. A path on the command line is
relative to the caller's folder, not the daemon's.

The client copies a file for a page into the daemon's inbox, because the daemon opens no paths from
callers. The client moves a file that the daemon saved to the caller's path.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.files.plain_file import check_plain_file
from tabwarden.surfaces.command_table.steps import calls_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tabwarden.surfaces.command_table.types import Command, CommandOption, Table


class GivenFiles:
    """The files in one command's arguments, or in the steps of its batch.

    Args:
        command: the command. arguments: its arguments. ``hand_over`` changes them in place.
        commands: the table of all commands.

    Raises:
        InvalidArgument: a file or the folder for a result does not exist.
    """

    def __init__(self, command: Command, arguments: dict[str, Any], commands: Table) -> None:
        self._read: list[tuple[dict[str, Any], str, bool]] = []
        self._absent: list[str] = []
        self._from = "upload"
        self._logins: list[str] = []
        """The copies of saved logins, which are deleted once they are loaded."""
        self._saved: list[_Saved] = []
        for step, one, step_arguments in calls_of(command, arguments, commands):
            for option in one["options"]:
                mode = step_arguments.get("mode")
                if "reads" in option and step_arguments.get(option["name"]) and mode != "save":
                    is_login = "writes" in option
                    self._from = "state" if is_login else "upload"
                    self._check(step_arguments, option["name"], is_login=is_login)
                elif "writes" in option and mode != "load" and _names_file(option, step_arguments):
                    self._saved.append(_Saved(step, option, step_arguments))

    def _check(self, arguments: dict[str, Any], field: str, *, is_login: bool) -> None:
        for name in _names(arguments[field]):
            if not _is_path(name) and not os.path.exists(name):
                self._absent.append(name)
                continue
            try:
                if not os.path.isdir(name):
                    check_plain_file(name)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or "it is not a valid path"
                raise InvalidArgument(
                    f"The file {os.path.abspath(name)!r} can't be read: {why}.",
                    "Use a path to a readable file, relative to the current directory.",
                    field=field,
                ) from None
        self._read.append((arguments, field, is_login))

    def hand_over(self, inbox: str | None, until: float) -> None:
        """Copy the files into the daemon's inbox, and put the copies' paths into the arguments.

        Args:
            inbox: the inbox's folder. None if the daemon has no inbox.
            until: when to stop, on the clock of ``time.monotonic()``.

        Raises:
            InvalidArgument: a file can't be copied. BudgetExceeded: copying took too long.
        """
        for saved in self._saved:
            saved.hand_over(inbox)
        if not self._read:
            return
        failed: list[OSError] = []

        def copy() -> None:
            try:
                for arguments, field, is_login in self._read:
                    names = [self._copied(name, inbox) for name in _names(arguments[field])]
                    arguments[field] = names if isinstance(arguments[field], list) else names[0]
                    self._logins += names if is_login else []
            except OSError as error:
                failed.append(error)

        # Use a thread, because a read from a network folder may never end.
        copying = threading.Thread(target=copy, daemon=True)
        copying.start()
        copying.join(max(0.0, until - time.monotonic()))
        if copying.is_alive():
            raise BudgetExceeded(
                "The time limit passed while files were still being copied for the page.",
                "Retry with a longer time limit (--timeout-ms).",
            )
        if failed:
            raise InvalidArgument(
                f"A file can't be copied for the page: {failed[0]}.",
                "Check that you can read the file and that the temporary folder has free space.",
                field=self._read[0][1],
            )

    def _copied(self, name: str, inbox: str | None) -> str:
        if name in self._absent:
            return name
        if inbox is None:
            raise OSError("the daemon has no temporary folder")
        path = os.path.abspath(name)
        copy = os.path.join(tempfile.mkdtemp(dir=inbox), os.path.basename(path))
        if os.path.isdir(path):
            shutil.copytree(path, copy, copy_function=shutil.copyfile)
        else:
            shutil.copyfile(path, copy)
        return copy

    def kept(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Move the files that the daemon saved to the caller's paths. Return the response with
        these paths. If the daemon did not find a file, the error also says where the client looked
        for it.
        """
        for copy in self._logins:
            if copy not in self._absent:
                os.remove(copy)
        for saved in self._saved:
            answer = saved.kept(answer)
        if self._absent and not answer["is_error"]:
            names = ", ".join(map(repr, self._absent))
            note = (
                f"Used the file from the {self._from} folder, because the current directory does "
                f"not contain it: {names}."
            )
            answer = {**answer, "text": f"{answer['text']}\n{note}"}
        error = answer["data"].get("error") if answer["is_error"] else None
        if error and (lost := next((n for n in self._absent if repr(n) in error["message"]), None)):
            message = (
                f"There is no file {os.path.abspath(lost)!r}, and no file with this name in the "
            )
            error = {**error, "message": f"{message}{self._from} folder."}
            text = f"error {error['code']}: {error['message']}\n{error['hint']}"
            answer = {**answer, "text": text, "data": {**answer["data"], "error": error}}
        return answer


class _Saved:
    """A result to save in one of the caller's files."""

    def __init__(self, step: int | None, option: CommandOption, arguments: dict[str, Any]) -> None:
        field = option["name"]
        name = arguments[field]
        self._step = step
        # the list of downloads contains the download's path
        self._stays = option["writes"] == "download"
        self._is_state = option["writes"] == "state"
        self._arguments = arguments
        self._overwrite = bool(arguments.pop("overwrite", False)) or self._is_state
        path = Path(name).absolute()
        is_folder = name.endswith(("/", os.sep)) or path.is_dir()
        self._folder = path if is_folder else path.parent
        self._name = "" if is_folder else path.name
        if not self._folder.is_dir():
            raise InvalidArgument(
                f"{name!r} is in a folder that does not exist.",
                f"Create the folder first: mkdir -p {self._folder}",
                field=field,
            )
        if is_folder and option["writes"] in ("result", "state"):
            raise InvalidArgument(
                f"{name!r} is a folder.", "Use the path of a file in the folder.", field=field
            )
        if is_folder or self._stays:
            del arguments[field]
        else:
            arguments[field] = path.name

    def hand_over(self, inbox: str | None) -> None:
        """Let the daemon save a state in its inbox, so that the saved state does not replace a
        stored state.
        """
        if self._is_state and inbox is not None:
            self._arguments["filename"] = os.path.join(tempfile.mkdtemp(dir=inbox), self._name)

    def kept(self, answer: dict[str, Any]) -> dict[str, Any]:
        file = _file_of(answer["data"], self._step)
        if file is None:
            return answer
        source = Path(file["path"])
        try:
            path = self._placed(source)
        except OSError as error:
            raise InvalidArgument(
                f"The file can't be written to {self._folder}: {error.strerror}. The file is "
                f"still at {source}.",
                "Copy the file from there, or use another path.",
                field="filename",
            ) from None
        file["path"] = str(path)
        if "filename" in file:
            file["filename"] = path.name
        return {**answer, "text": answer["text"].replace(str(source), str(path))}

    def _placed(self, source: Path) -> Path:
        name = self._name or source.name
        if not self._stays and Path(name).suffix.lower() != source.suffix.lower():
            name += source.suffix  # the daemon has added these fields
        path = self._folder / name if self._overwrite else _reserved(self._folder, name)
        if self._stays:
            shutil.copyfile(source, path)
        else:
            shutil.move(source, path)
        return path


def _reserved(folder: Path, name: str) -> Path:
    """Create an empty file with this name. If the name is in use, add a number."""
    path, number = folder / name, 0
    while True:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            number += 1
            path = folder / f"{Path(name).stem} ({number}){Path(name).suffix}"
        else:
            return path


def _names_file(option: CommandOption, arguments: dict[str, Any]) -> bool:
    if arguments.get("mode") == "list" or not isinstance(arguments.get(option["name"]), str):
        return False
    # Any other value is not a file to write; the daemon then reports the error.
    return "download" in arguments or option["writes"] != "download" or "url" in arguments


def _names(value: object) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _is_path(name: str) -> bool:
    return os.sep in name or (os.altsep or os.sep) in name


def _file_of(data: dict[str, Any], step: int | None) -> dict[str, Any] | None:
    """Return the part of a response that describes the file saved by the action or the step."""
    try:
        value = data["value"] if step is None else data["value"]["steps"][step]["result"]["value"]
    except (KeyError, IndexError, TypeError):  # the step failed, or it was interrupted
        return None
    if not isinstance(value, dict):
        return None
    for within in (value.get("download"), value.get("file"), value):
        if isinstance(within, dict) and isinstance(within.get("path"), str):
            return within
    return None


_FORMATS = {"image/png": "png", "image/jpeg": "jpeg", "image/webp": "webp"}
_STDOUT = "-"


class PictureFile:
    """The path at which to save a screenshot.

    Args:
        file: the user's path; ``-`` for stdout; None for a new file ``screenshot-N`` in the current
            folder.
        arguments: the action's arguments. If they have no ``format``, it is derived from the file's
            extension.

    Raises:
        InvalidArgument: the screenshot can't be saved under this name.
    """

    def __init__(self, file: str | None, arguments: dict[str, object]) -> None:
        self._file = file
        if file is not None and arguments.get("filename") is not None:
            raise InvalidArgument(
                "A path (FILE) can't be combined with --filename, which saves in the output "
                "folder.",
                "Omit --filename.",
                field="filename",
            )
        if file is None or file == _STDOUT:
            return
        from mimetypes import guess_type  # only screenshots need these modules, which load slowly

        path = Path(file)
        if path.is_dir() or not path.absolute().parent.is_dir():
            what = "is a folder" if path.is_dir() else "is in a folder that does not exist"
            raise InvalidArgument(
                f"{file!r} {what}.", "Use the path of a file in an existing folder.", field="file"
            )
        kind, _ = guess_type(path.name, strict=False)
        if (known := _FORMATS.get(kind or "")) is not None:
            arguments.setdefault("format", known)
        wanted = arguments.get("format", "png")
        if kind is not None and known != wanted:
            raise InvalidArgument(
                f"{file!r} has the extension for {kind}, but the format is {wanted}.",
                "Use the extension .png, .jpg or .webp, which sets the format.",
                field="file",
            )

    def kept(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Save the screenshot that a response contains. Return the response with the file's
        path.
        """
        import base64

        data = base64.b64decode(answer["picture"]["data"])
        if self._file == _STDOUT:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return {**answer, "written": True}
        try:
            path = self._written(data, answer["picture"]["media_type"].partition("/")[2])
        except OSError as error:
            raise InvalidArgument(
                f"The screenshot can't be written: {error}.", "Use another path.", field="file"
            ) from None
        first, _, rest = answer["text"].partition("\n")
        return {
            **answer,
            "text": "\n".join(filter(None, [f"{first}\nfile: {path}", rest])),
            "data": {**answer["data"], "file": str(path)},
        }

    def _written(self, data: bytes, ending: str) -> Path:
        from tabwarden.files.secret_file import open_private, write_private_file

        if self._file is not None:
            path = Path(self._file).absolute()
            write_private_file(path, data)
            return path
        number = 1
        while True:
            path = Path(f"screenshot-{number}.{ending}").absolute()
            try:
                with open_private(path, "xb") as file:
                    file.write(data)
            except FileExistsError:
                number += 1
            else:
                return path
