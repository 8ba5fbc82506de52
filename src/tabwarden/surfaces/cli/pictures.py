"""The file in which a command saves its picture."""

from __future__ import annotations

import base64
import sys
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import open_private, write_private_file

_FORMATS = {"image/png": "png", "image/jpeg": "jpeg", "image/webp": "webp"}
_STDOUT = "-"


class PictureFile:
    """The place to save a picture.

    Args:
        file: the user's path; ``-`` for stdout; None for a new ``screenshot-N`` in the current
            folder.
        arguments: the action's arguments. If they have no ``format``, the file's extension sets it.

    Raises:
        InvalidArgument: the picture can't be saved under this name.
    """

    def __init__(self, file: str | None, arguments: dict[str, object]) -> None:
        self._file = file
        if file is not None and arguments.get("filename") is not None:
            raise InvalidArgument(
                "Give a file of your own or a filename in the output folder, not both.",
                "Omit --filename.",
                field="filename",
            )
        if file is None or file == _STDOUT:
            return
        path = Path(file)
        if path.is_dir() or not path.absolute().parent.is_dir():
            what = "is a folder" if path.is_dir() else "is in a folder that does not exist"
            raise InvalidArgument(f"{file!r} {what}.", "Name a file for the picture.", field="file")
        kind, _ = guess_type(path.name, strict=False)
        if (known := _FORMATS.get(kind or "")) is not None:
            arguments.setdefault("format", known)
        wanted = arguments.get("format", "png")
        if kind is not None and known != wanted:
            raise InvalidArgument(
                f"{file!r} has the extension of {kind}, but the picture is a {wanted}.",
                "Name a file with the extension .png, .jpg or .webp. The extension sets the "
                "format.",
                field="file",
            )

    def kept(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Save an answer's picture. Return the answer with the file's path."""
        data = base64.b64decode(answer["picture"]["data"])
        if self._file == _STDOUT:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return {**answer, "written": True}
        try:
            path = self._written(data, answer["picture"]["media_type"].partition("/")[2])
        except OSError as error:
            raise InvalidArgument(
                f"The picture can't be written: {error}.", "Name another file.", field="file"
            ) from None
        first, _, rest = answer["text"].partition("\n")
        return {
            **answer,
            "text": "\n".join(filter(None, [f"{first}\nfile: {path}", rest])),
            "data": {**answer["data"], "file": str(path)},
        }

    def _written(self, data: bytes, ending: str) -> Path:
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
